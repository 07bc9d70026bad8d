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
      lines.append("It reports violations of this pattern: \(pattern.words).")
      lines += details(pattern).map { "  \($0)" }
    }

    lines += code
    lines.append(
      rule.severity == nil
        ? "A finding is at most \(severity.article)."
        : "Every finding is \(severity.article), because the configuration sets it.")

    lines += description.needs.sentences
    lines.append("It cannot tell if events are missing in between.")
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
      lines.append("\(all) written in code, which checks \(events).")
    }
    if rule.isJudgedByCode {
      lines.append("Code decides whether a match of the pattern is a finding.")
    }
    return lines
  }

  private func details(_ pattern: RulePattern) -> [String] {
    var lines = pattern.form.content.details
    if let launches = pattern.launches {
      let names = launches.map(\.rawValue).sorted().joined(separator: " or ")
      lines.append("It applies only to processes launched by \(names).")
    }

    if let needs = pattern.needs { lines += needs.sentences }
    if let severity = pattern.severity { lines.append("A finding is \(severity.article).") }
    if let milder = pattern.milder, let mitigation = pattern.mitigation {
      let when =
        switch mitigation {
        case .port: "the events come from a UIKit port"
        case .osMajor(let versions):
          "the system version is \(versions.lowerBound) to \(versions.upperBound), or not stated"
        case .recently(let event, let time):
          "\(event.words) came less than \(InstantText.print(time)) before"
        }
      lines.append("It is \(milder.article) if \(when).")
    }
    return lines
  }
}

extension RuleNeeds {
  /// The needs as sentences about the rule, or about a pattern.
  fileprivate var sentences: [String] {
    hooks.map { hooks in
      "It cannot tell if \(hooks.map(\.rawValue).joined(separator: " and ")) "
        + "\(hooks.count == 1 ? "is" : "are") not recorded."
    } + profile.map(\.sentence)
  }
}

extension RuleNeeds.ProfileCondition {
  /// The condition as a sentence about the rule.
  fileprivate var sentence: String {
    switch self {
    case .mode(let mode): "It applies only if the profile states mode=\(mode.rawValue)."
    case .scenesPossible: "It does not apply if the profile states mode=app."
    case .noDebugger: "It does not apply if the profile states debugger=true."
    case .noSimulator: "It does not apply if the profile states simulator=true."
    case .noCatalyst: "It does not apply if the profile states platform=catalyst."
    case .says(let key): "It cannot tell if the profile does not state \(key.rawValue)."
    case .osMajor(let first): "It applies only if the profile states os=\(first) or later."
    }
  }
}
