import LifecycleModel
import TraceAnalysis
import TraceText

/// A comparison of runs as text.
package struct DiffText {
  /// At most this many differences that may be chance are listed.
  private static let maybeTold = 10

  private let comparison: RunComparison
  private let words: DiffWords
  private let style: TextStyle

  /// Makes the text of a comparison.
  package init(_ comparison: RunComparison, style: TextStyle = .plain) {
    (self.comparison, self.style) = (comparison, style)
    words = DiffWords(comparison: comparison)
  }

  /// The whole text: verdicts and findings before what differs in the episodes.
  package var text: String {
    var sections = [style.line(styledHeadline) + "\n" + words.sides.joined(separator: "\n")]
    if !findings.isEmpty { sections.append(style.section("Findings", findings, hanging: 12)) }
    let certain = comparison.rows.filter(\.certain)
    if !certain.isEmpty {
      sections.append(style.section("Chance does not explain", lines(certain), hanging: 8))
    }
    if !maybe.isEmpty { sections.append(style.section(words.maybe, maybe, hanging: 8)) }
    if let legend = words.legend { sections.append(legend) }
    if !words.doubts.isEmpty {
      sections.append(style.section("What the runs do not share", words.doubts))
    }

    let ends = words.sameEnd.map { [$0] } ?? []
    sections.append(style.section("The same", ends + [words.same]))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private var styledHeadline: String {
    let isWorse = comparison.isRegression(
      slowerBy: RunDifference.leastShift.part, findingsFrom: .error)
    if isWorse { return style.severity(.error, words.headline) }
    return comparison.isSame ? style.good(words.headline) : style.bold(words.headline)
  }

  private func lines(_ rows: [RunComparison.Row]) -> [String] {
    rows.map { pad($0.change, 8) + $0.text }
  }

  private var maybe: [String] {
    let rows = comparison.rows.filter { !$0.certain }
    let left = rows.count - min(rows.count, DiffText.maybeTold) + comparison.rowsLeftOut
    return lines(Array(rows.prefix(DiffText.maybeTold))) + (left > 0 ? ["and \(left) more"] : [])
  }

  private var findings: [String] {
    let changed = comparison.findings.filter { $0.change != "same" }
    let same = comparison.findings.count - changed.count
    let lines = changed.map { pad($0.change, 12) + words.line($0) }
    return lines + (same > 0 ? [pad("same", 12) + "\(same) in both"] : [])
  }
}
