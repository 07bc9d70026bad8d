import LifecycleModel
import TraceAnalysis

extension AnalysisResults {
  /// How often findings of one fingerprint were made, those under another finding among them: what a
  /// baseline counts.
  struct Cause: Hashable, Sendable {
    var fingerprint: String
    var rule: String
    var count: Int
    var accepted: Int
    var severity: Severity
    var subject: String
    var message: String
    var log: String
    var ordinal: UInt64
  }
}

extension AnalysisResults.Cause {
  /// The causes of one log's findings, by fingerprint.
  static func all(
    of findings: [ReportedFinding], leftOut: [String: Int]
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

  private init(_ finding: ReportedFinding) {
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
      severity = max(severity, other.severity)
    } else if other.count > 0 {
      severity = other.severity
    }

    count += other.count
    accepted += other.accepted
  }

  private var order: (String, UInt64, String, String, String) {
    (log, ordinal, rule, message, subject)
  }

  /// The entry that makes all these findings known.
  var entry: Baseline.Entry {
    Baseline.Entry(
      rule: rule, fingerprint: fingerprint, count: count, severity: severity.rawValue,
      subject: subject,
      message: message)
  }
}
