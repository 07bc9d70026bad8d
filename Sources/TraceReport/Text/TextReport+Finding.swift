import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// The parts of a finding, in the report of one log and of many.
extension TextReport {
  /// `error task-one-end (R74): task:1 ended a second time`: the rule, and what happened.
  func heading(_ id: String, _ severity: Severity, _ message: String) -> [String] {
    let text = "\(severity.rawValue) \(results.title(ofRule: id)): \(message)"
    var lines = style.data(text, indent: "", hanging: 0)
    lines[0] =
      "\(style.severity(severity, severity.rawValue)) \(style.bold(id))"
      + lines[0].dropFirst(severity.rawValue.count + 1 + id.count)
    return lines
  }

  /// What happened in another finding of the same rule.
  func furtherMessage(_ text: String, _ severity: Severity) -> [String] {
    style.data(text, indent: "  ", hanging: 0).map { style.severity(severity, $0) }
  }

  /// What shows it, and what would be legal; `withState` adds what was true when it was found.
  func evidence(_ finding: ReportedFinding, withState: Bool = false) -> [String] {
    var lines = finding.witnesses.flatMap { $0.lines(style) }
    if withState, let state = finding.state { lines.append("    " + pad("while", 8) + "\(state)") }
    for legal in finding.legalLines { lines += entry("legal", legal) }
    return lines
  }

  /// A line of data under a finding.
  func entry(_ heading: String, _ text: String) -> [String] {
    style.data(pad(heading, 8) + text, indent: "    ", hanging: 8)
  }

  /// What the rule of a finding requires, why, and what to do, a sentence each, and the command that shows
  /// all of it.
  func advice(
    _ finding: ReportedFinding, _ rule: RuleDescription,
    withContradiction: Bool = false
  ) -> [String] {
    let (why, remedy) = finding.advice(rule)
    func entry(_ heading: String, _ text: String) -> String {
      Wrap.entry(heading, FirstSentence.of(text), indent: "    ", width: style.width)
    }
    var lines = ["", entry("rule", rule.summary), entry("why", why)]
    if withContradiction, let contradiction = rule.contradiction {
      lines.append(entry("but", contradiction))
    }
    return lines + [entry("remedy", remedy), "    " + pad("more", 9) + rule.explainCommand]
  }
}
