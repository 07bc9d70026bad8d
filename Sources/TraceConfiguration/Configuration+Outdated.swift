import TraceAnalysis
import TraceText
import YAMLReading

/// What was right when it was written, and is not any more.
extension Configuration {
  /// Problems in the order of the files and of the places in them.
  package func inOrder(_ problems: [ConfigurationProblem]) -> [ConfigurationProblem] {
    problems.sorted { first, second in
      let places = [first.place, second.place].map { place in
        (files.firstIndex(of: place.file) ?? 0, place.line, place.column)
      }
      return places[0] < places[1]
    }
  }

  /// A warning for each suppression that is over on `today`.
  package func expiredSuppressions(on today: CalendarDay) -> [ConfigurationProblem] {
    suppressions.compactMap { suppression in
      guard let day = suppression.expires, day < today else { return nil }
      return ConfigurationProblem(
        kind: .warning, place: suppression.place,
        message: "this suppression of \(suppression.rule) expired on \(day) and suppresses "
          + "nothing; remove it, or set a later day")
    }
  }

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
        let what = name == rule.formerID ? "former id" : "number"
        return "\(entries) the rule \(said), the \(what) of \(rule.id); write \(rule.id) there"
      }
      let near = NearestWord.of(name, in: rules.map(\.id)).map { "did you mean \($0)? Correct" }
      return "\(entries) the rule \(said), which does not exist; \(near ?? "correct") the name, or "
        + "remove \(count == 1 ? "the line" : "the lines")"
    }
  }
}
