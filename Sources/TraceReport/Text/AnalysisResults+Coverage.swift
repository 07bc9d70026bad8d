import LifecycleModel
import TraceAnalysis
import TraceText

/// The rules by what they concluded, and what the configuration hides from a report, as a person reads it.
extension AnalysisResults {
  /// The names of all rules under their verdicts.
  var ruleNames: [String] {
    var lines: [String] = []
    func add(_ heading: String, _ rules: [RuleTally]) {
      if rules.isEmpty { return }
      lines.append("\(rules.count) \(heading):")
      let ids = rules.map(\.rule.id).joined(separator: ", ")
      lines += Wrap.lines(ids, indent: "  ").split(separator: "\n").map(String.init)
    }

    add("violated", rules.filter { $0.violated > 0 })
    add("passed", rules.filter { $0.satisfied > 0 })
    for (reason, rules) in rules(by: \.cannotTell) { add("cannot tell: \(reason)", rules) }
    for (reason, rules) in rules(by: \.notApplicable) { add("not checked: \(reason)", rules) }
    return lines
  }

  /// The reasons, each with its rules: that of the most rules first, then in the order of the rules.
  func rules(
    by reasons: (RuleTally) -> [String: Int]
  ) -> [(reason: String, rules: [RuleTally])] {
    rules.flatMap { rule in reasons(rule).keys.sorted().map { (reason: $0, rule: rule) } }
      .grouped(by: \.reason).map { ($0.key, $0.elements.map(\.rule)) }
      .sorted { $0.1.count > $1.1.count }
  }

  // MARK: The configuration

  /// The rules that are off; how many findings are accepted; and a line for each suppression that is not
  /// needed, or not in force, any more.
  var settingsLines: [String] { rulesOffLines + suppressionLines }

  private var rulesOffLines: [String] {
    if rulesOff.isEmpty { return [] }
    let named = 5
    let names = rulesOff.prefix(named).joined(separator: ", ")
    return [
      CountText.of(rulesOff.count, "rule") + " turned off by the configuration: \(names)"
        + CountText.more(rulesOff.count - named, behind: " ")
    ]
  }

  private var suppressionLines: [String] {
    let used = suppressions.filter { $0.state == .used }
    var lines: [String] = []
    if !used.isEmpty {
      let count = used.reduce(0) { $0 + $1.count }
      lines.append(CountText.of(count, "finding") + " accepted by the configuration")
    }

    for use in suppressions {
      let place = InertText.line("\(use.place)")
      switch use.state {
      case .used: break
      case .unused: lines.append("unused suppression of \(use.rule) at \(place)")
      case .expired:
        lines.append(
          "expired suppression of \(use.rule) at \(place): ended on \(use.expires ?? "")"
            + (use.count > 0 ? ", \(use.count) found" : ", no findings"))
      }
    }
    return lines
  }
}
