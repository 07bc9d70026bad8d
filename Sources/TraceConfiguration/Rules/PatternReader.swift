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

    // What cannot be read has a substitute, so that mistakes behind it are told too.
    let keysFit = checkKeys(form)
    let events = events(form)
    let scope = members["per"].map { $0.choice("what to track separately", Scope.self) }
    let read = pattern(
      form, events ?? ReadEvents(unread: members[form] ?? members.owner), scope ?? nil)
    var pattern = read ?? RulePattern(.always(AlwaysForm(.nothing)), per: .app, says: "")
    var isRead = keysFit && events != nil && read != nil
    if case .some(nil) = scope { isRead = false }
    if read != nil, let per = members["per"], !fits(pattern, per) { isRead = false }
    if !readCircumstances(&pattern, form, events?.roles ?? []) { isRead = false }

    if let says = members["says"] {
      if let text = says.prose("a sentence") {
        let offered = DefaultMessage.placeholders(of: pattern)
        checkPlaceholders(says, text, form, read == nil ? DefaultMessage.placeholders : offered)
        pattern.message = text
      } else {
        isRead = false
      }
    }
    return isRead ? pattern : nil
  }

  /// Whether `per` keeps apart what the events of the pattern have.
  private func fits(_ pattern: RulePattern, _ per: YAMLValue) -> Bool {
    let problems = pattern.scopeProblems
    for problem in problems { per.fail(problem) }
    return problems.isEmpty
  }

  private func pattern(_ form: String, _ events: ReadEvents, _ scope: Scope?) -> RulePattern? {
    switch form {
    case "never": never(events, scope)
    case "every": every(events, scope ?? .app)
    case "order": order(events, scope ?? .app)
    case "budget": budget(events, scope ?? .app)
    case "balance": balance(events, scope ?? .app)
    default: count(events, scope ?? .app)
    }
  }

  /// Whether a form has a key.
  func takes(_ key: String, _ form: String) -> Bool {
    PatternReader.ownKeys[form]?.contains(key) ?? false
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
