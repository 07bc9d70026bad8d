import LifecycleModel
import Platform

/// Makes the trace of a well-behaved app with one scene, as long as one likes: for benchmarks, and
/// as a trace in which no rule must find anything.
///
/// The app is launched, and goes through cycles of use, interruption, background and suspension;
/// four threads record callbacks with log-normal durations, notifications, timers, network and
/// database work, locks, tasks and samples, to the nanosecond. About one event in six carries a value.
public struct AppWorkload: EventStream {
  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  private var generator: SeededGenerator
  private var remaining: Int
  private var numbering = SequenceNumbering()
  private var now: Nanoseconds = 0
  private var pending: [Event] = []
  private var isLaunched = false
  private var nextTask: UInt32 = 1
  private var memory: Int64 = 80 << 20
  private let words: Words

  /// The writers and labels of the app.
  private struct Words {
    let worker: WriterID
    let network: WriterID
    let database: WriterID
    let timers: [(label: Symbol, period: Nanoseconds)]
    let endpoints: [Symbol]
    let files: [Symbol]
    let queues: [Symbol]
    let observers: [Symbol]
    let restoration: Symbol
    let balance: Symbol
    let question: Symbol
    let sensitive: AttributesID
    let alert: AttributesID
    let kept: AttributesID
  }

  /// Makes a workload of at least `count` events; equal seeds give equal traces.
  public init(count: Int, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    remaining = count
    let vocabulary = vocabulary
    func writer(_ name: String) -> WriterID { (try? vocabulary.writer(name)) ?? .main }
    words = Words(
      worker: writer("worker"), network: writer("network"), database: writer("db"),
      timers: [
        (vocabulary.symbol("clock"), .milliseconds(1000)),
        (vocabulary.symbol("animation"), .milliseconds(60)),
        (vocabulary.symbol("autosave"), .milliseconds(250)),
      ],
      endpoints: (0..<40).map { vocabulary.symbol("/v1/items/\($0)") },
      files: (0..<6).map { vocabulary.symbol("notes-\($0).db") },
      queues: (0..<12).map { vocabulary.symbol("queue.\($0)") },
      observers: (0..<3).map { vocabulary.symbol("Observer\($0)") },
      restoration: vocabulary.symbol("restoration"), balance: vocabulary.symbol("balance"),
      question: vocabulary.symbol("Delete?"),
      sensitive: vocabulary.attributes([Attribute(.kind, "sensitive")]),
      alert: vocabulary.attributes([Attribute(.kind, "alert")]),
      kept: vocabulary.attributes([Attribute(.handler, "true"), Attribute(.holder, "saveTask")]))
  }

  /// Replaces the contents of `events` by the next cycle of the app; false at the end.
  public mutating func read(into events: inout [Event]) -> Bool {
    events.removeAll(keepingCapacity: true)
    if remaining <= 0 { return false }
    while events.count < 8192 && remaining > 0 {
      if isLaunched { cycle() } else { launch() }
      pending.sort { $0.instant < $1.instant }
      for var event in pending {
        numbering.number(&event, in: vocabulary)
        events.append(event)
      }
      remaining -= pending.count
      pending.removeAll(keepingCapacity: true)
    }
    return true
  }

  // MARK: Phases

  private mutating func launch() {
    isLaunched = true
    var profile = event(.profile, writer: .system)
    profile.attributes = vocabulary.attributes([
      Attribute(.mode, "scene"), Attribute(.platform, "ios"), Attribute(.os, "18.2"),
      Attribute(.launch, "user"), Attribute(.backgroundModes, "none"),
      Attribute(.hooks, Hook.independent.map(\.rawValue).joined(separator: ",")),
      Attribute(.clock, "monotonic"),
    ])

    pending.append(profile)
    pending.append(event(.processStart, subject: .app, writer: .system))
    now += .milliseconds(40)
    call(.applicationWillFinishLaunching, .app, medianMicroseconds: 900)
    call(.applicationDidFinishLaunching, .app, medianMicroseconds: 90_000)
    post(.applicationDidFinishLaunching, .app)
    call(.sceneWillConnect, scene, medianMicroseconds: 20_000)
    post(.sceneWillConnect, scene)
  }

  private var scene: Subject { .scene(1) }

