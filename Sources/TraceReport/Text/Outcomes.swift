/// The rules of one log by what they concluded; those that could not tell, or had nothing to judge, by
/// reason.
struct Outcomes {
  private let rules: [AnalysisResults.RuleTally]

  init(_ results: AnalysisResults) { rules = results.rules }

  /// The names of all rules under their verdicts.
  var allNames: [String] {
    var lines: [String] = []
    func add(_ heading: String, _ rules: [AnalysisResults.RuleTally]) {
      if rules.isEmpty { return }
      lines.append("\(rules.count) \(heading):")
      let ids = rules.map(\.rule.id).joined(separator: ", ")
      lines += Wrap.lines(ids, indent: "  ").split(separator: "\n").map(String.init)
    }

    add("violated", rules.filter { $0.violated > 0 })
    add("passed", rules.filter { $0.satisfied > 0 })
    for (reason, rules) in byReason(\.cannotTell) { add("cannot tell: \(reason)", rules) }
    for (reason, rules) in byReason(\.notApplicable) { add("not checked: \(reason)", rules) }
    return lines
  }

  /// Why rules cannot tell, with the rules: the reason of the most rules first.
  var doubts: [(reason: String, rules: [AnalysisResults.RuleTally])] { byReason(\.cannotTell) }

  /// The reasons by the number of their rules, then in the order of the rules.
  private func byReason(
    _ reasons: (AnalysisResults.RuleTally) -> [String: Int]
  ) -> [(reason: String, rules: [AnalysisResults.RuleTally])] {
    var groups: [(reason: String, rules: [AnalysisResults.RuleTally])] = []
    for rule in rules {
      for reason in reasons(rule).keys.sorted() {
        if let index = groups.firstIndex(where: { $0.reason == reason }) {
          groups[index].rules.append(rule)
        } else {
          groups.append((reason, [rule]))
        }
      }
    }

    return groups.enumerated().sorted {
      ($1.element.rules.count, $0.offset) < ($0.element.rules.count, $1.offset)
    }.map(\.element)
  }
}
