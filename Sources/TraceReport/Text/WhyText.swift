import LifecycleModel
import TraceAnalysis
import TraceText

/// The answer to why a rule found something at an event, or did not, as a person reads it.
public struct WhyText {
  private let answer: Inquiry.Answer
  private let rule: RuleDescription
  private let vocabulary: Vocabulary
  private let style: TextStyle

  /// Makes a text of the answer of `rule`.
  public init(
    _ answer: Inquiry.Answer, of rule: RuleDescription, _ vocabulary: Vocabulary,
    style: TextStyle = .plain
  ) {
    (self.answer, self.rule, self.vocabulary, self.style) = (answer, rule, vocabulary, style)
  }

  /// The whole text.
  public var text: String {
    var lines = [headline, ""]
    let printer = TraceNotation.Printer(vocabulary: vocabulary)
    lines += Wrap.entries("event", [printer.line(answer.event)])
    if case .found(let finding, _) = answer.outcome {
      let missing = finding.missing.map { $0.line(vocabulary) }
      lines += Wrap.entries("missing", missing)
    }

    lines += RuleCatalogue.entries(answer.needs)
    lines += Wrap.entries("before", answer.state)
    if case .notAsked = answer.outcome { lines += Wrap.entries("nearest", answer.nearest) }
    for clause in answer.clauses {
      lines.append("")
      lines.append(Wrap.entry("pattern", clause.pattern, indent: "  "))
      lines += Wrap.entries("part", [part(clause)])
      if !clause.roles.isEmpty { lines += Wrap.entries("then", clause.values) }
    }

    if !answer.clauses.isEmpty && !answer.code.isEmpty {
      lines.append("")
      let events = answer.code.joined(separator: "; ")
      lines.append(Wrap.entry("code", "besides the patterns, code checks \(events)", indent: "  "))
    }

    if answer.clauses.isEmpty {
      lines.append("")
      let part = isAsked ? "the rule checked it" : "the rule did not check it"
      lines += Wrap.entries("pattern", ["none: the rule is implemented in code"])
      lines += Wrap.entries("part", [part])
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func part(_ clause: Inquiry.Clause) -> String {
    if case .notInForce = answer.outcome { return "none: the rule is not active" }
    return clause.roles.isEmpty
      ? "none: the pattern concerns other events" : clause.roles.joined(separator: "; ")
  }

  private var isAsked: Bool {
    switch answer.outcome {
    case .notAsked, .notInForce: false
    default: true
    }
  }

  private var headline: String {
    let number = rule.number.map { " (R\($0))" } ?? ""
    let event = EventReference(answer.event, vocabulary).text
    return style.bold(rule.id) + "\(number) at \(event): \(outcome)"
  }

  private var outcome: String {
    switch answer.outcome {
    case .found(let finding, let role):
      let below =
        finding.severity < rule.severity
        ? ", below the rule's \(rule.severity.rawValue)" : ""
      let part = role == .culprit ? "found" : "part of a finding (\(role.rawValue))"
      return "\(part), \(style.severity(finding.severity, finding.severity.rawValue))\(below): "
        + finding.message
    case .counted: return "found, and counted with an earlier finding of the same kind"
    case .kept: return style.good("passed: the rule checked this event and found no problem")
    case .cannotTell(let doubts):
      return "cannot tell: \(doubts.map(\.reason).joined(separator: "; "))"
    case .notInForce(let reason): return "not checked: \(reason)"
    case .noted: return "noted: the rule used this event and drew no conclusion"
    case .notAsked: return "not checked: the rule concerns other events"
    }
  }

}