  private mutating func cycle() {
    showViews()
    call(.sceneWillEnterForeground, scene, medianMicroseconds: 700)
    post(.sceneWillEnterForeground, scene)
    post(.applicationWillEnterForeground, .app)
    activate()

    while generator.oneIn(3) {
      use(seconds: logNormal(median: 6))
      deactivate()
      now += nanoseconds(logNormal(median: 1.5))
      activate()
    }

    use(seconds: logNormal(median: 20))
    hideViews()
    deactivate()
    now += nanoseconds(logNormal(median: 0.3))
    enterBackground()
  }

  private mutating func activate() {
    call(.sceneDidBecomeActive, scene, medianMicroseconds: 400)
    post(.sceneDidActivate, scene)
    post(.applicationDidBecomeActive, .app)
  }

  private mutating func deactivate() {
    call(.sceneWillResignActive, scene, medianMicroseconds: 500)
    post(.sceneWillDeactivate, scene)
    post(.applicationWillResignActive, .app)
  }

  private mutating func enterBackground() {
    let task = Subject.task(nextTask)
    nextTask += 1
    var begin = event(.taskBegin, subject: task, label: words.files[0])
    begin.attributes = words.kept
    pending.append(begin)
    call(.sceneDidEnterBackground, scene, medianMicroseconds: 4000)
    post(.sceneDidEnterBackground, scene)
    post(.applicationDidEnterBackground, .app)
    save(at: now)
    now += nanoseconds(logNormal(median: 0.4)) + .milliseconds(900)
    pending.append(event(.taskEnd, subject: task, label: words.files[0]))
    now += .milliseconds(3)
    pending.append(event(.snapshotBegin, subject: scene, writer: .system))
    now += nanoseconds(logNormal(median: 0.04))
    pending.append(event(.snapshotEnd, subject: scene, writer: .system))
    now += nanoseconds(logNormal(median: 2))
    pending.append(event(.suspend, subject: .app, writer: .system))
    now += nanoseconds(logNormal(median: 90))
    pending.append(event(.resume, subject: .app, writer: .system))
    now += .milliseconds(2)
  }

  /// The app says which views are sensitive or alerts, and that its state is to be restored.
  private mutating func showViews() {
    pending.append(event(.dataDirty, subject: scene, label: words.restoration))
    for (label, kind) in [(words.balance, words.sensitive), (words.question, words.alert)] {
      var shown = event(.acquire, Resource.other.symbol, subject: scene, label: label)
      shown.attributes = kind
      pending.append(shown)
    }
  }

  private mutating func hideViews() {
    for label in [words.question, words.balance] {
      pending.append(event(.release, Resource.other.symbol, subject: scene, label: label))
    }
    pending.append(event(.dataSave, subject: scene, label: words.restoration))
  }

  /// What the app does while it is active.
  private mutating func use(seconds: Double) {
    let start = now
    let end = start + nanoseconds(min(seconds, 120))
    for timer in words.timers {
      var at = start + jittered(timer.period)
      while at < end {
        pending.append(work(.timer, label: timer.label, at: at))
        at += jittered(timer.period)
      }
    }

    repeatedly(perSecond: 8, start, end) { $0.pending.append($0.work(.frame, at: $1)) }
    repeatedly(perSecond: 3, start, end) { $0.pending.append($0.work(.input, at: $1)) }
    repeatedly(perSecond: 3, start, end) { $0.request(at: $1, before: end) }
    repeatedly(perSecond: 2, start, end) { $0.dispatch(at: $1, before: end) }
    repeatedly(perSecond: 0.4, start, end - .seconds(1)) { $0.save(at: $1) }
    repeatedly(perSecond: 1, start, end) { $0.sampleMemory(at: $1) }
    now = end + .milliseconds(5)
  }

  private mutating func request(at start: Nanoseconds, before end: Nanoseconds) {
    let label = pick(words.endpoints)
    let bytes = Int64(logNormal(median: 12_000))
    let stop = min(end, start + nanoseconds(logNormal(median: 0.12)))
    for (verb, at) in [(Verb.workBegin, start), (.workEnd, stop)] {
      pending.append(
        event(
          verb, WorkCategory.network.symbol, subject: .app, label: label, value: bytes,
          writer: words.network, at: at))
    }
  }

