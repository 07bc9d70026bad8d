import LifecycleModel
import TraceAnalysis
import TraceText

/// A comparison of runs as Markdown, for an issue or a pull request.
///
/// Nothing that comes from a log is Markdown: it stands in spans of code.
package struct DiffMarkdown {
  private static let rowsShown = 100

  private let comparison: RunComparison
  private let words: DiffWords

  /// Makes the Markdown of a comparison.
  package init(_ comparison: RunComparison) {
    self.comparison = comparison
    words = DiffWords(comparison: comparison)
  }

  /// The whole text.
  package var text: String {
    let certain = comparison.rows.filter(\.certain)
    let maybe = comparison.rows.filter { !$0.certain }

    let sections: [String?] = [
      "### tracectl: \(InertText.prose(words.headline))", list(words.sides), findings,
      certain.isEmpty ? nil : "**Chance does not explain**\n\n" + table(certain),
      maybe.isEmpty
        ? nil
        : "<details><summary>\(words.maybe): \(maybe.count + comparison.rowsLeftOut)</summary>\n\n"
          + table(maybe) + "\n\n</details>",
      words.legend.map(InertText.prose),
      words.doubts.isEmpty
        ? nil : "**What the runs do not share**\n\n" + list(words.doubts),
      "The same: \(words.same).",
    ]
    return sections.compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  private func list(_ lines: [String]) -> String {
    lines.map { "- \(InertText.prose($0))" }.joined(separator: "\n")
  }

  private func table(_ rows: [RunComparison.Row]) -> String {
    table("what", rows.map { ($0.change, $0.text) })
  }

  private func table(_ heading: String, _ rows: [(change: String, text: String)]) -> String {
    let shown = rows.prefix(DiffMarkdown.rowsShown)
    let lines = shown.map { "| \($0.change) | \(InertText.code($0.text)) |" }
    let left = rows.count - shown.count
    return (["| | \(heading) |", "|---|---|"] + lines + (left > 0 ? ["\nand \(left) more"] : []))
      .joined(separator: "\n")
  }

  private var findings: String? {
    let changed = comparison.findings.filter { $0.change != "same" }
    return changed.isEmpty
      ? nil : table("finding", changed.map { ($0.change, words.line($0)) })
  }
}
