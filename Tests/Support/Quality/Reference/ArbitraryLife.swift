import LifecycleModel
import Traces

/// Makes traces of words that rules are about, in any order: an app in a fever.
///
/// Unlike ``ArbitraryTrace`` nearly every event concerns some rule, subjects and labels are few, times
/// are near the limits, and the profile lets most rules judge.
package struct ArbitraryLife {
  private var generator: SeededGenerator
  /// Chooses what is said in addition, so that it changes nothing else of a life.
  private var attributeGenerator: SeededGenerator
  private let vocabulary = Vocabulary()
  private let worker: WriterID
  private var now: Nanoseconds = 0

  /// Makes a maker; equal seeds give equal traces.
  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    attributeGenerator = SeededGenerator(seed: ~seed)
    worker = (try? vocabulary.writer("worker")) ?? .main
  }

  /// Makes a trace of `count` events that is ordered and numbered.
  package mutating func trace(count: Int) -> Trace {
    var trace = Trace(vocabulary: vocabulary)
    trace.events.append(profile())
    if !generator.oneIn(8) { trace.events.append(start()) }
    while trace.events.count < count { trace.events.append(event()) }
    trace.orderAndNumber()
    return trace
  }

  private mutating func profile() -> Event {
    let hooks = Hook.independent.filter { _ in !generator.oneIn(12) }.map(\.rawValue)
    let said: [(AttributeKey, String)] = [
      (.mode, pick(["app", "scene"])), (.os, pick(["11.4", "18.2", "26.0"])),
      (.launch, pick(["user", "push", "unknown"])), (.backgroundModes, pick(["none", "audio"])),
      (.sdk, pick(["18.0", "27.0"])), (.hooks, hooks.joined(separator: ",")),
      (.debugger, generator.oneIn(10) ? "true" : "false"),
    ]

    let kept = said.filter { _ in !generator.oneIn(20) }
    return Event(
      instant: Instant(nanoseconds: now), writer: .system, verb: .profile,
      attributes: vocabulary.attributes(kept.map { Attribute($0.0, $0.1) }))
  }

  private mutating func start() -> Event {
    let reason = pick(["user", "url", "push", "location", "bgtask", "prewarm", "unknown"])
    return Event(
      instant: Instant(nanoseconds: now), writer: .system, verb: .processStart, subject: .app,
      attributes: vocabulary.attributes([Attribute(.launch, reason)]))
  }

  private mutating func event() -> Event {
    now += pick([0, 1_000_000, 100_000_000, 400_000_000, 1_000_000_000, 3_000_000_000])
    if generator.oneIn(60) { now += pick([12_000_000_000, 31_000_000_000]) }
    var event = Event(instant: Instant(nanoseconds: now), writer: .main, verb: .note)
    switch Int.random(in: 0..<24, using: &generator) {
    case 0...4:
      fill(&event, [.call, .return], Callback.allCases.map(\.symbol))
      if event.name == Callback.sceneWillConnect.symbol {
        let role = generator.oneIn(3) ? nil : pick(["window", "external", "carplay"])
        event.attributes = connection(role)
      }
      if Self.ofSessions.contains(event.name), event.subjectKind == .app {
        event.subject = .session(UInt32.random(in: 1...2, using: &attributeGenerator))
      }
    case 5...7: fill(&event, [.notify, .observe, .observed], notifications)
    case 8...11: fill(&event, [.work, .workBegin, .workEnd], WorkCategory.allCases.map(\.symbol))
    case 12, 13:
      fill(&event, [.acquire, .release], Resource.allCases.map(\.symbol))
      event.attributes = vocabulary.attributes(said)
    case 14, 15:
      event.verb = pick([.taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired])
      event.subject = .task(UInt32.random(in: 1...2, using: &generator))
      if event.verb == .taskBegin { event.attributes = keeping }
    case 16: fill(&event, [.dataDirty, .dataSave], [.none])
    case 17:
      fill(&event, [.deliver, .complete], Delivery.allCases.map(\.symbol))
      event.value = [1, 2, nil].randomElement(using: &attributeGenerator) ?? nil
    case 18: fill(&event, [.snapshotBegin, .snapshotEnd], [.none])
    case 19: return transition(event)
    case 20: fill(&event, [.bgtaskRegister, .bgtaskLaunch], [vocabulary.symbol("refresh")])
    default: return system(event)
    }

    if generator.oneIn(25) { event.writer = pick([.system, worker]) }
    return event
  }

  private static let ofSessions: Set<Symbol> = Set(
    [Callback.applicationConfigurationForConnecting, .applicationDidDiscardSceneSessions]
      .map(\.symbol))

  /// What a connection says.
  private mutating func connection(_ role: String?) -> AttributesID {
    let session = ["1", "2", nil].randomElement(using: &attributeGenerator) ?? nil
    return vocabulary.attributes(
      (role.map { [Attribute(.role, $0)] } ?? [])
        + (session.map { [Attribute(.session, $0)] } ?? []))
  }

  /// The variable that keeps a task.
  private var keeping: AttributesID {
    mutating get {
      let holder = ["x", "y", nil].randomElement(using: &attributeGenerator) ?? nil
      return vocabulary.attributes(holder.map { [Attribute(.holder, $0)] } ?? [])
    }
  }

  /// What something that is held says of itself.
  private var said: [Attribute] {
    mutating get {
      let kind = ["a", "b", "c", nil].randomElement(using: &attributeGenerator) ?? nil
      let isSystems = attributeGenerator.oneIn(8)
      return (kind.map { [Attribute(.kind, $0)] } ?? [])
        + (isSystems ? [Attribute(.by, "system")] : [])
    }
  }

  private var notifications: [Symbol] { LifecycleNotification.allCases.map(\.symbol) }

  private mutating func fill(_ event: inout Event, _ verbs: [Verb], _ names: [Symbol]) {
    event.verb = pick(verbs)
    event.name = pick(names)
    event.subject = subject(event.name)
    event.label = generator.oneIn(3) ? vocabulary.symbol(pick(["a", "b"])) : .none
  }

  /// Mostly what the word is about.
  private mutating func subject(_ name: Symbol) -> Subject {
    let text = vocabulary.text(name)
    let scene = Subject.scene(UInt32.random(in: 1...2, using: &generator))
    if generator.oneIn(25) { return pick([.app, scene, .nil, .none]) }
    if text.hasPrefix("scene") || text.hasPrefix("UIScene") { return scene }
    if text.hasPrefix("application") || text.hasPrefix("UIApplication") { return .app }
    return generator.oneIn(2) ? .app : scene
  }

  private mutating func transition(_ event: Event) -> Event {
    var event = event
    event.verb = .state
    event.writer = .system
    if generator.oneIn(2) {
      event.subject = .app
      event.name = Transition(pick(AppState.allCases), pick(AppState.allCases)).symbol
    } else {
      event.subject = .scene(UInt32.random(in: 1...2, using: &generator))
      event.name = Transition(pick(SceneActivation.allCases), pick(SceneActivation.allCases)).symbol
    }
    return event
  }

  private mutating func system(_ event: Event) -> Event {
    var event = event
    event.writer = .system
    event.subject = .app
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...2: event.verb = .suspend
    case 3...6: event.verb = .resume
    case 7:
      event.verb = .kill
      event.attributes = vocabulary.attributes([
        Attribute(.code, pick(["0x8badf00d", "0xdead10cc"]))
      ])
    case 8: return generator.oneIn(4) ? profile() : start()
    default:
      event.verb = .gap
      event.subject = .none
      event.name = GapCause.ringFull.symbol
    }
    return event
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &generator)]
  }
}
