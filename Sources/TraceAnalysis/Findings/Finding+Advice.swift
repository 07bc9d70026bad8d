import LifecycleModel

extension Finding {
  /// The findings, each with what would be legal, and with those that depend on it, with what is said of
  /// them alone.
  static func advised(
    _ findings: [Finding], _ rules: [RuleDescription], _ vocabulary: Vocabulary
  ) -> [Finding] {
    let rules = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
    return findings.map { finding in
      var finding = finding
      if let rule = rules[finding.rule] {
        finding.takeAdvice(of: rule)
        finding.nearest = finding.nearest ?? LegalAdvice.nearest(rule, finding, vocabulary)
      }
      for place in finding.dependents.indices {
        let rule = rules[finding.dependents[place].rule]
        if let rule { finding.dependents[place].takeAdvice(of: rule) }
      }
      return finding
    }
  }

  /// Notes why it matters and what to do, where that is not what its rule says of all findings.
  private mutating func takeAdvice(of rule: RuleDescription) {
    let opener = event(.opens)
    let isSecondEnd = opener != nil && opener?.verb == culprit?.verb
    if let second = rule.secondEnd, isSecondEnd {
      (why, remedy) = (second.why, second.remedy)
    } else if profile.mode == .app, let remedy = rule.remedyWithoutScenes {
      self.remedy = remedy
    }
  }
}
