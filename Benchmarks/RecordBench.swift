import Foundation
import LifecycleModel
import Platform
import TraceLog
import TraceRecorder

/// Prints what a recorded fact costs, beside the floors: a call, reading the clock, and storing
/// 16 bytes.
enum RecordBench {
  /// So many calls are timed together, so that the clock's own cost does not count.
  private static let batch = 64
  private static let batches = 8000

  static func run() throws {
    print("recording, nanoseconds a fact (p50, p99, p99.9 of batches of \(batch))")
    show("floor: a call that stores a word", measure { empty() })
    show("floor: time-stamp counter", measure { ticks() })
    show("floor: clock_gettime", measure { nanoseconds() })
    show("floor: store 16 bytes, publish", measure { store() })
    show("off: such a call with work(.timer)", measure { silent(.off) })
    try recording(.fastest) { recorder in
      show("work(.timer) with a static label", measure { timer(recorder) })
      show("call and return, two records", measure { call(recorder) })
      show("work(.timer) with a label made before", measure { labeled(recorder) })
      show("sample(.memory), two records", measure { sample(recorder) })
      show("note of 32 bytes, four records", measure { note(recorder) })
      show("two threads: work(.timer)", measureTwice { timer(recorder) })
      show("two threads: time-stamp counter", measureTwice { ticks() })
    }

    try recording(.monotonic) { recorder in
      show("clock_gettime: work(.timer)", measure { timer(recorder) })
      show("clock_gettime, two threads", measureTwice { timer(recorder) })
    }
  }

  /// Runs `body` with a recorder of its own, and says what draining took.
  private static func recording(_ clock: Drain.Clock, _ body: (Recorder) -> Void) throws {
    let path = "/tmp/tracectl-bench-record-\(getpid()).bin"
    var options = Drain.Options()
    // Twice the default, so that no fact is refused while the drain sleeps.
    options.recordsPerThread = 1 << 16
    options.threads = 4
    options.sync = .none
    options.replacesLog = true
    options.clock = clock

    let recorder = try Recorder.open(log: path, options: options)
    defer {
      unlink(path)
      unlink(path + ".ring")
    }

    body(recorder)
    try report(path)
  }

  private static func cpuTime(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// A refused fact is cheaper than a recorded one: the figures hold only when there are few.
  private static func report(_ path: String) throws {
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
  }

  /// What draining takes: a million facts at half a million a second, in a ring as it is by default.
  static func drain() throws {
    let path = "/tmp/tracectl-bench-drain-\(getpid()).bin"
    var options = Drain.Options()
    options.sync = .none
    options.replacesLog = true
    let recorder = try Recorder.open(log: path, options: options)

    defer {
      unlink(path)
      unlink(path + ".ring")
    }

    let before = cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpuTime(CLOCK_THREAD_CPUTIME_ID)
    for _ in 0..<4000 {
      for _ in 0..<100 {
        timer(recorder)
        call(recorder)
      }
      usleep(500)
    }

    usleep(400_000)
    let after = cpuTime(CLOCK_PROCESS_CPUTIME_ID) - cpuTime(CLOCK_THREAD_CPUTIME_ID)
    let drained = Double(try LogSummary(path: path).eventCount)
    print("drain: \(((after - before) / drained).rounded()) ns of CPU a fact, of \(Int(drained))")
  }

  private static func measure(_ body: () -> Void) -> [Double] {
    var times: [Double] = []
    times.reserveCapacity(batches)
    for index in 0..<(batches + 200) {
      let start = platform_nanoseconds()
      for _ in 0..<batch { body() }
      let time = Double(platform_nanoseconds() - start) / Double(batch)
      if index >= 200 { times.append(time) }
      // The drain must keep up: a refused fact is cheaper than a recorded one.
      if index % 100 == 0 { usleep(25_000) }
    }
    return times
  }

  /// The same on two threads at once.
  private static func measureTwice(_ body: @escaping @Sendable () -> Void) -> [Double] {
    nonisolated(unsafe) var other: [Double] = []
    let ended = DispatchSemaphore(value: 0)
    Thread {
      other = measure(body)
      ended.signal()
    }.start()
    let own = measure(body)
    ended.wait()
    return own + other
  }

  private static func show(_ name: String, _ times: [Double]) {
    let times = times.sorted()
    func percentile(_ share: Double) -> String {
      "\((times[Int(Double(times.count - 1) * share)] * 10).rounded() / 10)"
    }
    let padding = String(repeating: " ", count: max(1, 42 - name.count))
    print("  \(name)\(padding)\(percentile(0.5))  \(percentile(0.99))  \(percentile(0.999))")
  }

  nonisolated(unsafe) private static let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)

  @inline(never) private static func empty() { slots[0] = 1 }

  @inline(never) private static func silent(_ recorder: Recorder) {
    recorder.work(.timer, .scene(1), "autosave")
    slots[0] = 1
  }

  @inline(never) private static func ticks() { slots[0] = platform_ticks() }
  @inline(never) private static func nanoseconds() { slots[0] = platform_nanoseconds() }

  @inline(never) private static func store() {
    slots[0] = 1
    slots[1] = 2
    platform_store_release(slots + 2, 3)
  }

  @inline(never) private static func timer(_ recorder: Recorder) {
    recorder.work(.timer, .scene(1), "autosave")
  }

  @inline(never) private static func call(_ recorder: Recorder) {
    recorder.call(.sceneDidBecomeActive, .scene(1))
    recorder.returned(.sceneDidBecomeActive, .scene(1))
  }

  private static let label = String("a label that was made at run time")
  private static let text = String("thirty-two bytes of text in note")

  @inline(never) private static func labeled(_ recorder: Recorder) {
    recorder.work(.timer, .scene(1), label: label)
  }

  @inline(never) private static func sample(_ recorder: Recorder) {
    recorder.sample(.memory, 42)
  }

  @inline(never) private static func note(_ recorder: Recorder) { recorder.note(text) }
}
