import TraceAnalysis
import TraceText

extension RunComparison {
  private typealias Annotation = GitHubReport.Annotation

  /// Workflow commands that annotate a run on GitHub, one a line: what is worse in B, and what else chance
  /// does not explain; as many of each kind as GitHub shows.
  package var github: String {
    let new = findings.filter { $0.change == "new" }.map {
      annotation($0.severity.annotation, "new finding", line($0))
    }
    let certain = rows.filter(\.isCertain).map {
      annotation($0.change == .slower ? "warning" : "notice", $0.change.rawValue, $0.text)
    }

    let all = endAnnotations + new + certain
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

  private var endAnnotations: [Annotation] {
    let changes = Set(deaths.map(\.change)).subtracting(["same"])
    if changes.isEmpty { return [] }
    let title =
      changes == ["cannot-tell"]
      ? "the ends of the runs cannot be compared" : "the end of the runs differs"
    return [annotation(changes.contains("new") ? "error" : "notice", title, headline)]
  }
}
