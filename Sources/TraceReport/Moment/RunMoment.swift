import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

/// What was true at a moment of a run: states, what was open and for how long, and what came before and
/// after.
package struct RunMoment: Hashable, Encodable, Sendable {
  /// The name of the form, in JSON.
  static let schema = "tracectl-moment"
  /// At most this many open spans are listed; an app that leaks them has tens of thousands.
  static let openTold = 100

  /// The process that runs, or ran last.
  struct Process: Hashable, Encodable, Sendable {
    var pid: String?
    var since: Instant?
    var ended: Instant?
  }

  /// The state of the app or of a scene.
  struct State: Hashable, Encodable, Sendable {
    var scene: UInt32?
    var state: String
    var since: Instant
    /// Whether events are missing since then, so that it may be another.
    var uncertain: Bool
  }

  /// Something that is open.
  struct Open: Hashable, Encodable, Sendable {
    var event: ReportedEvent
    /// The time in which the process could run code since the event, in nanoseconds.
    var age: Nanoseconds
    /// The time that the system allows; `nil` where no number is known.
    var allowed: Nanoseconds?
    /// How much of it is left; negative when it is over.
    var left: Nanoseconds?
    var uncertain: Bool

    /// What is left of its time in words: `4.2s left of 5s`; `nil` where no number is known.
    var rest: String? {
      guard let allowed, let left else { return nil }
      let limit = TimeText.span(allowed)
      return left < 0
        ? "\(TimeText.span(-left)) over the limit of \(limit)"
        : "\(TimeText.span(left)) left of \(limit)"
    }
  }

  var schema = RunMoment.schema
  var version = 1
  /// The instant.
  var t: Instant
  /// Where what is known ends, when that is before the moment: the process or the log ends there, and the
  /// rest is what was true then.
  var knownUntil: Instant?
  /// The event that is the moment; `nil` of an instant.
  var event: ReportedEvent?
  var process: Process
  var app: State?
  var scenes: [State]
  /// Since when the process is suspended; `nil` while it runs.
  var suspended: Instant?
  /// What is open, oldest first.
  var open: [Open]
  var openLeftOut: Int
  /// The last event of each writer up to the moment, and the first behind it.
  var last: [ReportedEvent]
  var next: [ReportedEvent]
  /// The losses between them.
  var gaps: [ReportedEvent]

  /// `end` is the last instant of a log that ends before the moment.
  init(
    at moment: Instant, _ event: Event?, _ state: LifecycleState, end: Instant? = nil,
    last: [Event], next: [Event], gaps: [Event] = [], _ vocabulary: Vocabulary
  ) {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    t = moment
    let instant = min(moment, state.processEnd?.event.instant ?? end ?? moment)
    if instant < moment { knownUntil = instant }
    self.event = event.map { ReportedEvent($0, printer) }
    let profile = Profile(
      state.profile.map { vocabulary.attributes($0.event.attributes) } ?? [])
    let start = state.processStart.map { vocabulary.attributes($0.event.attributes) }
    process = Process(
      pid: start?[.pid] ?? profile.attributes[.pid],
      since: state.processStart?.event.instant, ended: state.processEnd?.event.instant)

    func known(_ word: String, of scene: UInt32? = nil, since begin: OpenEvent) -> State {
      State(
        scene: scene, state: word, since: begin.event.instant,
        uncertain: !state.isCertain(begin))
    }
    app = state.app.map { known($0.state.rawValue, since: $0.since) }
    scenes = state.scenes.map { known($0.activation.rawValue, of: $0.number, since: $0.since) }
    suspended = state.suspension?.event.instant

    let facts = state.open.facts
    open = facts.prefix(RunMoment.openTold).map { fact in
      Open(fact, at: instant, state, profile, printer)
    }
    openLeftOut = facts.count - open.count
    self.last = last.map { ReportedEvent($0, printer) }
    self.next = next.map { ReportedEvent($0, printer) }
    self.gaps = gaps.map { ReportedEvent($0, printer) }
  }
}

extension RunMoment.Open {
  fileprivate init(
    _ fact: OpenEvent, at instant: Instant, _ state: LifecycleState, _ profile: Profile,
    _ printer: TraceNotation.Printer
  ) {
    event = ReportedEvent(fact.event, printer)
    age = state.awake(since: fact, at: instant)
    uncertain = !state.isCertain(fact)
    allowed = Allowances.limit(ofSpanOpenedBy: fact.event, profile)
    left = allowed.map { $0 - RunMoment.Open.used(of: fact, at: instant, state) }
  }

  /// How much of its time it has used: a background task uses none on screen.
  private static func used(
    of fact: OpenEvent, at instant: Instant, _ state: LifecycleState
  ) -> Nanoseconds {
    guard fact.event.verb == .taskBegin else { return state.awake(since: fact, at: instant) }
    guard let app = state.app, app.state == .background else { return 0 }
    let later = app.since.ordinal > fact.ordinal ? app.since : fact
    return state.awake(since: later, at: instant)
  }
}
