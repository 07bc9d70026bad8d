import LifecycleModel
import TraceAnalysis
import TraceText

/// A finding in words: it stands by itself, without the log's vocabulary.
///
/// All texts that are shown are inert: no control characters, and words that hold blanks or marks are
/// quoted as in notation.
public struct ToldFinding: Hashable, Codable, Sendable {
  /// Why somebody accepts it.
  public struct Suppression: Hashable, Codable, Sendable {
    /// Why.
    public var reason: String
    /// Where that is said, as `file:line`.
    public var place: String
  }

  /// What was true before the culprit, or at the deadline that passed.
  public struct State: Hashable, Codable, Sendable {
    /// The state of the app; `nil` when it was not known.
    public var app: String?
    /// The state of the scene that it is about; `nil` when it is about none, or it was not known.
    public var scene: String?
    /// Whether the process was suspended.
    public var suspended: Bool
    /// All of it in words.
    public var says: String
  }

  /// The log that it was found in, as it was named; `-` for standard input.
  public var log: String
  /// The place of the culprit in the log, from 1.
  public var ordinal: UInt64
  /// Its place among the findings of the log in the order in which they were made, from 1.
  public var number: Int
  /// The rule's slug.
  public var rule: String
  /// How much it matters: `error`, `warning` or `info`.
  public var severity: String
  /// What it is about: `app`, `scene:1` …; empty when there is none.
  public var subject: String
  /// What is wrong, in one sentence.
  public var message: String
  /// The same for the same bug in another log.
  public var fingerprint: String
  /// How often it happened in the same window.
  public var occurrences: Int
  /// What was true then; `nil` when nothing was known.
  public var state: State?
  /// The time that was taken; `nil` when the rule is not about time.
  public var elapsed: Nanoseconds?
  /// The time that was allowed.
  public var allowed: Nanoseconds?
  /// What shows it, in the order of its places.
  public var witnesses: [ToldWitness]
  /// What would have been legal; `nil` when that is not known.
  public var nearest: ToldNearest?
  /// The profile it was judged under, where that is not the one at the end of the log.
  public var profile: ToldAttributes?
  /// How it stands to a baseline: `new` or `known`; `nil` without one.
  public var baselineState: String?
  /// How the process ended that it explains, in a phrase; `nil` when it explains no end.
  public var ending: String?
  /// Why somebody accepts it; `nil` when nobody does.
  public var suppression: Suppression?
  /// What other rules found of the same cause.
  public var dependents: [ToldFinding]

  /// Whether it may make a command fail: nobody has accepted it, and no baseline has it.
  public var isCounted: Bool {
    suppression == nil && baselineState != Finding.BaselineState.known.rawValue
  }

  /// The event that is wrong.
  public var culprit: ToldWitness? { witnesses.first { $0.role == Finding.Role.culprit.rawValue } }

  /// The line of the log where it is; `nil` when the log is no text.
  public var sourceLine: Int? {
    culprit?.event?.sourceLine ?? witnesses.first?.event?.sourceLine
  }

  /// The line of the app's code where it is: that of the culprit, else of what opened its window;
  /// `nil` when the log does not say.
  var codeLocation: CodeLocation? {
    CodeLocation(culprit?.at)
      ?? witnesses.lazy.compactMap { CodeLocation($0.at) }.first
  }

  /// A finding of the log that is named so, whose events belong to `vocabulary`.
  ///
  /// `lines` are those of the events, when the log is a text; `profile` is the one at the end of the log.
  public init(
    _ finding: Finding, of log: String, _ vocabulary: Vocabulary, _ lines: EventLines? = nil,
    profile: Profile? = nil
  ) {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    self.log = log
    (ordinal, number) = (finding.ordinal, finding.number)
    rule = finding.rule
    severity = finding.severity.rawValue
    subject = finding.subject.description
    message = finding.message
    fingerprint = finding.fingerprint
    occurrences = finding.occurrences

    state = finding.state.map(State.init)
    (elapsed, allowed) = (finding.elapsed, finding.allowed)
    witnesses = finding.witnesses.compactMap { ToldWitness($0, printer, lines) }
    nearest = finding.nearest.map { nearest in
      ToldNearest(nearest, vocabulary, isMissing: finding.isNearestMissing(vocabulary))
    }

    if let profile, finding.profile != profile {
      self.profile = ToldAttributes(finding.profile.attributes)
    }
    baselineState = finding.baselineState?.rawValue
    suppression = finding.suppression.map { Suppression(reason: $0.reason, place: $0.place) }
    dependents = finding.dependents.map {
      ToldFinding($0, of: log, vocabulary, lines, profile: profile)
    }
  }
}

extension ToldFinding.State {
  fileprivate init(_ state: Finding.State) {
    (app, scene) = (state.app?.rawValue, state.scene?.rawValue)
    (suspended, says) = (state.isSuspended, state.description)
  }
}
