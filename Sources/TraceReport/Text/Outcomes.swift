import TraceAnalysis

/// The rules by what they concluded; those that could not tell, or had nothing to judge, by reason.
struct Outcomes {
  private(set) var violated: [String] = []
  private(set) var kept: [String] = []
  private(set) var undecided: [(reason: String, rules: [String])] = []
  private(set) var notJudged: [(reason: String, rules: [String])] = []

  /// Sorts outcomes; reasons stand by the number of their rules, then in the order of the rules.
  init(_ outcomes: [RuleOutcome]) {
    for outcome in outcomes {
      let id = outcome.rule.id
      switch outcome.verdict {
      case .violated: violated.append(id)
      case .satisfied: kept.append(id)
      case .cannotTell(let doubts): Outcomes.note(doubts[0].reason, id, &undecided)
      case .notApplicable(let reason): Outcomes.note(reason, id, &notJudged)
      }
    }
    undecided = Outcomes.mostFirst(undecided)
    notJudged = Outcomes.mostFirst(notJudged)
  }

  /// The names of all rules under their verdicts.
  var allNames: [String] {
    var lines: [String] = []
    func add(_ heading: String, _ ids: [String]) {
      if ids.isEmpty { return }
      lines.append("\(ids.count) \(heading):")
      let names = Wrap.lines(ids.joined(separator: ", "), indent: "  ")
      lines += names.split(separator: "\n").map(String.init)
    }
    add("violated", violated)
    add("kept", kept)
    for (reason, ids) in undecided { add("cannot tell, \(reason)", ids) }
    for (reason, ids) in notJudged { add("not judged, \(reason)", ids) }
    return lines
  }

  private static func note(
    _ reason: String, _ id: String, _ reasons: inout [(reason: String, rules: [String])]
  ) {
    if let index = reasons.firstIndex(where: { $0.reason == reason }) {
      reasons[index].rules.append(id)
    } else {
      reasons.append((reason, [id]))
    }
  }

  private static func mostFirst(
    _ reasons: [(reason: String, rules: [String])]
  ) -> [(reason: String, rules: [String])] {
    reasons.enumerated().sorted {
      ($1.element.rules.count, $0.offset) < ($0.element.rules.count, $1.offset)
    }.map(\.element)
  }
}
