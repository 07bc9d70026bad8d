import LifecycleModel
import TraceAnalysis
import TraceText

extension RunComparison {
  /// Markdown, for an issue or a pull request.
  ///
  /// Nothing that comes from a log is Markdown: it stands in spans of code.
  package var markdown: String {
    let certain = rows.filter(\.isCertain)
    let maybe = rows.filter { !$0.isCertain }
    let findings = changedFindings.map { ($0.change, line($0)) }

    let sections: [String?] = [
      "### tracectl: \(InertText.prose(headline))", list(sides),
      findings.isEmpty ? nil : table("finding", findings),
      certain.isEmpty ? nil : "**Chance does not explain**\n\n" + table(certain),
      maybe.isEmpty
        ? nil
        : MarkdownReport.collapsed(
          "\(maybeHeading): \(maybe.count + rowsLeftOut)", table(maybe)),
      legend.map(InertText.prose),
      doubts.isEmpty ? nil : "**What the runs do not share**\n\n" + list(doubts),
      "The same: \(same).",
    ]
    return sections.asSections
  }

  private func list(_ lines: [String]) -> String {
    lines.map { "- \(InertText.prose($0))" }.joined(separator: "\n")
  }

  private func table(_ rows: [Difference]) -> String {
    table("what", rows.map { ($0.change.rawValue, $0.text) })
  }

  private func table(_ heading: String, _ rows: [(change: String, text: String)]) -> String {
    MarkdownReport.table("| | \(heading) |", rows) { [$0.change, InertText.code($0.text)] }
  }
}
