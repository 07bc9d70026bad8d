import LifecycleModel
import TraceAnalysis
import TraceText
import YAMLReading

/// What every form can have: states, times, roles, launches and sentences.
extension PatternReader {
  /// Reads them into `pattern`; whether all can be read.
  ///
  /// `roles` are those of the form's events.
  func readCircumstances(
    _ pattern: inout RulePattern, _ form: String, _ roles: [SceneRole]
  ) -> Bool {
    let isRead = [
      readStates(&pattern), readTime(&pattern, form), readRoles(&pattern, roles),
      readLaunches(&pattern), members["milder"].map { MilderReader.read($0, &pattern) } ?? true,
    ]
    return !isRead.contains(false)
  }

  private func readStates(_ pattern: inout RulePattern) -> Bool {
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
    return true
  }

  private func readTime(_ pattern: inout RulePattern, _ word: String) -> Bool {
    var clock: TimeLimit.Clock? = .awake
    if takes("clock", word), let value = members["clock"] {
      clock = value.choice("a clock", TimeLimit.Clock.self)
      if case .budget(var form) = pattern.form {
        form.clock = clock ?? .awake
        pattern.form = .budget(form)
      } else if word != "budget", members["within"] == nil {
        value.fail("\"clock\" needs a time: expected the key \"within\"")
        return false
      }
    }

    let within = takes("within", word) ? members["within"].map { $0.time() } : nil
    guard let clock else { return false }
    guard let within else { return true }
    guard let time = within else { return false }

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

  private func readRoles(_ pattern: inout RulePattern, _ ofEvents: [SceneRole]) -> Bool {
    let chosen = (members["role"]?.items ?? []).map {
      $0.choice("a role of a scene", SceneRole.self)
    }
    if chosen.contains(nil) { return false }

    let roles =
      Array(pattern.roles ?? []) + (isOrder(pattern) ? [] : ofEvents) + chosen.compactMap(\.self)
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

  /// Tells what a sentence asks for and nobody fills; `word` is the key that has only what is `offered`.
  func checkPlaceholders(
    _ value: YAMLValue, _ text: String, _ word: String, _ offered: [String]
  ) {
    let list = offered.map { "{\($0)}" }.joined(separator: ", ")
    for match in text.matches(of: /\{([^{}]*)\}/) {
      let name = String(match.1)
      if offered.contains(name) { continue }
      let isKnown = DefaultMessage.placeholders.contains(name)
      let near = isKnown ? nil : NearestWord.of(name, in: offered)
      value.fail(
        (isKnown ? "\"\(word)\" cannot fill {\(name)} here" : "there is no {\(name)}")
          + (near.map { "; did you mean {\($0)}?" } ?? "") + "; known: \(list)")
    }

    let rest = text.replacing(/\{[^{}]*\}/, with: "")
    if let open = rest.firstIndex(of: "{") {
      let found = YAMLValue.quoted(rest[open...].prefix { $0 != " " })
      value.fail("expected } at the end of a placeholder, found \(found); known: \(list)")
    }
  }
}
