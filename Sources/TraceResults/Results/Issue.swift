import LifecycleModel
import TraceAnalysis
import TraceText

/// A finding as those formats list it that know no finding under another, or all of one fingerprint.
package struct Issue {
  /// The finding to show: of several one that counts, and stands by itself, when there is one.
  package let finding: ReportedFinding
  /// The finding of the same cause that it stands under; `nil` when it stands by itself.
  package var cause: ReportedFinding?
  /// How many there are.
  package var count = 1
  /// In how many logs.
  package var logs = 1

  /// The most serious first, what does not count last; then what stands by itself, then by count.
  package static func comesFirst(_ first: Issue, _ second: Issue) -> Bool {
    func rank(_ issue: Issue) -> (Int, Int) {
      (issue.finding.isCounted ? 0 : 1, issue.cause == nil ? 0 : 1)
    }
    let (one, other) = (rank(first), rank(second))
    // Severity and count descend.
    let forth = (one.0, second.severity, one.1, second.count)
    let back = (other.0, first.severity, other.1, first.count)
    return forth == back
      ? ReportedFinding.comesFirst(first.finding, second.finding) : forth < back
  }

  package var severity: Severity { finding.severity }

  /// The message of the finding, and how many there are of several:
  /// `task:1 ended a second time (3 findings in 2 logs)`.
  package var message: String {
    finding.messageAndEnding + (count > 1 ? " (\(times))" : "")
  }

  /// `3 findings in 2 logs`.
  package var times: String {
    CountText.of(count, "finding") + (logs > 1 ? " in \(logs) logs" : "")
  }
}

extension AnalysisResults {
  /// Every finding that is kept, those of one cause behind their main finding.
  package var listedFindings: [Issue] {
    findings.flatMap { finding in
      [Issue(finding: finding)] + finding.dependents.map { Issue(finding: $0, cause: finding) }
    }
  }

  /// The findings by fingerprint, in the order of ``Issue/comesFirst(_:_:)``.
  package var issues: [Issue] {
    let groups = Dictionary(groups.map { ($0.fingerprint, $0) }) { first, _ in first }
    return Dictionary(grouping: listedFindings, by: \.finding.fingerprint).map { print, listed in
      // A list is never empty: it is one of a dictionary that groups.
      let counted = listed.filter(\.finding.isCounted)
      var issue = counted.first { $0.cause == nil } ?? counted.first ?? listed[0]
      issue.count = listed.count
      issue.logs = Set(listed.map(\.finding.log)).count
      if let group = groups[print] {
        issue.count += group.count - group.examples.count
        issue.logs = max(issue.logs, group.logs)
      }
      return issue
    }.sorted(by: Issue.comesFirst)
  }

  /// What is known of a rule; `nil` of one that is not among these results.
  package func rule(_ id: String) -> RuleDescription? { rules.first { $0.rule.id == id }?.rule }

  /// `task-one-end (R74)`.
  package func title(ofRule id: String) -> String { rule(id)?.title ?? id }

  /// What to do about a finding; `nil` where its rule is not known.
  package func remedy(_ finding: ReportedFinding) -> String? {
    rule(finding.rule).map { finding.advice($0).remedy }
  }
}

extension ReportedFinding {
  /// The evidence and what would be legal, a line each.
  package var evidence: [String] {
    witnesses.map(\.columns) + legalLines.map { pad("legal", 8) + $0 }
  }

  /// What would be legal, but for what the missing witnesses say already.
  package var legalLines: [String] {
    nearest.map { $0.isMissing ? [] : $0.says } ?? []
  }

  /// The path of the log, as it was given.
  package var path: String { InertText.plain(log) }

  /// ` (3 times)`, when it happened more than once.
  package var times: String { occurrences > 1 ? " (\(occurrences) times)" : "" }

  /// What is wrong, and how the process ended that it explains.
  package var messageAndEnding: String { message + (ending.map { "; the process: \($0)" } ?? "") }

  /// Where a reader of code is led: to the app's code where the log names it, else to the log.
  package var annotated: (file: String, line: Int?) {
    codeLocation.map { (InertText.plain($0.file), $0.line) } ?? (path, sourceLine)
  }

  /// Why it does not count: `known`, or the reason of its suppression; `nil` when it does.
  package var excuse: String? {
    if let suppression { return "accepted: \(suppression.reason) (\(suppression.place))" }
    return isCounted ? nil : "known"
  }
}

extension AnalysisResults.UnreadableLog {
  /// The path of the log, as it was given.
  package var path: String { InertText.plain(log) }
}

extension AnalysisResults {
  /// How many findings there are that count, by severity, and how many do not.
  package struct Standing {
    package var counted: [Severity: Int] = [:]
    package var known = 0
    package var accepted = 0
    /// How many entries of a baseline nothing matches any more.
    package var fixed = 0

    /// What does not count: `2 known`, `1 accepted`, `3 fixed`, without those that are 0.
    package var uncounted: [String] {
      [(known, "known"), (accepted, "accepted"), (fixed, "fixed")].filter { $0.0 > 0 }
        .map { "\($0.0) \($0.1)" }
    }

    /// What counts, the most serious first: `1 error`, `2 warnings`.
    package func countedWords(_ style: TextStyle = .plain) -> [String] {
      Severity.allCases.reversed().compactMap { severity in
        counted[severity].map { style.severity(severity, CountText.of($0, severity)) }
      }
    }

    /// Counts findings like this one.
    fileprivate mutating func add(_ finding: ReportedFinding, _ count: Int) {
      let worst = ([finding] + finding.dependents).filter(\.isCounted).map(\.severity).max()
      if let worst {
        counted[worst, default: 0] += count
      } else if finding.suppression != nil {
        accepted += count
      } else {
        known += count
      }
    }
  }

  /// The main findings that count, and all that a baseline has: what stands under others, too, as the
  /// baseline counts them.
  package var standing: Standing {
    var counts = standing { _ in true }
    if let comparison { counts.known = comparison.known }
    counts.fixed = fixed.reduce(0) { $0 + $1.count }
    return counts
  }

  /// The main findings that `isMeant` means, counted; those that are not kept count as the last that is,
  /// as far as the baseline does not have them.
  package func standing(where isMeant: (ReportedFinding) -> Bool) -> Standing {
    var counts = Standing()
    for group in groups where group.examples.first.map(isMeant) ?? false {
      // What stands under a finding may count where the finding does not.
      for finding in group.examples { counts.add(finding, 1) }
      guard let last = group.examples.last, group.count > group.examples.count else { continue }

      let leftOut = group.count - group.examples.count
      let keptKnown = group.examples.count { !$0.isCounted && $0.suppression == nil }
      let rest = max(0, (baseline?.count(of: group.fingerprint) ?? 0) - keptKnown)
      let known = last.suppression == nil ? min(leftOut, rest) : 0
      counts.known += known
      counts.add(last, leftOut - known)
    }
    return counts
  }
}

extension Baseline.Entry {
  /// `3 × `, when there are several.
  package var times: String { count > 1 ? "\(count) × " : "" }
}
