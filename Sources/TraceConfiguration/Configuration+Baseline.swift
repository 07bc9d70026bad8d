import TraceAnalysis
import TraceText

/// A baseline, held against the rules that there are.
extension Configuration {
  /// A sentence for each name in `baseline` that is no rule's id; empty when all are.
  package func namesOfNoRule(in baseline: Baseline) -> [String] {
    let rules = knownRules.map(\.description)
    let ids = Set(rules.map(\.id))
    let strangers = baseline.entries.map(\.rule).filter { !ids.contains($0) }

    return Set(strangers).sorted().map { name in
      let count = strangers.count { $0 == name }
      let entries = count == 1 ? "1 entry names" : "\(count) entries name"
      let said = InertText.word(name)
      if let rule = rules.first(where: { $0.isCalled(name) }) {
        let what = rule.formerNames.contains(name) ? "former id" : "number"
        return "\(entries) the rule \(said), the \(what) of \(rule.id); write \(rule.id) there"
      }
      let near = NearestWord.of(name, in: rules.map(\.id)).map { "did you mean \($0)? Correct" }
      return "\(entries) the rule \(said), which does not exist; \(near ?? "correct") the name, or "
        + "remove \(count == 1 ? "the line" : "the lines")"
    }
  }
}
