import TraceAnalysis
import TraceText

/// A comparison of runs as workflow commands that annotate a run on GitHub: what is worse in B, and what
/// else chance does not explain.
package struct DiffGitHub {
  private let comparison: RunComparison
  private let words: DiffWords

  /// Makes the annotations of a comparison.
  package init(_ comparison: RunComparison) {
    self.comparison = comparison
    words = DiffWords(comparison: comparison)
  }

  /// The commands, one a line: as many of each kind as GitHub shows.
  package var text: String {
    let all = deaths + findings + rows
    return ["error", "warning", "notice"].flatMap { kind in
      let ofKind = all.filter { $0.kind == kind }
      let left = ofKind.count - GitHubReport.shown
      let shown = ofKind.prefix(left > 0 ? GitHubReport.shown - 1 : GitHubReport.shown)
      let rest: [Annotation] = left > 0 ? [(kind, "not shown", "\(left + 1) more")] : []
      return (Array(shown) + rest).map(command)
    }.joined()
  }

  private typealias Annotation = (kind: String, title: String, message: String)

  private func command(_ annotation: Annotation) -> String {
    "::\(annotation.kind) title=\(InertText.commandProperty("tracectl: \(annotation.title)"))"
      + "::\(InertText.commandMessage([annotation.message]))\n"
  }

  private var deaths: [Annotation] {
    let changes = Set(comparison.deaths.map(\.change)).subtracting(["same"])
    if changes.isEmpty { return [] }
    let title =
      changes == ["cannot-tell"]
      ? "the ends of the runs cannot be compared" : "the end of the runs differs"
    return [(changes.contains("new") ? "error" : "notice", title, words.headline)]
  }

  private var findings: [Annotation] {
    comparison.findings.filter { $0.change == "new" }.map { finding in
      (
        finding.severity == .info ? "notice" : finding.severity.rawValue, "new finding",
        words.line(finding)
      )
    }
  }

  private var rows: [Annotation] {
    comparison.rows.filter(\.certain).map { row in
      (row.change == Difference.Change.slower.rawValue ? "warning" : "notice", row.change, row.text)
    }
  }
}
