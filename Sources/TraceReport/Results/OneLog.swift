import LifecycleModel
import TraceAnalysis
import TraceText

/// What is known of one log alone, and has no place in what several logs show together.
struct OneLog: Hashable, Encodable, Sendable {
  /// A scene at the end.
  struct Scene: Hashable, Encodable, Sendable {
    var number: UInt32
    var activation: String
    var since: Int64
  }

  /// What is true at the end of the log.
  struct End: Hashable, Encodable, Sendable {
    /// The largest number of open things that is listed; an app that leaks them has tens of thousands.
    static let openListed = 100

    var at: Int64?
    var app: String?
    var since: Int64?
    var suspended: Bool
    var over: Bool
    var scenes: [Scene]
    /// The events that opened what was not closed.
    var open: [TimedEvent]
    var openLeftOut: Int
  }

  /// A turn of the story.
  struct Milestone: Hashable, Encodable, Sendable {
    var kind: String
    var state: String?
    var text: String
    var event: ReportedEvent
  }

  var name: String
  /// The app and its process, or else the log's file.
  var subject: String
  var title: String?
  var first: Int64?
  var last: Int64?
  var clock: WallClock?
  var awake: Nanoseconds
  var missingEvents: Int64
  var disorder: Int
  var profile: ReportedAttributes
  var milestones: [Milestone]
  var milestonesBefore: Int
  var milestonesLeftOut: Int
  var end: End
  var evidence: Evidence

  init(_ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ clock: WallClock?) {
    let clock = clock?.following(analysis)
    name = log
    let identification = LogIdentification(analysis, vocabulary, clock)
    let file = log.split(separator: "/").last.map(String.init) ?? log
    (subject, title) = (identification.subject ?? file, identification.line)
    first = analysis.extent?.lowerBound.nanoseconds
    last = analysis.extent?.upperBound.nanoseconds
    self.clock = clock
    awake = analysis.awake
    missingEvents = analysis.gaps.events
    disorder = analysis.disorder
    profile = ReportedAttributes(analysis.profile.attributes)

    milestones = TimelineWords(analysis, vocabulary).milestones
    milestonesBefore = analysis.milestones.first.count
    milestonesLeftOut = analysis.milestones.leftOut
    end = End(analysis, TraceNotation.Printer(vocabulary: vocabulary))
    evidence = Evidence(analysis)
  }
}

extension OneLog.End {
  fileprivate init(_ analysis: Analysis, _ printer: TraceNotation.Printer) {
    let state = analysis.state
    // What is recorded behind the end of a process is no part of its life.
    at = (state.processEnd?.event.instant ?? analysis.extent?.upperBound)?.nanoseconds
    app = state.app?.state.rawValue
    since = state.app?.since.event.instant.nanoseconds
    suspended = state.suspension != nil
    over = state.processEnd != nil

    scenes = state.scenes.map { scene in
      OneLog.Scene(
        number: scene.number, activation: scene.activation.rawValue,
        since: scene.since.event.instant.nanoseconds)
    }
    let facts = state.open.facts
    open = facts.prefix(Self.openListed).map { TimedEvent(event: ReportedEvent($0.event, printer)) }
    openLeftOut = max(0, facts.count - Self.openListed)
  }
}
