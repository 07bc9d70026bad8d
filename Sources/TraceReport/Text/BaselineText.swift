import TraceAnalysis

/// How findings stand to a baseline, as a person reads it.
extension BaselineComparison {
  /// What the section says; `known` are the findings that the baseline has.
  func lines(known: [(rule: String, message: String)]) -> [String] {
    var lines = ["\(new) new, \(self.known) known, \(fixed.reduce(0) { $0 + $1.count }) fixed"]
    let shown = 20
    func add(_ heading: String, _ entries: [(rule: String, message: String)]) {
      if entries.isEmpty { return }
      lines.append(heading)
      lines += entries.prefix(shown).map { "  \($0.rule): \($0.message)" }
      let rest = entries.count - shown
      if rest > 0 { lines.append("  and \(rest) more") }
    }

    add("known, not reported again:", known)
    add(
      "fixed; run tracectl baseline prune with all the logs to remove them:",
      fixed.map(line))
    add("not checked, state unknown:", notJudged.map(line))
    return lines
  }

  private func line(_ entry: Baseline.Entry) -> (rule: String, message: String) {
    (entry.rule, entry.times + entry.message)
  }
}

extension ReportedFinding {
  /// The finding, and what stands under it, each of which a baseline counts.
  var baselineLines: [(rule: String, message: String)] {
    [(rule, message)] + dependents.map { ("  also \($0.rule)", $0.message) }
  }
}
