import TraceAnalysis
import TraceText

extension DiffReport {
  private typealias Annotation = GitHubReport.Annotation

  /// Workflow commands that annotate a run on GitHub, one a line: what is worse in B, and what else chance
  /// does not explain; as many of each kind as GitHub shows.
  package var github: String {
    let all = deathAnnotations + findingAnnotations + rowAnnotations
    return ["error", "warning", "notice"].flatMap { kind in
      let ofKind = all.filter { $0.kind == kind }
      let left = ofKind.count - GitHubReport.shown
      let shown = ofKind.prefix(left > 0 ? GitHubReport.shown - 1 : GitHubReport.shown)
      return shown + (left > 0 ? [annotation(kind, "not shown", "\(left + 1) more")] : [])
    }.map(\.command).joined()
  }

  private func annotation(_ kind: String, _ title: String, _ message: String) -> Annotation {
    Annotation(kind: kind, title: "tracectl: \(title)", lines: [message])
  }

  private var deathAnnotations: [Annotation] {
    let changes = Set(comparison.deaths.map(\.change)).subtracting(["same"])
    if changes.isEmpty { return [] }
    let title =
      changes == ["cannot-tell"]
      ? "the ends of the runs cannot be compared" : "the end of the runs differs"
    return [annotation(changes.contains("new") ? "error" : "notice", title, headline)]
  }

  private var findingAnnotations: [Annotation] {
    comparison.findings.filter { $0.change == "new" }.map { finding in
      annotation(finding.severity.annotation, "new finding", line(finding))
    }
  }

  private var rowAnnotations: [Annotation] {
    comparison.rows.filter(\.certain).map { row in
      let isSlower = row.change == Difference.Change.slower.rawValue
      return annotation(isSlower ? "warning" : "notice", row.change, row.text)
    }
  }
}
