import LifecycleModel

/// How many rules one analysis can hold.
package enum RuleLimits {
  /// A rule that is one too many.
  package struct Excess: CustomStringConvertible {
    /// The id of the rule.
    package let rule: String
    /// What there is too much of, and what to do.
    package let description: String
  }

  /// A step names its clause, and the table its steps, in 16 bits; a pattern has a few of both.
  static let patterns = 10_000

  /// The first of some rules that does not fit; `nil` when all do.
  package static func excess(_ rules: [ActiveRule]) -> Excess? {
    let patterns = NumberedPattern.all(of: rules.map(\.description))
    return excess(rules, patterns, LifecycleAutomata(rules.map(\.description), patterns))
  }

  static func excess(
    _ rules: [ActiveRule], _ numbered: [NumberedPattern], _ automata: LifecycleAutomata
  ) -> Excess? {
    if rules.count > patterns {
      return Excess(
        rule: rules[patterns].description.id,
        description: "there are \(rules.count) rules, and an analysis holds \(patterns); \(remedy)")
    }

    if numbered.count > patterns {
      return Excess(
        rule: rules[numbered[patterns].rule].description.id,
        description: "the rules have \(numbered.count) patterns, and an analysis holds "
          + "\(patterns); \(remedy)")
    }

    return automata.excess.map { rule in
      Excess(
        rule: rules[rule].description.id,
        description: "the rules have more than \(LifecycleAutomaton.capacity) patterns about the "
          + "order of callbacks, which is all that an analysis holds; \(remedy)")
    }
  }

  private static let remedy = "turn off rules that you do not need"
}
