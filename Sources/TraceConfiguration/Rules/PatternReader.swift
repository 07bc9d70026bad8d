import LifecycleModel
import TraceAnalysis

/// Reads one pattern of a rule: what it looks for, and in which circumstances.
struct PatternReader {
  let members: YAMLMembers
  /// The keys that say which form it is; one of them stands there.
  static let forms = ["never", "every", "order", "budget", "balance"]

  /// The keys that a form can have beside those that every form has.
  private static let ownKeys = [
    "never": ["between", "exercised-by", "within", "while", "unless", "clock"],
    "every": ["then", "before", "within", "while", "unless", "clock"],
    "order": ["then", "how", "until", "while", "unless"],
    "budget": ["info", "warning", "error", "of", "until", "while", "unless", "clock"],
    "balance": ["closed-by", "closed-again"],
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
    let scope = members["per"].map { $0.choice("what is kept apart", ScopeWord.self) }
    if case .some(nil) = scope { return nil }
    var pattern: RulePattern?
    switch form {
    case "never": pattern = never(events, scope??.scope)
    case "every": pattern = every(events, scope??.scope ?? .app)
    case "order": pattern = order(events, scope??.scope ?? .app)
    case "budget": pattern = budget(events, scope??.scope ?? .app)
    default: pattern = balance(events, scope??.scope ?? .app)
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
        "\"\(key)\" does not go with \"\(form)\", which takes \(own.joined(separator: ", "))")
    }
    return wrong.isEmpty
  }

  private func events(_ key: String) -> ReadEvents? { members[key].flatMap { ReadEvents($0) } }

  /// Events that no finding names.
  private func helper(_ value: YAMLValue) -> EventPattern? {
    guard let read = ReadEvents(value) else { return nil }
    if !read.roles.isEmpty {
      value.fail("role= goes with the event that a finding names; write the key \"role\"")
    }
    return read.pattern
  }

  private func required(_ key: String, _ form: String) -> EventPattern? {
    if members[key] == nil {
      members.owner.fail("expected the key \"\(key)\" beside \"\(form)\"")
    }
    return members[key].flatMap(helper)
  }

  /// Events that may be absent; `nil` when they are there and cannot be read.
  private func optional(_ key: String) -> EventPattern?? {
    guard let value = members[key] else { return .some(nil) }
    return helper(value).map { .some($0) }
  }

  // MARK: Forms

  private func never(_ culprit: ReadEvents, _ scope: Scope?) -> RulePattern? {
    let message = DefaultMessage.never(isWindow: members["between"] != nil)
    if let between = members["between"] {
      guard let inner = between.members(Shape.between),
        let opening = inner["from"].flatMap(helper)
      else { return nil }
      var closing = EventPattern.nothing
      if let until = inner["until"] {
        if until.scalar != EventWords.processEnd {
          guard let read = helper(until) else { return nil }
          closing = read
        }
      } else if members["within"] == nil {
        between.warn(
          "this window never closes before its process ends, and holds "
            + "\(ScopeWord(scope ?? .app).bound); say until: \(EventWords.processEnd) if that is meant"
        )
      }
      return RulePattern(
        .window(culprit: culprit.pattern, opening: opening, closing: closing),
        per: scope ?? .app, says: message)
    }
    if let within = members["within"] {
      within.fail("\"within\" goes with a window: expected the key \"between\"")
      return nil
    }
    if let per = members["per"], scope != nil {
      per.fail("\"per\" goes with a window: expected the key \"between\"")
      return nil
    }
    let states = members["while"].map(StateWords.read) ?? []
    if let first = states.first {
      return RulePattern(
        .condition(culprit: culprit.pattern, state: first.condition), per: .subject, says: message)
    }
    guard let exercised = optional("exercised-by") else { return nil }
    return RulePattern(
      .always(culprit: culprit.pattern, exercisedBy: exercised), per: .subject, says: message)
  }

  private func every(_ trigger: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let response = required("then", "every"), let before = optional("before") else {
      return nil
    }
    if before == nil && members["within"] == nil {
      members.owner.fail(
        "expected the key \"before\" or \"within\" beside \"every\": "
          + "without an end nothing is ever found")
      return nil
    }
    return RulePattern(
      .every(trigger: trigger.pattern, response: response, before: before ?? .nothing),
      per: scope, says: DefaultMessage.every(isTimed: members["within"] != nil))
  }

  private func order(_ first: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let until = optional("until") else { return nil }
    guard let value = members["then"] else {
      members.owner.fail("expected the key \"then\" beside \"order\"")
      return nil
    }
    guard let then = ReadEvents(value) else { return nil }
    var word = OrderWord.pairs
    if let how = members["how"] {
      guard let read = how.choice("how often an order can be kept", OrderWord.self) else {
        return nil
      }
      word = read
    }
    if word == .begins, until != nil {
      members["until"]?.fail("\"until\" does not go with \"how: begins\"")
      return nil
    }
    if !first.roles.isEmpty {
      first.value.fail("role= goes with the event that a finding names; write the key \"role\"")
    }
    var pattern = RulePattern(
      .order(first: first.pattern, then: then.pattern, until: until, word.repetition), per: scope,
      says: DefaultMessage.order)
    if !then.roles.isEmpty { pattern.roles = Set(then.roles) }
    return pattern
  }

  private func budget(_ spans: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let limits = BudgetReader.limits(members), let until = optional("until") else {
      return nil
    }
    var spans = spans
    // Work that is an instant takes no time.
    spans.pattern = .any(of: spans.pattern.branches.map(\.withoutInstants))
    let hasEnds = spans.pattern.branches.flatMap(\.alternatives).allSatisfy { alternative in
      SpanFamily.allCases.contains { $0.opening == alternative.verb }
    }
    guard hasEnds, !spans.pattern.isNothing else {
      spans.value.fail(
        "a budget is for what begins and ends: call, observe, work.begin, acquire, task.begin, "
          + "task.expire and the like")
      return nil
    }
    var isSum = false
    if let of = members["of"] {
      guard let word = of.choice("what is limited", BudgetWord.self) else { return nil }
      isSum = word == .sum
    }
    var pattern = RulePattern(
      .budget(spans: spans.pattern, limits: limits, until: until ?? .nothing), per: scope,
      says: DefaultMessage.budget)
    pattern.isPerSpan = !isSum
    BudgetReader.checkDocumented(spans.pattern, limits, members)
    return pattern
  }

  private func balance(_ opening: ReadEvents, _ scope: Scope) -> RulePattern? {
    guard let closing = required("closed-by", "balance") else { return nil }
    var pattern = RulePattern(
      .balance(opening: opening.pattern, closing: closing), per: scope,
      says: DefaultMessage.unclosed)
    pattern.secondMessage = DefaultMessage.closedAgain
    if let again = members["closed-again"] {
      guard let text = again.text("a sentence") else { return nil }
      checkPlaceholders(again, text)
      pattern.secondMessage = text
    }
    return pattern
  }

  // MARK: Circumstances

  private func readCircumstances(_ pattern: inout RulePattern, _ events: ReadEvents) -> Bool {
    var holding = members["while"].map(StateWords.read) ?? []
    let notHolding = members["unless"].map(StateWords.read) ?? []
    if holding.count < members["while"]?.items.count ?? 0 { return false }
    if notHolding.count < members["unless"]?.items.count ?? 0 { return false }
    StateWords.check(while: holding, unless: notHolding)
    if case .condition = pattern.form { holding.removeFirst() }
    if case .budget = pattern.form, holding.first?.word == "app-active", holding.count == 1 {
      pattern.isWhileActive = true
      holding = []
    }
    pattern.guards = StateGuard(
      while: holding.map(\.condition), unless: notHolding.map(\.condition))
    guard readTime(&pattern), readRoles(&pattern, events), readLaunches(&pattern) else {
      return false
    }
    guard let milder = members["milder"] else { return true }
    return MilderReader.read(milder, &pattern)
  }

  private func readTime(_ pattern: inout RulePattern) -> Bool {
    var clock = TimeLimit.Clock.awake
    if let value = members["clock"] {
      guard let read = value.choice("a clock", TimeLimit.Clock.self) else { return false }
      clock = read
      if case .budget = pattern.form {
        pattern.clock = clock
      } else if members["within"] == nil {
        value.fail("\"clock\" goes with a time: expected the key \"within\"")
        return false
      }
    }
    guard let within = members["within"] else { return true }
    guard let time = within.time() else { return false }
    pattern.limit = TimeLimit(time, by: clock)
    return true
  }

  private func readRoles(_ pattern: inout RulePattern, _ events: ReadEvents) -> Bool {
    var roles = Array(pattern.roles ?? []) + (isOrder(pattern) ? [] : events.roles)
    for item in members["role"]?.items ?? [] {
      guard let role = item.choice("a role of a scene", SceneRole.self) else { return false }
      roles.append(role)
    }
    if !roles.isEmpty { pattern.roles = Set(roles) }
    return true
  }

  private func isOrder(_ pattern: RulePattern) -> Bool {
    if case .order = pattern.form { true } else { false }
  }

  private func readLaunches(_ pattern: inout RulePattern) -> Bool {
    guard let value = members["launch"] else { return true }
    let reasons = value.items.map { $0.choice("a reason for a launch", LaunchReason.self) }
    if reasons.contains(nil) { return false }
    pattern.launches = Set(reasons.compactMap(\.self))
    return true
  }

  private func checkPlaceholders(_ value: YAMLValue, _ text: String) {
    for match in text.matches(of: /\{([^}]*)\}/) {
      let word = String(match.1)
      if DefaultMessage.placeholders.contains(word) { continue }
      let near = NearestWord.of(word, in: DefaultMessage.placeholders)
      value.fail(
        "there is no {\(word)}" + (near.map { "; did you mean {\($0)}?" } ?? "")
          + "; known: \(DefaultMessage.placeholders.joined(separator: ", "))")
    }
  }
}

