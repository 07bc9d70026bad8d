import LifecycleModel
import TraceAnalysis

/// What a rule means, in sentences or as automata.
public struct RuleMeaning {
  private let rule: ActiveRule

  /// Makes the meaning of `rule`.
  public init(_ rule: ActiveRule) { self.rule = rule }

  /// The rule in English.
  public var english: String {
    let description = rule.description
    let severity = rule.severity ?? description.severity
    var lines = ["\(description.id): \(description.summary)", ""]
    for pattern in description.patterns {
      lines.append("It finds what breaks this: \(pattern.words).")
      lines += details(pattern).map { "  \($0)" }
    }
    lines += code
    lines.append(
      rule.severity == nil
        ? "A finding is \(severity.article) at the most."
        : "Every finding is \(severity.article): somebody has said so.")
    for hooks in description.needs.hooks {
      lines.append(
        "It cannot tell where \(hooks.map(\.rawValue).joined(separator: " and ")) "
          + "\(hooks.count == 1 ? "is" : "are") not recorded.")
    }
    lines += description.needs.profile.map { "It judges only with \($0.words)." }
    lines.append("Where events are missing in between, it cannot tell.")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The rule as automata: one for each pattern, with its states and what leads from one to another.
  public var automaton: String {
    var lines = ["\(rule.description.id): \(rule.description.summary)"]
    for pattern in rule.description.patterns {
      lines.append("")
      lines.append("one for each \(pattern.scope.word), from the start of the process to its end:")
      lines += transitions(pattern).map { "  \($0)" }
    }
    if !code.isEmpty { lines += [""] + code }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The states of a pattern, and what leads from one to another.
  private func transitions(_ pattern: RulePattern) -> [String] {
    let transitions = pattern.form.content.transitions(asked: pattern.guardWords)
    let width = transitions.map { $0.from.count }.max() ?? 0
    let target = transitions.map { $0.to.count }.max() ?? 0
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: width - text.count)
    }
    return transitions.map {
      "\(padded($0.from, width)) -> \(padded($0.to, target))  at \($0.event)"
    }
  }

  /// Which part is written in code.
  private var code: [String] {
    var lines: [String] = []
    if !rule.interests.isEmpty {
      let events = rule.interests.map(\.words).joined(separator: "; ")
      let all = rule.description.patterns.isEmpty ? "All of it is" : "A part is"
      lines.append("\(all) written in code, which looks at \(events).")
    }
    if rule.isJudgedByCode {
      lines.append("Whether what a pattern finds is a finding, code decides.")
    }
    return lines
  }

  private func details(_ pattern: RulePattern) -> [String] {
    var lines = pattern.form.content.details
    if let launches = pattern.launches {
      let names = launches.map(\.rawValue).sorted().joined(separator: " or ")
      lines.append("Only in processes that were launched by \(names).")
    }
    if let severity = pattern.severity { lines.append("A finding is \(severity.article).") }
    if let milder = pattern.milder, let mitigation = pattern.mitigation {
      let when =
        switch mitigation {
        case .port: "the events come from another implementation of UIKit"
        case .osMajor(let versions):
          "the system has version \(versions.lowerBound) to \(versions.upperBound), or none is said"
        case .recently(let event, let time):
          "less than \(InstantText.print(time)) ago came \(event.words)"
        }
      lines.append("It is \(milder.article) when \(when).")
    }
    return lines
  }
}
