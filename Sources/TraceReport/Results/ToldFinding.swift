import LifecycleModel
import TraceAnalysis
import TraceText

/// A finding in words: it stands by itself, without the log's vocabulary.
///
/// All texts are inert: no control characters, and words that hold blanks or marks are quoted as in
/// notation.
public struct ToldFinding: Hashable, Codable, Sendable {
  /// Why somebody accepts it.
  public struct Suppression: Hashable, Codable, Sendable {
    /// Why.
    public var reason: String
    /// Where that is said, as `file:line`.
    public var place: String
  }

  /// The log that it was found in, as it was named; `-` for standard input.
  public var log: String
  /// The place of the culprit in the log, from 1.
  public var ordinal: UInt64
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
  /// The time that was taken; `nil` when the rule is not about time.
  public var elapsed: Nanoseconds?
  /// The time that was allowed.
  public var allowed: Nanoseconds?
  /// What shows it, in the order of its places.
  public var witnesses: [ToldWitness]
  /// What would have been legal, a line each.
  public var nearest: [String]
  /// Whether that is no more than what the missing witnesses say; `nil` when it is not.
  public var nearestIsMissing: Bool?
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
  public var sourceLine: Int? { culprit?.sourceLine ?? witnesses.first?.sourceLine }

  /// The line of the app's code where it is: that of the culprit, else of what opened its window;
  /// `nil` when the log does not say.
  var codeLocation: CodeLocation? {
    CodeLocation(culprit?.at)
      ?? witnesses.lazy.compactMap { CodeLocation($0.at) }.first
  }

  /// A finding of the log that is named so, whose events belong to `vocabulary`.
  ///
  /// `lines` are those of the events, when the log is a text.
  public init(
    _ finding: Finding, of log: String, _ vocabulary: Vocabulary, _ lines: EventLines? = nil
  ) {
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    self.log = log
    ordinal = finding.ordinal
    rule = finding.rule
    severity = finding.severity.rawValue
    subject = finding.subject.description
    message = finding.message
    fingerprint = finding.fingerprint
    occurrences = finding.occurrences
    elapsed = finding.elapsed
    allowed = finding.allowed
    witnesses = finding.witnesses.compactMap { ToldWitness($0, printer, lines) }
    nearest = finding.nearest.map(NearestText(vocabulary: vocabulary).lines) ?? []
    nearestIsMissing = finding.isNearestMissing(vocabulary) ? true : nil
    baselineState = finding.baselineState?.rawValue
    suppression = finding.suppression.map { Suppression(reason: $0.reason, place: $0.place) }
    dependents = finding.dependents.map { ToldFinding($0, of: log, vocabulary, lines) }
  }
}