extension EventPattern {
  fileprivate var withoutInstants: EventPattern {
    var pattern = self
    pattern.alternatives.removeAll { $0.verb == .work }
    return pattern
  }
}

/// When a finding of a pattern is less serious.
enum MilderReader {
  /// Reads it into `pattern`; whether that went well.
  static func read(_ value: YAMLValue, _ pattern: inout RulePattern) -> Bool {
    guard let members = value.members(Shape.milder),
      let severity = members["severity"]?.choice("a severity", Severity.self)
    else { return false }
    let ways = ["on-ports", "os", "after"].filter { members[$0] != nil }
    guard ways.count == 1 else {
      value.fail("expected one of the keys on-ports, os and after beside \"severity\"")
      return false
    }
    guard let mitigation = mitigation(members) else { return false }
    pattern.milder = severity
    pattern.mitigation = mitigation
    return true
  }

  private static func mitigation(_ members: YAMLMembers) -> RulePattern.Mitigation? {
    if let ports = members["on-ports"] {
      guard ports.flag() == true else {
        ports.expected("true")
        return nil
      }
      return .port
    }
    if let os = members["os"] {
      let bounds = os.scalar?.split(separator: ".").compactMap { Int($0) } ?? []
      guard let first = bounds.first, let last = bounds.last, bounds.count <= 2, first <= last
      else {
        os.expected("major versions such as 11..12")
        return nil
      }
      return .osMajor(first...last)
    }
    guard let after = members["after"].flatMap({ ReadEvents($0) }) else { return nil }
    guard let within = members["within"] else {
      after.value.fail("expected the key \"within\" beside \"after\"")
      return nil
    }
    return within.time().map { .recently(after.pattern, $0) }
  }
}

/// What findings say where a rule has no sentence of its own.
enum DefaultMessage {
  static let placeholders = [
    "name", "subject", "label", "writer", "opener", "since", "holder", "held", "elapsed", "allowed",
  ]

  static func never(isWindow: Bool) -> String {
    isWindow
      ? "{name} {label} came after {opener} at {since}" : "{name} {label} came where it must not"
  }
  static func every(isTimed: Bool) -> String {
    isTimed
      ? "{name} {label} had no response within {allowed}" : "{name} {label} had no response"
  }
  static let order = "{name} {label} came before what has to come first"
  static let budget = "{name} {label} took {elapsed} of {allowed}"
  static let unclosed = "{name} {label} was never closed: open for {elapsed} in the background"
  static let closedAgain = "{name} {label} closed again what was closed at {since}"
}
