import LifecycleModel
import TraceAnalysis
import YAMLReading

/// Reads one pattern of a rule: what it looks for, and in which circumstances.
struct PatternReader {
  let members: YAMLMembers
  /// The keys that say which form it is; one of them stands there.
  static let forms = ["never", "every", "order", "budget", "balance", "count"]

  /// The keys that a form can have beside those that every form has.
  private static let ownKeys = [
    "never": ["between", "exercised-by", "within", "while", "unless", "clock"],
    "every": ["then", "before", "within", "info", "warning", "while", "unless", "clock"],
    "order": ["then", "how", "until", "while", "unless"],
    "budget": ["info", "warning", "error", "of", "until", "while", "unless", "clock"],
    "balance": ["closed-by", "closed-again"],
    "count": ["times", "within", "while", "unless", "clock"],
  ]

  /// The pattern; `nil` when a part cannot be read.
  func read() -> RulePattern? {
    let present = PatternReader.forms.filter { members[$0] != nil }
    guard let form = present.first, present.count == 1 else {
      let list = PatternReader.forms.joined(separator: ", ")
      members.owner.fail(
        present.isEmpty
          ? "expected one of the keys \(list)"
          : "expected one of the keys \(list), found \(present.joined(separator: " and "))")
      return nil
    }

    guard checkKeys(form), let events = events(form) else { return nil }
    let scope = members["per"]?.choice("what to track separately", Scope.self)
    if members["per"] != nil, scope == nil { return nil }
    var pattern: RulePattern?

    switch form {
    case "never": pattern = never(events, scope)
    case "every": pattern = every(events, scope ?? .app)
    case "order": pattern = order(events, scope ?? .app)
    case "budget": pattern = budget(events, scope ?? .app)
    case "balance": pattern = balance(events, scope ?? .app)
    default: pattern = count(events, scope ?? .app)
    }

    guard var pattern, readCircumstances(&pattern, events) else { return nil }
    if let says = members["says"] {
      guard let text = says.text("a sentence") else { return nil }
      checkPlaceholders(says, text)
      pattern.message = text
    }
    return pattern
  }

  private func checkKeys(_ form: String) -> Bool {
    let all = Set(PatternReader.ownKeys.values.joined())
    let own = PatternReader.ownKeys[form] ?? []
    let wrong = members.present.filter { all.contains($0) && !own.contains($0) }
    for key in wrong {
      members[key]?.fail(
        "\"\(key)\" cannot be used with \"\(form)\", which takes \(own.joined(separator: ", "))")
    }
    return wrong.isEmpty
  }

  func events(_ key: String) -> ReadEvents? { members[key].flatMap { ReadEvents($0) } }

  /// Events that no finding names.
  func helper(_ value: YAMLValue) -> EventPattern? {
    guard let read = ReadEvents(value) else { return nil }
    if !read.roles.isEmpty {
      value.fail("role= applies to the event that a finding names; use the key \"role\"")
    }
    return read.pattern
  }

  func required(_ key: String, _ form: String) -> EventPattern? {
    if members[key] == nil {
      members.owner.fail("expected the key \"\(key)\" with \"\(form)\"")
    }
    return members[key].flatMap(helper)
  }

  /// Events that may be absent; `nil` when they are there and cannot be read.
  func optional(_ key: String) -> EventPattern?? {
    guard let value = members[key] else { return .some(nil) }
    return helper(value).map { .some($0) }
  }
}
