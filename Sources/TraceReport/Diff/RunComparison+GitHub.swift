import TraceAnalysis
import TraceText

extension RunComparison {
  private typealias Annotation = GitHubReport.Annotation

  /// Workflow commands that annotate a run on GitHub, one a line: what is worse in B, and what else chance
  /// does not explain; as many of each kind as GitHub shows.
  package var github: String {
    let new = findings.filter { $0.change == "new" }.map {
      Annotation(kind: $0.severity.annotation, title: "new finding", lines: [line($0)])
    }
    let certain = rows.filter(\.isCertain).map {
      let kind = $0.change == .slower ? "warning" : "notice"
      return Annotation(kind: kind, title: $0.change.rawValue, lines: [$0.text])
    }

    let all = endAnnotations + new + certain
    return ["error", "warning", "notice"].flatMap { kind in
      let ofKind = all.filter { $0.kind == kind }
      let left = ofKind.count - GitHubReport.shown
      let shown = ofKind.prefix(left > 0 ? GitHubReport.shown - 1 : GitHubReport.shown)
      let rest = Annotation(kind: kind, title: "not shown", lines: ["\(left + 1) more"])
      return shown + (left > 0 ? [rest] : [])
    }.map(\.command).joined()
  }

  private var endAnnotations: [Annotation] {
    let changes = Set(deaths.map(\.change)).subtracting(["same"])
    if changes.isEmpty { return [] }
    let title =
      changes == ["cannot-tell"]
      ? "the ends of the runs cannot be compared" : "the end of the runs differs"
    let kind = changes.contains("new") ? "error" : "notice"
    return [Annotation(kind: kind, title: title, lines: [headline])]
  }
}
