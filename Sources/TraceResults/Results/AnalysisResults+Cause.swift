import LifecycleModel
import TraceAnalysis

extension AnalysisResults {
  /// How often findings of one fingerprint were made, those under another finding among them: what a
  /// baseline counts.
  package struct Cause: Hashable, Sendable {
    /// The first of them, without its dependents and its baseline state.
    private var first: ReportedFinding
    /// How many there are that nobody accepts.
    package private(set) var count: Int
    /// In how many logs such ones are.
    package private(set) var logs = 0
    /// How many are accepted.
    package private(set) var accepted: Int
    /// The severity of the most serious one that nobody accepts, or of all where all are accepted.
    package private(set) var severity: Severity

    package var fingerprint: String { first.fingerprint }
    package var rule: String { first.rule }
    package var message: String { first.message }

    /// The cause of one finding.
    private init(_ finding: ReportedFinding) {
      first = finding.bare
      first.dependents = []
      count = finding.suppression == nil ? 1 : 0
      accepted = 1 - count
      severity = finding.severity
    }

    /// The causes of one log's findings, by fingerprint.
    package static func all(of findings: [ReportedFinding], leftOut: [String: Int]) -> [Cause] {
      var causes: [String: Cause] = [:]
      for finding in findings {
        let cause = Cause(finding)
        if causes[finding.fingerprint]?.merge(cause) == nil { causes[finding.fingerprint] = cause }
      }

      for (fingerprint, count) in leftOut {
        // What is left out is like what is kept.
        let isCounted = causes[fingerprint].map { $0.count > 0 } ?? false
        if isCounted {
          causes[fingerprint]?.count += count
        } else {
          causes[fingerprint]?.accepted += count
        }
      }
      return causes.values.map { cause in
        var cause = cause
        cause.logs = min(1, cause.count)
        return cause
      }.sorted { $0.fingerprint < $1.fingerprint }
    }

    /// Takes in what is known of the same fingerprint elsewhere.
    package mutating func merge(_ other: Cause) {
      if ReportedFinding.comesFirst(other.first, first) { first = other.first }
      if (other.count > 0) == (count > 0) {
        severity = max(severity, other.severity)
      } else if other.count > 0 {
        severity = other.severity
      }
      count += other.count
      logs += other.logs
      accepted += other.accepted
    }

    /// The entry that makes all these findings known.
    package var entry: Baseline.Entry {
      Baseline.Entry(
        rule: first.rule, fingerprint: fingerprint, count: count, severity: severity.rawValue,
        subject: String(first.subject.prefix { $0 != ":" }), message: first.message)
    }
  }
}
