import LifecycleModel
import TraceLog

/// Logs in which many things of one kind are open at once, to see what each of them costs then.
///
/// Those of the first line end, too; the others stay.
enum OpenThings: String, CaseIterable {
  case scenes, tasks, calls, locks, sockets, labels
  case listeners, launches, discards, early, expired, callbacks, timers, verbs, writers, gaps, data,
    deliveries, sessions, processes

  /// Events that come while all is open.
  private static let between = 100_000

  /// Writes a log in which `count` things begin, other things happen, and those end.
  func write(_ count: Int, to path: String) throws {
    let vocabulary = Vocabulary()
    let writer = try LogWriter(
      to: FileLogSink(path: path, .replace), vocabulary: vocabulary)
    var numbering = SequenceNumbering()
    var now: Nanoseconds = 0
    func add(_ event: Event) throws {
      var event = event
      now += .milliseconds(1) / 10
      event.instant = Instant(nanoseconds: now)
      numbering.number(&event, in: vocabulary)
      try writer.append(CollectionOfOne(event))
    }

    for event in OpenThings.launch(vocabulary) { try add(event) }
    for number in 1...count { for event in try begin(number, vocabulary) { try add(event) } }
    let labels = (0..<40).map { vocabulary.symbol("timer \($0)") }
    for number in 0..<OpenThings.between {
      try add(
        OpenThings.event(
          .work, WorkCategory.timer.symbol, .scene(1), label: labels[number % labels.count]))
    }
    for number in (1...count).reversed() {
      for event in end(number, vocabulary) { try add(event) }
    }
    try writer.close()
  }

  private static func event(
    _ verb: Verb, _ name: Symbol = .none, _ subject: Subject, label: Symbol = .none,
    writer: WriterID = .main
  ) -> Event {
    Event(
      instant: .origin, writer: writer, verb: verb, name: name, subject: subject, label: label)
  }

  /// The app's start, with one active scene.
  private static func launch(_ vocabulary: Vocabulary) -> [Event] {
    var profile = event(.profile, .none, .none, writer: .system)
    profile.attributes = vocabulary.attributes([
      Attribute(.mode, "scene"), Attribute(.platform, "ios"), Attribute(.os, "18.2"),
      Attribute(.launch, "user"), Attribute(.backgroundModes, "none"),
      Attribute(.hooks, Hook.independent.map(\.rawValue).joined(separator: ",")),
    ])
    return [profile, event(.processStart, .none, .app, writer: .system)]
      + calls([.applicationDidFinishLaunching], .app) + calls(shown, .scene(1))
  }

  private static let shown: [Callback] = [
    .sceneWillConnect, .sceneWillEnterForeground, .sceneDidBecomeActive,
  ]

  private static func calls(_ callbacks: [Callback], _ subject: Subject) -> [Event] {
    callbacks.flatMap { callback in
      [Verb.call, .return].map { event($0, callback.symbol, subject) }
    }
  }

  private func begin(_ number: Int, _ vocabulary: Vocabulary) throws -> [Event] {
    let scene = Subject.scene(UInt32(number + 1))
    let label = vocabulary.symbol("thing \(number)")
    return switch self {
    case .scenes: OpenThings.calls(OpenThings.shown, scene)
    case .tasks: [OpenThings.event(.taskBegin, .none, .task(UInt32(number)), label: label)]
    case .calls: [OpenThings.event(.call, Callback.sceneWillConnect.symbol, scene)]
    case .locks, .sockets: [OpenThings.event(.acquire, resource, .app, label: label)]
    case .labels: [OpenThings.event(.workBegin, WorkCategory.load.symbol, .app, label: label)]
    default: try stay(number, label, vocabulary)
    }
  }

  /// What stays open, or leaves something behind.
  private func stay(
    _ number: Int, _ label: Symbol, _ vocabulary: Vocabulary
  ) throws -> [Event] {
    typealias Kind = OpenThings
    let scene = Subject.scene(UInt32(number + 1))
    let task = Subject.task(UInt32(number))
    switch self {
    case .listeners:
      var event = Kind.event(.acquire, Resource.socket.symbol, .app, label: label)
      event.attributes = vocabulary.attributes([Attribute(.kind, "listening")])
      return [event]
    case .launches:
      return [Verb.bgtaskRegister, .bgtaskLaunch].map { Kind.event($0, label, .app) }
    case .discards: return Kind.calls([.sceneWillConnect, .sceneDidDisconnect], scene)
    case .early: return [Kind.event(.taskBegin, .none, task)]
    case .expired:
      let begin = Kind.event(.taskBegin, .none, task, label: label)
      return [begin, Kind.event(.taskExpire, .none, task)]
    case .callbacks: return [Kind.event(.call, Callback.sceneDidBecomeActive.symbol, scene)]
    case .timers: return [Kind.event(.work, WorkCategory.timer.symbol, .app, label: label)]
    case .data: return [Kind.event(.dataDirty, .none, .app, label: label)]
    case .deliveries: return [Kind.event(.deliver, Delivery.push.symbol, .app, label: label)]
    case .sessions:
      let session = Subject.session(UInt32(number))
      return Kind.calls([.applicationConfigurationForConnecting], session)
    default: return [try role(number, label, vocabulary)]
    }
  }

  /// An event of its own writer or verb, of a process of its own, or one that is missing.
  private func role(_ number: Int, _ label: Symbol, _ vocabulary: Vocabulary) throws -> Event {
    let timer = WorkCategory.timer.symbol
    switch self {
    case .verbs:
      let verb = try vocabulary.verb("later.\(number % 190)")
      return OpenThings.event(verb, .none, .app, label: label)
    case .writers:
      let writer = try vocabulary.writer("thread \(number % 65_000)")
      return OpenThings.event(.work, timer, .app, writer: writer)
    case .gaps: return Gap(.ringFull).event(at: .origin, in: vocabulary)
    default: return OpenThings.event(.processStart, .none, .app, writer: .system)
    }
  }

  private func end(_ number: Int, _ vocabulary: Vocabulary) -> [Event] {
    let scene = Subject.scene(UInt32(number + 1))
    let label = vocabulary.symbol("thing \(number)")
    return switch self {
    case .scenes: OpenThings.calls([.sceneWillResignActive, .sceneDidEnterBackground], scene)
    case .tasks: [OpenThings.event(.taskEnd, .none, .task(UInt32(number)), label: label)]
    case .calls: [OpenThings.event(.return, Callback.sceneWillConnect.symbol, scene)]
    case .locks, .sockets: [OpenThings.event(.release, resource, .app, label: label)]
    case .labels: [OpenThings.event(.workEnd, WorkCategory.load.symbol, .app, label: label)]
    default: []
    }
  }

  private var resource: Symbol { (self == .locks ? Resource.lock : .socket).symbol }
}
