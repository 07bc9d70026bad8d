import TraceAnalysis

/// How findings stand to a baseline, as a person reads it.
struct BaselineText {
  /// So many lines of one kind are shown.
  private static let shown = 20

  let comparison: BaselineComparison

  /// `1 new, 2 known, 1 fixed`.
  var counts: String {
    let fixed = comparison.fixed.reduce(0) { $0 + $1.count }
    return "\(comparison.new) new, \(comparison.known) known, \(fixed) fixed"
  }

  /// A finding, and what stands under it, each of which a baseline counts.
  static func entries(_ finding: ReportedFinding) -> [(rule: String, message: String)] {
    [(finding.rule, finding.message)] + finding.dependents.map { ("  also \($0.rule)", $0.message) }
  }

  /// What the section says; `known` are the findings that the baseline has.
  func lines(known: [(rule: String, message: String)]) -> [String] {
    var lines = [counts]
    func add(_ heading: String, _ entries: [(rule: String, message: String)]) {
      if entries.isEmpty { return }
      lines.append(heading)
      lines += entries.prefix(BaselineText.shown).map { "  \($0.rule): \($0.message)" }
      let rest = entries.count - BaselineText.shown
      if rest > 0 { lines.append("  and \(rest) more") }
    }

    add("known, not reported again:", known)
    add(
      "fixed; run tracectl baseline prune with all the logs to remove them:",
      comparison.fixed.map(line))
    add("not checked, state unknown:", comparison.notJudged.map(line))
    return lines
  }

  private func line(_ entry: Baseline.Entry) -> (rule: String, message: String) {
    (entry.rule, (entry.count > 1 ? "\(entry.count) × " : "") + entry.message)
  }
}
