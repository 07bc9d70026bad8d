import CRecorder
import LifecycleModel
import TraceLog
import TraceRecorder

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Prints what a recorded fact costs, beside the floors: reading the clock, and storing 16 bytes.
enum RecordBench {
  /// So many calls are timed together, so that the clock's own cost does not count.
  private static let batch = 64
  private static let batches = 8000

  static func run() throws {
    let path = "/tmp/tracectl-bench-record-\(getpid()).bin"
    var options = Drain.Options()
    options.recordsPerThread = 1 << 20
    options.threads = 2
    options.sync = .none
    options.replacesLog = true
    let recorder = try Recorder.open(log: path, options: options)
    defer { unlink(path) }
    print("recording, nanoseconds a fact on one thread (p50, p99, p99.9 of batches of \(batch))")
    measure("floor: time-stamp counter") { ticks() }
    measure("floor: clock_gettime") { nanoseconds() }
    measure("floor: store 16 bytes, publish") { store() }
    measure("work(.timer) with a static label") { timer(recorder) }
    measure("call and return, two records") { call(recorder) }
    measure("work(.timer) with a label made before") { labeled(recorder) }
    measure("sample(.memory), two records") { sample(recorder) }
    measure("off: work(.timer)") { timer(.off) }
    // All that is not this thread is the drain.
    let draining = cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpuTime(CLOCK_THREAD_CPUTIME_ID)
    try report(path, draining)
  }

  private static func cpuTime(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// A refused fact is cheaper than a recorded one: the figures hold only when there are few.
  private static func report(_ path: String, _ draining: Double) throws {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    var recorded = 0
    var refused: Int64 = 0
    while try reader.read(into: &events) {
      for event in events {
        if let gap = Gap(event, in: reader.vocabulary) {
          refused += gap.count ?? 0
        } else {
          recorded += 1
        }
      }
    }
    print("  recorded \(recorded), refused \(refused)")
    // The ring still holds what was recorded last.
    let drained = Double(try LogSummary(path: path).eventCount)
    print("drain: \((draining / drained).rounded()) ns of CPU a fact")
  }

  private static func measure(_ name: String, _ body: () -> Void) {
    var times: [Double] = []
    times.reserveCapacity(batches)
    for index in 0..<(batches + 200) {
      let start = recorder_nanoseconds()
      for _ in 0..<batch { body() }
      let time = Double(recorder_nanoseconds() - start) / Double(batch)
      if index >= 200 { times.append(time) }
      // The drain must keep up: a refused fact is cheaper than a recorded one.
      if index % 200 == 0 { usleep(25_000) }
    }
    times.sort()
    func percentile(_ share: Double) -> String {
      "\((times[Int(Double(times.count - 1) * share)] * 10).rounded() / 10)"
    }
    let padding = String(repeating: " ", count: max(1, 42 - name.count))
    print("  \(name)\(padding)\(percentile(0.5))  \(percentile(0.99))  \(percentile(0.999))")
  }

  nonisolated(unsafe) private static let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)

  @inline(never) private static func ticks() { slots[0] = recorder_ticks() }
  @inline(never) private static func nanoseconds() { slots[0] = recorder_nanoseconds() }

  @inline(never) private static func store() {
    slots[0] = 1
    slots[1] = 2
    recorder_store_release(slots + 2, 3)
  }

  @inline(never) private static func timer(_ recorder: Recorder) {
    recorder.work(.timer, .scene(1), "autosave")
  }

  @inline(never) private static func call(_ recorder: Recorder) {
    recorder.call(.sceneDidBecomeActive, .scene(1))
    recorder.returned(.sceneDidBecomeActive, .scene(1))
  }

  private static let label = String("a label that was made at run time")

  @inline(never) private static func labeled(_ recorder: Recorder) {
    recorder.work(.timer, .scene(1), label: label)
  }

  @inline(never) private static func sample(_ recorder: Recorder) {
    recorder.sample(.memory, 42)
  }
}
