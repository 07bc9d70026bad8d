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
      lines += RuleAutomaton(pattern).lines.map { "  \($0)" }
    }
    if !code.isEmpty { lines += [""] + code }
    return lines.joined(separator: "\n") + "\n"
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
    var lines: [String] = []
    if case .budget(_, let limits, _) = pattern.form {
      let told = limits.map { "\($0.severity.article) from \(InstantText.print($0.time)) on" }
      lines.append(
        "The limits: \(told.joined(separator: ", ")), of "
          + (pattern.isPerSpan ? "each span by itself." : "all spans together."))
      if pattern.isWhileActive {
        lines.append("Only spans count that begin while the app is active.")
      }
      if pattern.isWhileVisible {
        lines.append(
          "Only spans count that begin while the app is on screen, once it has been active.")
      }
    }
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

extension Severity {
  fileprivate var article: String {
    switch self {
    case .info: "a note"
    case .warning: "a warning"
    case .error: "an error"
    }
  }
}

/// The states of a pattern, and what leads from one to another.
struct RuleAutomaton {
  private let pattern: RulePattern
  private let rows: [(from: String, event: String, to: String)]

  init(_ pattern: RulePattern) {
    self.pattern = pattern
    rows = RuleAutomaton.rows(pattern)
  }

  var lines: [String] {
    let width = rows.map(\.from.count).max() ?? 0
    let target = rows.map(\.to.count).max() ?? 0
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: width - text.count)
    }
    return rows.map { "\(padded($0.from, width)) -> \(padded($0.to, target))  at \($0.event)" }
  }

  private static func rows(_ pattern: RulePattern) -> [(String, String, String)] {
    let asked = pattern.guardWords
    let time = pattern.limit.map { InstantText.print($0.time) }
    switch pattern.form {
    case .window(let culprit, let opening, let closing):
      var rows = [
        ("closed", opening.words, "open"), ("open", opening.words, "open, anew"),
        ("open", culprit.words + asked, "FOUND, closed"),
      ]
      if !closing.isNothing { rows.append(("open", closing.words, "closed")) }
      if let time { rows.append(("open", "\(time) after it was opened", "closed")) }
      return rows
    case .condition(let culprit, let state):
      return [("any", "\(culprit.words), while \(state.words)\(asked)", "FOUND")]
    case .always(let culprit, _): return [("any", culprit.words + asked, "FOUND")]
    case .order(let first, let then, let until, let repetition):
      let again = repetition == .pairs ? "start" : "settled"
      var rows = [("start", first.words, repetition == .pairs ? "first seen" : "settled")]
      if repetition == .mustHaveFirst {
        return rows + [("start", then.words + asked, "FOUND, settled")]
      }
      rows.append(("start", then.words + asked, "too early"))
      if repetition == .pairs { rows.append(("first seen", then.words + asked, "start")) }
      rows.append(("too early", first.words, "FOUND, \(again)"))
      if let until { rows.append(("any", until.words, again)) }
      return rows
    case .every(let trigger, let response, let before):
      var rows = [
        ("idle", trigger.words + asked, "waiting"), ("waiting", response.words, "idle"),
      ]
      if !before.isNothing { rows.append(("waiting", before.words, "FOUND, idle")) }
      if let time { rows.append(("waiting", "\(time) after it began to wait", "FOUND, idle")) }
      return rows
    case .budget(let spans, let limits, let until):
      var rows = [
        (
          "idle",
          spans.words
            + (pattern.isWhileActive
              ? ", while the app is active"
              : pattern.isWhileVisible ? ", while the app is on screen" : asked),
          "spending"
        ), ("spending", spans.endings.words, "idle"),
      ]
      for limit in limits {
        rows.append(
          (
            "spending", "\(InstantText.print(limit.time)) spent",
            "FOUND, \(limit.severity.rawValue)"
          ))
      }
      if !until.isNothing { rows.append(("any", until.words, "idle, nothing spent")) }
      return rows
    case .balance(let opening, let closing):
      return [
        ("closed", opening.words, "open"), ("open", closing.words, "closed"),
        ("closed", closing.words + ", when it was open before", "FOUND"),
        ("open", "the end of the process, past its background time", "FOUND"),
      ]
    case .stretch(let opening, let closing, let cancelling, let allowed):
      return [
        ("before", opening.words, "running"), ("running", cancelling.words, "before"),
        ("running", closing.words + ", within \(InstantText.print(allowed))", "over"),
        ("running", closing.words + ", later", "FOUND, over"),
      ]
    case .mainThread(let code):
      return [("any", "a kill with \(code), when what ran last took little of the time", "FOUND")]
    }
  }
}
