import CBench
import LifecycleModel
import TraceLog
import TraceRecorder

/// What a recorded fact costs, beside the floors: a call, reading the clock, and storing 16 bytes.
enum Recording {
  /// Prints nanoseconds at the median, and where 99 of 100 are below.
  static func run() throws {
    show("call") { Recording.empty() }
    show("counter") { Recording.ticks() }
    show("clock") { Recording.nanoseconds() }
    show("store") { Recording.store() }
    recorder = .off
    show("off") { Recording.silent() }

    try recording(.fastest) {
      show("fact") { Recording.timer() }
      show("call and return") { Recording.call() }
      show("made label") { Recording.labeled() }
      show("sample") { Recording.sample() }
      show("note") { Recording.note() }
      bench_twice({ _ in Recording.show("fact, two threads") { Recording.timer() } }, slots)
    }
    try recording(.monotonic) { show("fact by clock") { Recording.timer() } }
    try drainByThread()
  }

  private static func show(_ name: String, _ body: @convention(c) () -> Void) {
    var (median, most) = (0.0, 0.0)
    // The drain must keep up: a refused fact is cheaper than a recorded one.
    bench_percentiles(body, recorder.isOn ? { usleep(25_000) } : nil, &median, &most)
    Bench.show(name, median, most)
  }

  /// Runs `body` with a recorder of its own, and says when facts were refused: then its figures are wrong.
  private static func recording(_ clock: Drain.Clock, _ body: () -> Void) throws {
    let path = "/tmp/tracectl-bench-record-\(getpid()).bin"
    var options = Drain.Options()
    // Twice the default, so that no fact is refused while the drain sleeps.
    (options.recordsPerThread, options.threads) = (1 << 16, 4)
    (options.sync, options.replacesLog, options.clock) = (.none, true, clock)
    recorder = try Recorder.open(log: path, options: options)
    defer { remove(path) }
    body()

    var refused: Int64 = 0
    var reader = try LogReader(path: path)
    var events: [Event] = []
    while try reader.read(into: &events) {
      refused += events.reduce(0) { $0 + (Gap($1, in: reader.vocabulary)?.count ?? 0) }
    }
    if refused > 0 { Bench.show("refused", Double(refused)) }
  }

  private static func remove(_ path: String) {
    unlink(path)
    unlink(path + ".ring")
  }

  /// Prints what the draining thread takes: 1.2 million facts at 0.4 million a second, in a ring as it is
  /// by default.
  private static func drainByThread() throws {
    let path = "/tmp/tracectl-bench-drain-\(getpid()).bin"
    var options = Drain.Options()
    (options.sync, options.replacesLog) = (.none, true)
    recorder = try Recorder.open(log: path, options: options)
    defer { remove(path) }

    func others() -> UInt64 { bench_process_time() - bench_thread_time() }
    let before = others()
    for _ in 0..<4000 {
      for _ in 0..<100 {
        timer()
        call()
      }
      usleep(500)
    }
    usleep(400_000)
    let time = others() - before
    Bench.show("drain", Double(time) / Double(try VerifyReport(path: path).eventCount))
  }

  // MARK: Steps

  /// States facts to a ring that is large enough for all of them.
  static func facts(_ path: String, isOn: Bool) throws -> (Int, UInt64) {
    var options = Drain.Options()
    (options.recordsPerThread, options.sync, options.replacesLog) = (1 << 16, .none, true)
    if isOn { recorder = try Recorder.open(log: path, options: options) }
    timer()
    defer { remove(path) }
    return measured {
      for _ in 0..<20_000 { timer() }
      return 20_000
    }
  }

  /// Moves facts into a log, on this thread.
  static func drain(_ path: String) throws -> (Int, UInt64) {
    var options = Drain.Options()
    (options.sync, options.replacesLog) = (.none, true)
    let drain = try Drain(log: path, options: options)
    defer { remove(path) }
    setenv(Recorder.environmentVariable, drain.ringPath, 1)
    recorder = .shared

    var (all, time): (Int, UInt64) = (0, 0)
    for _ in 0..<20 {
      for number in 0..<8192 {
        timer()
        if number % 7 == 0 { call() }
      }
      let before = drain.eventCount
      let part = measured {
        drain.drain()
        return Int(drain.eventCount - before)
      }
      (all, time) = (all + part.count, time + part.time)
    }
    return (all, time)
  }

  // MARK: What is called

  nonisolated(unsafe) private static var recorder = Recorder.off
  nonisolated(unsafe) private static let slots = UnsafeMutablePointer<UInt64>.allocate(capacity: 4)
  private static let label = String("a label that was made at run time")
  private static let text = String("thirty-two bytes of text in note")

  @inline(never) private static func empty() { slots[0] = 1 }
  @inline(never) private static func ticks() { slots[0] = bench_ticks() }
  @inline(never) private static func nanoseconds() { slots[0] = bench_nanoseconds() }
  @inline(never) private static func store() { bench_store(slots) }

  @inline(never) private static func silent() {
    recorder.work(.timer, .scene(1), "autosave")
    slots[0] = 1
  }

  @inline(never) private static func timer() { recorder.work(.timer, .scene(1), "autosave") }

  @inline(never) private static func call() {
    recorder.call(.sceneDidBecomeActive, .scene(1))
    recorder.returned(.sceneDidBecomeActive, .scene(1))
  }

  @inline(never) private static func labeled() {
    recorder.work(.timer, .scene(1), label: label)
  }

  @inline(never) private static func sample() { recorder.sample(.memory, 42) }
  @inline(never) private static func note() { recorder.note(text) }
}
