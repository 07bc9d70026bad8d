import LifecycleModel
import TraceAnalysis

/// What is said of one log among many.
///
/// Held against a baseline that all logs share, it is known only when all logs are: see
/// ``settle(_:_:)``. Until then it takes some bytes for each finding.
package struct VerdictLine: Sendable {
  /// A finding, or what stands under one: how often, and how often it is new.
  struct Part: Sendable {
    let rule: String
    let severity: Severity
    let times: Int
    /// Its fingerprint; `nil` when the baseline does not have it.
    let known: String?
    var new: Int
  }

  /// The log's name, as findings have it.
  let log: String
  /// Each finding that nobody accepts all of, with what stands under it.
  var findings: [[Part]]
  /// What is said when there is none of them.
  private let otherwise: String
  private let error: String?
  /// Whether rules could not tell because the log lacks what it claims to record.
  private let isInconclusive: Bool
  /// How its processes ended; `nil` when none did.
  private let ending: String?

  /// Makes a line of the results of one log; without a baseline it is settled.
  package init(_ results: AnalysisResults, of log: String, _ baseline: Baseline?) {
    self.log = log
    findings = results.groups.flatMap { VerdictLine.parts($0, baseline) }
    let end = results.ending
    ending = end?.text
    let isExplained = end.map { $0.worst == .normal } ?? true
    otherwise =
      results.events == 0
      ? "no events"
      : results.hasOnlyEnds
        ? Headline.nothingRecorded
        : !isExplained
          ? (results.rulesOff.isEmpty ? "no rule explains it" : "no rule that is on explains it")
          : results.logsInconclusive > 0
            ? "no findings"
            : "no findings: \(CountText.of(results.rules.count(where: \.isKept), "rule")) could check"

    isInconclusive = results.logsInconclusive > 0
    // The error names the log itself.
    error = results.unreadable.first?.error
  }

  private static func parts(_ group: AnalysisResults.Group, _ baseline: Baseline?) -> [[Part]] {
    func part(_ finding: ReportedFinding, _ times: Int) -> Part? {
      if finding.suppression != nil { return nil }
      let isKnown = baseline?.count(of: finding.fingerprint) ?? 0 > 0
      return Part(
        rule: finding.rule, severity: finding.severity, times: times,
        known: isKnown ? finding.fingerprint : nil, new: isKnown ? 0 : times)
    }

    var listed = group.examples.map { finding in
      ([finding] + finding.dependents).compactMap { part($0, 1) }
    }

    // What is left out is like the least that is kept.
    let leftOut = group.count - group.examples.count
    if leftOut > 0, let last = group.examples.last(where: { $0.suppression == nil }) {
      listed.append([part(last, leftOut)].compactMap(\.self))
    }
    return listed.filter { !$0.isEmpty }
  }

  /// Whether no other log can change it.
  package var isSettled: Bool { findings.joined().allSatisfy { $0.known == nil } }

  /// `a.bin: killed by the watchdog (0x8badf00d); 1 error (task-leak-at-suspend); 2 known`, with the
  /// end of the line.
  package var text: String {
    if let error { return error + "\n" }
    let parts = [ending, verdict, isInconclusive ? "inconclusive" : nil].compactMap(\.self)
    return "\(log): \(parts.joined(separator: "; "))\n"
  }

  private var verdict: String {
    if findings.isEmpty { return otherwise }
    var counts: [Severity: Int] = [:]
    var rules: [Severity: Set<String>] = [:]
    var known = 0

    for parts in findings {
      let new = parts.filter { $0.new > 0 }
      // Of equal ones the finding itself stands before what is under it.
      if let worst = new.first(where: { part in new.allSatisfy { part.severity >= $0.severity } }) {
        counts[worst.severity, default: 0] += worst.new
        rules[worst.severity, default: []].insert(worst.rule)
      }
      known += parts.filter { $0.known != nil }.reduce(0) { $0 + $1.times - $1.new }
    }

    let found = Severity.allCases.reversed().compactMap { severity -> String? in
      guard let count = counts[severity], let rules = rules[severity] else { return nil }
      return "\(CountText.of(count, severity)) (\(rules.sorted().joined(separator: ", ")))"
    }
    let text = found.isEmpty ? "no new findings" : found.joined(separator: ", ")
    return known > 0 ? "\(text); \(known) known" : text
  }

  /// Shares the baseline out among lines, given what all logs show together.
  ///
  /// Of a fingerprint that comes more often than the baseline has it, the surplus is new: the most serious
  /// findings first, of these the first by log. That is what ``AnalysisResults`` states of its examples, so that
  /// lines, reports and exit status agree. The order of `lines` does not matter. Cost: a pass over them for each
  /// severity.
  package static func settle(_ lines: inout [VerdictLine], _ total: AnalysisResults) {
    let counts = total.causes.map { cause in
      (cause.fingerprint, cause.count - (total.baseline?.count(of: cause.fingerprint) ?? 0))
    }
    var surplus = Dictionary(uniqueKeysWithValues: counts)

    let order = lines.indices.sorted { lines[$0].log < lines[$1].log }
    for severity in Severity.allCases.reversed() {
      for line in order {
        for finding in lines[line].findings.indices {
          for index in lines[line].findings[finding].indices {
            let part = lines[line].findings[finding][index]
            guard let known = part.known, part.severity == severity else { continue }
            let new = min(part.times, max(0, surplus[known] ?? 0))
            surplus[known, default: 0] -= new
            lines[line].findings[finding][index].new = new
          }
        }
      }
    }
  }
}
