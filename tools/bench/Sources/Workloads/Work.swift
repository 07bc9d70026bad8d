import LifecycleModel

/// Makes the trace of a well-behaved app with one scene, as long as one likes: for benchmarks, and
/// as a trace in which no rule must find anything.
///
/// The app is launched, and goes through cycles of use, interruption, background and suspension;
/// four threads record callbacks with log-normal durations, notifications, timers, network and
/// database work, locks, tasks and samples, to the nanosecond. About one event in six carries a value.
public struct AppWorkload: EventStream {
  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  private var use: Use
  private var remaining: Int
  private var numbering = SequenceNumbering()
  private var now: Nanoseconds = 0
  private var pending: [Event] = []
  private var isLaunched = false
  private var nextTask: UInt32 = 1
  private let words: Words

  /// The labels and attributes of the app.
  private struct Words {
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
    use = Use(vocabulary, seed: seed)
    remaining = count
    let vocabulary = vocabulary
    words = Words(
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

    while use.chance.oneIn(3) {
      stayActive(seconds: use.chance.logNormal(median: 6))
      deactivate()
      now += nanoseconds(use.chance.logNormal(median: 1.5))
      activate()
    }

    stayActive(seconds: use.chance.logNormal(median: 20))
    hideViews()
    deactivate()
    now += nanoseconds(use.chance.logNormal(median: 0.3))
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
    var begin = event(.taskBegin, subject: task, label: use.files[0])
    begin.attributes = words.kept
    pending.append(begin)
    call(.sceneDidEnterBackground, scene, medianMicroseconds: 4000)
    post(.sceneDidEnterBackground, scene)
    post(.applicationDidEnterBackground, .app)
    use.save(&pending, at: now)
    now += nanoseconds(use.chance.logNormal(median: 0.4)) + .milliseconds(900)
    pending.append(event(.taskEnd, subject: task, label: use.files[0]))
    now += .milliseconds(3)
    pending.append(event(.snapshotBegin, subject: scene, writer: .system))
    now += nanoseconds(use.chance.logNormal(median: 0.04))
    pending.append(event(.snapshotEnd, subject: scene, writer: .system))
    now += nanoseconds(use.chance.logNormal(median: 2))
    pending.append(event(.suspend, subject: .app, writer: .system))
    now += nanoseconds(use.chance.logNormal(median: 90))
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
  private mutating func stayActive(seconds: Double) {
    let end = now + nanoseconds(min(seconds, 120))
    use.fill(&pending, from: now, to: end, [scene])
    now = end + .milliseconds(5)
  }

  // MARK: Events

  private mutating func call(
    _ callback: Callback, _ subject: Subject, medianMicroseconds: Double
  ) {
    pending.append(event(.call, callback.symbol, subject: subject))
    now += min(
      .seconds(2), nanoseconds(use.chance.logNormal(median: medianMicroseconds / 1_000_000)))
    pending.append(event(.return, callback.symbol, subject: subject))
    now += Int64.random(in: 2000...40_000, using: &use.chance)
  }

  private mutating func post(_ notification: LifecycleNotification, _ subject: Subject) {
    pending.append(event(.notify, notification.symbol, subject: subject))
    for observer in words.observers {
      now += Int64.random(in: 500...5000, using: &use.chance)
      pending.append(event(.observe, notification.symbol, subject: subject, label: observer))
      now += min(.milliseconds(200), nanoseconds(use.chance.logNormal(median: 0.0001)))
      pending.append(event(.observed, notification.symbol, subject: subject, label: observer))
    }
    now += Int64.random(in: 2000...40_000, using: &use.chance)
  }

  private func event(
    _ verb: Verb, _ name: Symbol = .none, subject: Subject = .none, label: Symbol = .none,
    value: Int64? = nil, writer: WriterID = .main, at instant: Nanoseconds? = nil
  ) -> Event {
    Event(
      instant: Instant(nanoseconds: instant ?? now), writer: writer, verb: verb, name: name,
      subject: subject, label: label, value: value)
  }
}
