import LifecycleModel
import TraceAnalysis
import TraceText

/// What is known of one log alone, and has no place in what several logs show together.
package struct OneLog: Hashable, Encodable, Sendable {
  /// A scene at the end.
  package struct Scene: Hashable, Encodable, Sendable {
    package var number: UInt32
    package var activation: SceneActivation
    package var since: Instant
  }

  /// What is true at the end of the log.
  package struct End: Hashable, Encodable, Sendable {
    /// The largest number of open things that is listed; an app that leaks them has tens of thousands.
    static let openListed = 100

    package var at: Instant?
    package var app: AppState?
    package var since: Instant?
    package var suspended: Bool
    package var over: Bool
    package var scenes: [Scene]
    /// The events that opened what was not closed.
    package var open: [TimedEvent]
    package var openLeftOut: Int
  }

  /// A turn of the story.
  package struct Milestone: Hashable, Encodable, Sendable {
    package var kind: String
    package var state: String?
    package var text: String
    package var event: ReportedEvent
  }

  package var name: String
  /// The app and its process, or else the log's file.
  package var subject: String
  package var title: String?
  package var first: Instant?
  package var last: Instant?
  package var clock: WallClock?
  package var awake: Nanoseconds
  package var missingEvents: Int64
  package var disorder: Int
  package var profile: ReportedAttributes
  package var milestones: [Milestone]
  package var milestonesBefore: Int
  package var milestonesLeftOut: Int
  package var end: End
  package var evidence: Evidence

  /// The time from its first event to its last.
  package var length: Nanoseconds { (last ?? .origin).since(first ?? .origin) }

  init(_ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ clock: WallClock?) {
    let clock = clock?.following(analysis)
    name = log
    let identification = LogIdentification(analysis, vocabulary, clock)
    let file = log.split(separator: "/").last.map(String.init) ?? log
    (subject, title) = (identification.subject ?? file, identification.line)
    (first, last) = (analysis.extent?.lowerBound, analysis.extent?.upperBound)
    self.clock = clock
    awake = analysis.awake
    missingEvents = analysis.gaps.events
    disorder = analysis.disorder
    profile = ReportedAttributes(list: analysis.profile.attributes)

    milestones = TimelineWords(analysis: analysis, vocabulary: vocabulary).milestones
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
    at = state.processEnd?.event.instant ?? analysis.extent?.upperBound
    (app, since) = (state.app?.state, state.app?.since.event.instant)
    suspended = state.suspension != nil
    over = state.processEnd != nil

    scenes = state.scenes.map { scene in
      OneLog.Scene(
        number: scene.number, activation: scene.activation, since: scene.since.event.instant)
    }
    let facts = state.open.facts
    open = facts.prefix(Self.openListed).map { TimedEvent(event: ReportedEvent($0.event, printer)) }
    openLeftOut = max(0, facts.count - Self.openListed)
  }
}
