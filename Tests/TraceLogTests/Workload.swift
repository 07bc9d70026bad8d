import LifecycleModel

/// A realistic app of three writers, with nanosecond stamps; the same seed gives the same events.
///
/// It has scene callbacks, notifications, observers, timers, work and samples.
struct Workload {
  private var random: SeededGenerator
  private let words = Vocabulary()
  private let worker: WriterID
  private let database: WriterID
  private var queue: [Event] = []
  private var now: Int64 = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    worker = try words.writer("worker")
    database = try words.writer("db")
  }

  /// A trace of about `count` events, ordered and numbered.
  mutating func trace(_ count: Int) -> Trace {
    var trace = Trace(vocabulary: words)
    var timer: Int64 = 60_000_000
    while trace.events.count + queue.count < count {
      cycle()
      while timer < now {
        add(timer + noise(200_000), .main, .work, "timer", .scene(1), "autosave")
        timer += 60_000_000
      }
    }
    trace.events = queue
    queue = []
    trace.orderAndNumber()
    return trace
  }

  private static let phases = [
    ("sceneWillEnterForeground", "willEnterForegroundNotification"),
    ("sceneDidBecomeActive", "didActivateNotification"),
    ("sceneWillResignActive", "willDeactivateNotification"),
    ("sceneDidEnterBackground", "didEnterBackgroundNotification"),
  ]

  private mutating func cycle() {
    let scene = Subject.scene(UInt32(1 + random.next() % 2))
    for (callback, notification) in Workload.phases {
      now += duration(medianNanoseconds: 3_000_000)
      add(now, .main, .call, callback, scene)
      now += duration(medianNanoseconds: 300_000)
      add(now, .main, .return, callback, scene)
      now += duration(medianNanoseconds: 20_000)
      add(now, .main, .notify, "UIScene." + notification, scene)
      for observer in 0..<(1 + random.next() % 2) {
        now += duration(medianNanoseconds: 10_000)
        add(now, .main, .observe, "UIScene." + notification, scene, "Observer\(observer)")
        now += duration(medianNanoseconds: 80_000)
        add(now, .main, .observed, "UIScene." + notification, scene, "Observer\(observer)")
      }
      for _ in 0..<(random.next() % 4) { work() }
    }
    add(
      now + noise(1_000_000), .main, .sample, "memory", .app, "",
      200_000_000 + noise(1 << 20) * 64)
  }

  private mutating func work() {
    let label = "document-\(random.next() % 40)"
    let isSave = random.next() % 2 == 0
    let writer = isSave ? database : worker
    let name = isSave ? "save" : "network"
    let start = now + duration(medianNanoseconds: 1_000_000)
    let end = start + duration(medianNanoseconds: 2_000_000)
    let hasValue = random.next() % 3 == 0
    let value = hasValue ? Int64(random.next() >> (random.next() % 30 + 34)) : nil
    add(start, writer, .workBegin, name, .app, label, value)
    add(end, writer, .workEnd, name, .app, label, value)
  }

  private mutating func add(
    _ instant: Int64, _ writer: WriterID, _ verb: Verb, _ name: String, _ subject: Subject,
    _ label: String = "", _ value: Int64? = nil
  ) {
    queue.append(
      Event(
        instant: Instant(nanoseconds: instant), writer: writer, verb: verb,
        name: words.symbol(name), subject: subject, label: words.symbol(label), value: value))
  }

  private mutating func noise(_ limit: Int64) -> Int64 { Int64(random.next() >> 2) % limit }

  /// About log-normal: the median times two to the power of a sum of uniform numbers.
  private mutating func duration(medianNanoseconds median: Int64) -> Int64 {
    var exponent = 0.0
    for _ in 0..<6 { exponent += Double(random.next() >> 11) / Double(1 << 53) - 0.5 }
    var factor = 1.0
    let whole = exponent.rounded(.down)
    let fraction = exponent - whole
    for _ in 0..<Int(whole.magnitude) { factor = whole < 0 ? factor / 2 : factor * 2 }
    factor *= 1 + fraction * (0.6565 + fraction * 0.3435)
    return Int64(Double(median) * factor) + noise(1_000)
  }
}
