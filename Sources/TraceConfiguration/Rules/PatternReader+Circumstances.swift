import LifecycleModel
import TraceAnalysis
import TraceText
import YAMLReading

/// What every form can have: states, times, roles, launches and sentences.
extension PatternReader {
  func readCircumstances(_ pattern: inout RulePattern, _ events: ReadEvents) -> Bool {
    var holding = members["while"].map(StateWords.read) ?? []
    let notHolding = members["unless"].map(StateWords.read) ?? []
    if holding.count < members["while"]?.items.count ?? 0 { return false }
    if notHolding.count < members["unless"]?.items.count ?? 0 { return false }
    StateWords.check(while: holding, unless: notHolding)
    if case .condition = pattern.form, let first = holding.firstIndex(where: \.isOfFacts) {
      holding.remove(at: first)
    }
    if case .budget(var form) = pattern.form, holding.first?.word == "app-active",
      holding.count == 1
    {
      form.counts = .whileActive
      pattern.form = .budget(form)
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
      if case .budget(var form) = pattern.form {
        form.clock = clock
        pattern.form = .budget(form)
      } else if members["within"] == nil {
        value.fail("\"clock\" needs a time: expected the key \"within\"")
        return false
      }
    }

    guard let within = members["within"] else { return true }
    guard let time = within.time() else { return false }

    let limit = TimeLimit(time, by: clock)
    switch pattern.form {
    case .window(var form):
      form.limit = limit
      pattern.form = .window(form)
    case .every(var form):
      form.limit = limit
      guard readMilder(&form) else { return false }
      pattern.form = .every(form)
    case .count(var form):
      form.limit = limit
      pattern.form = .count(form)
    default: break
    }
    return true
  }

  /// The times before the last from which on it is less serious that nothing has come.
  private func readMilder(_ form: inout EveryForm) -> Bool {
    if members["info"] == nil && members["warning"] == nil { return true }
    guard let limits = BudgetReader.limits(members) else { return false }
    if let last = limits.last, let limit = form.limit, last.time >= limit.time {
      members[last.severity.rawValue]?.fail(
        "expected less than the \(InstantText.print(limit.time)) of \"within\"")
      return false
    }
    form.milder = limits
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
    let reasons = value.items.map { $0.choice("a launch reason", LaunchReason.self) }
    if reasons.contains(nil) { return false }
    pattern.launches = Set(reasons.compactMap(\.self))
    return true
  }

  func checkPlaceholders(_ value: YAMLValue, _ text: String) {
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