  private mutating func dispatch(at start: Nanoseconds, before end: Nanoseconds) {
    let label = pick(words.queues)
    let name = WorkCategory.other.symbol
    let begin = min(end, start + nanoseconds(logNormal(median: 0.0001)))
    let stop = min(end, begin + nanoseconds(logNormal(median: 0.003)))
    pending.append(work(.dispatch, label: label, at: start))
    for (verb, at) in [(Verb.workBegin, begin), (.workEnd, stop)] {
      pending.append(
        event(verb, name, subject: .app, label: label, writer: words.worker, at: at))
    }
  }

  private mutating func save(at start: Nanoseconds) {
    let label = pick(words.files)
    let bytes = Int64(logNormal(median: 40_000))
    let lock = Resource.lock.symbol
    let name = WorkCategory.save.symbol
    let steps: [(verb: Verb, name: Symbol, value: Int64?)] = [
      (.dataDirty, .none, nil), (.acquire, lock, nil), (.workBegin, name, bytes),
      (.workEnd, name, bytes), (.release, lock, nil), (.dataSave, .none, nil),
    ]
    var at = start

    for step in steps {
      pending.append(
        event(
          step.verb, step.name, subject: .app, label: label, value: step.value,
          writer: words.database, at: at))
      at += min(.milliseconds(100), nanoseconds(logNormal(median: 0.002)))
    }
  }

  private mutating func sampleMemory(at instant: Nanoseconds) {
    memory += Int64.random(in: -400_000...420_000, using: &generator)
    pending.append(
      event(.sample, SampledValue.memory.symbol, subject: .app, value: memory, at: instant))
  }

  // MARK: Events

  private mutating func call(
    _ callback: Callback, _ subject: Subject, medianMicroseconds: Double
  ) {
    pending.append(event(.call, callback.symbol, subject: subject))
    now += min(.seconds(2), nanoseconds(logNormal(median: medianMicroseconds / 1_000_000)))
    pending.append(event(.return, callback.symbol, subject: subject))
    now += Int64.random(in: 2000...40_000, using: &generator)
  }

  private mutating func post(_ notification: LifecycleNotification, _ subject: Subject) {
    pending.append(event(.notify, notification.symbol, subject: subject))
    for observer in words.observers {
      now += Int64.random(in: 500...5000, using: &generator)
      pending.append(event(.observe, notification.symbol, subject: subject, label: observer))
      now += min(.milliseconds(200), nanoseconds(logNormal(median: 0.0001)))
      pending.append(event(.observed, notification.symbol, subject: subject, label: observer))
    }
    now += Int64.random(in: 2000...40_000, using: &generator)
  }

  private func work(
    _ category: WorkCategory, label: Symbol = .none, at instant: Nanoseconds
  ) -> Event {
    event(.work, category.symbol, subject: scene, label: label, at: instant)
  }

  private func event(
    _ verb: Verb, _ name: Symbol = .none, subject: Subject = .none, label: Symbol = .none,
    value: Int64? = nil, writer: WriterID = .main, at instant: Nanoseconds? = nil
  ) -> Event {
    Event(
      instant: Instant(nanoseconds: instant ?? now), writer: writer, verb: verb, name: name,
      subject: subject, label: label, value: value)
  }

  // MARK: Chance

  /// Happens at random instants, so many times a second.
  private mutating func repeatedly(
    perSecond rate: Double, _ start: Nanoseconds, _ end: Nanoseconds,
    _ body: (inout AppWorkload, Nanoseconds) -> Void
  ) {
    var at = start + nanoseconds(exponential(rate))
    while at < end {
      body(&self, at)
      at += nanoseconds(exponential(rate))
    }
  }

  private mutating func exponential(_ rate: Double) -> Double {
    -log(Double.random(in: .ulpOfOne..<1, using: &generator)) / rate
  }

  private mutating func logNormal(median: Double) -> Double {
    let radius = (-2 * log(Double.random(in: .ulpOfOne..<1, using: &generator))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &generator)
    return median * exp(0.8 * radius * cos(angle))
  }

  private mutating func jittered(_ period: Nanoseconds) -> Nanoseconds {
    period + Nanoseconds.random(in: 0...period / 50, using: &generator)
  }

  private func nanoseconds(_ seconds: Double) -> Nanoseconds {
    Nanoseconds(seconds * 1_000_000_000)
  }

  private mutating func pick(_ symbols: [Symbol]) -> Symbol {
    symbols[Int.random(in: symbols.indices, using: &generator)]
  }
}
