import LifecycleModel
import TraceAnalysis

extension AnalysisResults {
  /// How often findings of one fingerprint were made, those under another finding among them: what a
  /// baseline counts.
  public struct Cause: Hashable, Codable, Sendable {
    /// The fingerprint.
    public var fingerprint: String
    /// The rule's slug.
    public var rule: String
    /// How many findings nobody accepts.
    public var count: Int
    /// How many are suppressed.
    public var accepted: Int
    /// How much the most serious matters, of those that nobody accepts where there are some.
    public var severity: String
    /// What it is about: `app`, `scene`, `task` …; empty when there is none.
    public var subject: String
    /// What is wrong, of the first by log and place.
    public var message: String
    /// The log of the first.
    public var log: String
    /// Its place there.
    public var ordinal: UInt64
  }
}

extension AnalysisResults.Cause {
  /// The causes of one log's findings, by fingerprint.
  static func all(
    of findings: [ToldFinding], leftOut: [String: Int]
  ) -> [AnalysisResults.Cause] {
    var causes: [String: AnalysisResults.Cause] = [:]
    for finding in findings {
      let cause = AnalysisResults.Cause(finding)
      if causes[finding.fingerprint]?.merge(cause) == nil { causes[finding.fingerprint] = cause }
    }
    for (fingerprint, count) in leftOut {
      // What is left out is like what is kept.
      guard let cause = causes[fingerprint] else { continue }
      if cause.count > 0 {
        causes[fingerprint]?.count += count
      } else {
        causes[fingerprint]?.accepted += count
      }
    }
    return causes.values.sorted { $0.fingerprint < $1.fingerprint }
  }

  private init(_ finding: ToldFinding) {
    fingerprint = finding.fingerprint
    rule = finding.rule
    count = finding.suppression == nil ? 1 : 0
    accepted = 1 - count
    severity = finding.severity
    subject = String(finding.subject.prefix { $0 != ":" })
    message = finding.message
    log = finding.log
    ordinal = finding.ordinal
  }

  /// Takes in what is known of the same fingerprint elsewhere.
  mutating func merge(_ other: AnalysisResults.Cause) {
    if other.order < order {
      (rule, subject, message) = (other.rule, other.subject, other.message)
      (log, ordinal) = (other.log, other.ordinal)
    }
    if (other.count > 0) == (count > 0) {
      severity = max(rank, other.rank).rawValue
    } else if other.count > 0 {
      severity = other.severity
    }
    count += other.count
    accepted += other.accepted
  }

  private var rank: Severity { Severity(rawValue: severity) ?? .info }

  private var order: (String, UInt64, String, String, String) {
    (log, ordinal, rule, message, subject)
  }

  /// The entry that makes all these findings known.
  var entry: Baseline.Entry {
    Baseline.Entry(
      rule: rule, fingerprint: fingerprint, count: count, severity: severity, subject: subject,
      message: message)
  }
}
