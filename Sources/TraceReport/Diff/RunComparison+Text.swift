import LifecycleModel
import TraceAnalysis
import TraceText

extension RunComparison {
  /// At most this many differences that may be chance are listed.
  private static let maybeShown = 10

  /// The whole text: verdicts and findings before what differs in the episodes.
  package func text(style: TextStyle = .plain) -> String {
    let certain = lines(rows.filter(\.isCertain))
    let ends = sameEnd.map { [$0] } ?? []
    return [
      style.line(styledHeadline(style)) + "\n" + sides.joined(separator: "\n"),
      style.section("Findings", found, hanging: 12),
      style.section("Chance does not explain", certain, hanging: 8),
      style.section(maybeHeading, maybe, hanging: 8), legend,
      style.section("What the runs do not share", doubts), style.section("The same", ends + [same]),
    ].asSections
  }

  private func styledHeadline(_ style: TextStyle) -> String {
    if isRegression(slowerBy: RunDifference.leastShift.part, findingsFrom: .error) {
      return style.severity(.error, headline)
    }
    return isSame ? style.good(headline) : style.bold(headline)
  }

  private func lines(_ rows: some Sequence<Difference>) -> [String] {
    rows.map { pad($0.change.rawValue, 8) + $0.text }
  }

  private var maybe: [String] {
    let rows = rows.filter { !$0.isCertain }
    let shown = rows.prefix(Self.maybeShown)
    let left = rows.count - shown.count + rowsLeftOut
    return lines(shown) + (left > 0 ? ["and \(left) more"] : [])
  }

  private var found: [String] {
    let changed = changedFindings
    let same = findings.count - changed.count
    let lines = changed.map { pad($0.change, 12) + line($0) }
    return lines + (same > 0 ? [pad("same", 12) + "\(same) in both"] : [])
  }
}
