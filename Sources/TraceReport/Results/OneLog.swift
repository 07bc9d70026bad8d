import LifecycleModel
import TraceAnalysis
import TraceText

/// What is known of one log alone, and has no place in what several logs show together.
public struct OneLog: Hashable, Codable, Sendable {
  /// A scene at the end.
  public struct Scene: Hashable, Codable, Sendable {
    /// Its number.
    public var number: UInt32
    /// Its state.
    public var activation: String
    /// The instant since which it has been in it.
    public var since: Int64
  }

  /// Something that was opened and not closed.
  public struct Open: Hashable, Codable, Sendable {
    /// The event that opened it.
    public var event: ToldEvent
  }

  /// What is true at the end of the log.
  public struct End: Hashable, Codable, Sendable {
    /// So many open things are told; an app that leaks them has tens of thousands.
    static let openTold = 100

    /// The instant; `nil` without events.
    public var at: Int64?
    /// The state of the app; `nil` when it is not known.
    public var app: String?
    /// The instant since which it has been in it.
    public var since: Int64?
    /// Whether the process is suspended.
    public var suspended: Bool
    /// Whether the process has ended.
    public var over: Bool
    /// The scenes.
    public var scenes: [Scene]
    /// What is open, the first hundred.
    public var open: [Open]
    /// How much more is open.
    public var openLeftOut: Int
  }

  /// A turn of the story.
  public struct Milestone: Hashable, Codable, Sendable {
    /// What kind of turn it is, such as `scene-connected`.
    public var kind: String
    /// The state of the app that it brought; `nil` for other turns.
    public var state: String?
    /// What happened, in words.
    public var text: String
    /// The event that brought it about.
    public var event: ToldEvent
  }

  /// The log's name, as findings have it.
  public var name: String
  /// What it is about, in a line: the app, its processes, the system, and when that was; `nil` where
  /// nothing of it is known.
  public var title: String?
  /// The instant of the first event; `nil` without events.
  public var first: Int64?
  /// The instant of the last event.
  public var last: Int64?
  /// What it knows of the wall clock; `nil` when that is nothing.
  public var clock: WallClock?
  /// For how long processes could run code.
  public var awake: Nanoseconds
  /// How many events are known to be missing in gaps.
  public var missingEvents: Int64
  /// How many events stand behind a later instant: a clock went back.
  public var disorder: Int
  /// The profile that holds at the end.
  public var profile: ToldAttributes
  /// What happened to the app, in its main turns.
  public var milestones: [Milestone]
  /// How many of them are the first ones; milestones are left out behind these.
  public var milestonesBefore: Int
  /// How many milestones are left out.
  public var milestonesLeftOut: Int
  /// What is true at the end.
  public var end: End
  /// What the log lacks, and what would let more rules judge.
  public var evidence: Evidence

  init(_ analysis: Analysis, of log: String, _ vocabulary: Vocabulary, _ clock: WallClock?) {
    let clock = clock?.following(analysis)
    name = log
    title = LogIdentification(analysis, vocabulary, clock).line
    first = analysis.extent?.lowerBound.nanoseconds
    last = analysis.extent?.upperBound.nanoseconds
    self.clock = clock
    awake = analysis.awake
    missingEvents = analysis.gaps.events
    disorder = analysis.disorder
    profile = ToldAttributes(analysis.profile.attributes)

    milestones = StoryWords(analysis, vocabulary).milestones
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
    open = facts.prefix(Self.openTold).map { OneLog.Open(event: ToldEvent($0.event, printer)) }
    openLeftOut = max(0, facts.count - Self.openTold)
  }
}
