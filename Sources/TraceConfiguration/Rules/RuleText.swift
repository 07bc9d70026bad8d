import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// A rule as YAML, from which people start their own.
public struct RuleText {
  private let rule: ActiveRule

  /// Makes a text of `rule`.
  public init(_ rule: ActiveRule) { self.rule = rule }

  /// Why YAML cannot say all of the rule; empty when it can.
  public var unsayable: [String] {
    var reasons: [String] = []
    if !rule.interests.isEmpty {
      reasons.append("code checks \(rule.interests.map(\.words).joined(separator: ", "))")
    }
    if rule.isJudgedByCode { reasons.append("code decides which matches are findings") }
    for pattern in rule.description.patterns where PatternText(pattern).isSayable == false {
      reasons.append("YAML cannot express: \(pattern.words)")
    }
    return reasons
  }

  /// The rule as an item of `patterns`, under an id of its own; `nil` when YAML cannot say it.
  public var yaml: String? {
    guard unsayable.isEmpty, !rule.description.patterns.isEmpty else { return nil }
    var writer = YAMLWriter()
    for source in rule.description.sources {
      writer.comment("source: \(source.title) [\(source.key)]")
    }
    writer.list("patterns", [rule.description]) { write(&$0, $1) }
    return writer.text
  }

  /// The id of the copy: ids of the catalogue are taken.
  public static func copiedID(_ id: String) -> String {
    RuleRegistry.all.contains { $0.description.id == id } ? "own-" + id : id
  }

  private func write(_ writer: inout YAMLWriter, _ rule: RuleDescription) {
    writer.raw("id", RuleText.copiedID(rule.id))
    writer.paragraph("summary", rule.summary)
    writer.raw("severity", rule.severity.rawValue)
    writer.paragraph("why", rule.why)
    writer.paragraph("remedy", rule.remedy)
    writer.paragraph("limits", rule.limits)
    rule.needs.write(&writer)

    if rule.patterns.count == 1, rule.patterns[0].severity == nil, rule.patterns[0].needs == nil {
      PatternText(rule.patterns[0]).write(&writer)
    } else {
      writer.list("parts", rule.patterns) { PatternText($1).write(&$0) }
    }

    writeExamples(&writer, "clean", rule.examples.filter { !$0.isViolating && !$0.isUndecided })
    writeExamples(&writer, "cannot-tell", rule.examples.filter(\.isUndecided))
    writeExamples(&writer, "violating", rule.examples.filter(\.isViolating))
  }

  private func writeExamples(
    _ writer: inout YAMLWriter, _ key: String, _ examples: [RuleExample]
  ) {
    if examples.isEmpty { return }
    writer.list(key, examples) { writer, example in
      writer.scalar("title", example.title)
      writer.block("trace", example.notation)
    }
  }
}

extension RuleNeeds {
  /// Writes the keys that say what a rule, or a part of one, must know.
  fileprivate func write(_ writer: inout YAMLWriter) {
    if !profile.isEmpty { writer.members("profile") { writeProfile(&$0) } }
    let items = hooks.map { hooks in
      hooks.count == 1 ? hooks[0].rawValue : "[\(hooks.map(\.rawValue).joined(separator: ", "))]"
    }
    if hooks.isEmpty { return }
    writer.raw("hooks", "[\(items.joined(separator: ", "))]")
  }

  private func writeProfile(_ writer: inout YAMLWriter) {
    var said: [String] = []
    for condition in profile {
      switch condition {
      case .mode(let mode): writer.raw("mode", mode.rawValue)
      case .scenesPossible: writer.raw("scenes", "possible")
      case .noDebugger: writer.raw("debugger", "false")
      case .noSimulator: writer.raw("simulator", "false")
      case .noCatalyst: writer.raw("catalyst", "false")
      case .osMajor(let first): writer.raw("os", "\(first)")
      case .says(let key): said.append(key.rawValue)
      }
    }
    if !said.isEmpty { writer.values("says", said) }
  }
}

/// A pattern as the keys that say it.
struct PatternText {
  let pattern: RulePattern

  init(_ pattern: RulePattern) { self.pattern = pattern }

  /// Whether there are keys for all of it.
  var isSayable: Bool {
    switch pattern.form {
    case .window, .condition, .always, .order, .every, .balance, .count: break
    case .budget(let form):
      if form.counts == .whileVisible { return false }
      if Set(form.limits.map(\.severity)).count != form.limits.count { return false }
    default: return false
    }
    var events = pattern.form.content.events + states.compactMap(\.span?.begin)
    if case .recently(let event, _) = pattern.mitigation { events.append(event) }
    return events.allSatisfy { $0.isNothing || $0.writtenItems != nil }
  }

  /// The states that count, in which an event does or does not.
  private var states: [StateCondition] {
    var states = pattern.guards.holding + pattern.guards.notHolding
    if case .condition(let form) = pattern.form { states.append(form.state) }
    return states
  }

  func write(_ writer: inout YAMLWriter) {
    writeForm(&writer)
    if hasScope { writer.raw("per", pattern.scope.rawValue) }
    switch pattern.form {
    case .window(let form): write(&writer, form.limit)
    case .every(let form):
      write(&writer, form.limit)
      for limit in form.milder {
        writer.raw(limit.severity.rawValue, InstantText.print(limit.time))
      }
    case .count(let form): write(&writer, form.limit)
    default: break
    }

    writeStates(&writer)
    if let roles = pattern.roles { writer.values("role", roles.map(\.rawValue).sorted()) }
    if let launches = pattern.launches {
      writer.values("launch", launches.map(\.rawValue).sorted())
    }

    writeMilder(&writer)
    pattern.needs?.write(&writer)
    if let severity = pattern.severity { writer.raw("severity", severity.rawValue) }
    writer.scalar("says", pattern.message)
  }

  private func write(_ writer: inout YAMLWriter, _ limit: TimeLimit?) {
    guard let limit else { return }
    writer.raw("within", InstantText.print(limit.time))
    if limit.clock != .awake { writer.raw("clock", limit.clock.rawValue) }
  }

  private var hasScope: Bool {
    switch pattern.form {
    case .condition, .always: false
    default: true
    }
  }

  private func events(_ writer: inout YAMLWriter, _ key: String, _ events: EventPattern) {
    writer.values(key, events.writtenItems ?? [])
  }

  private func writeForm(_ writer: inout YAMLWriter) {
    switch pattern.form {
    case .window(let form):
      events(&writer, "never", form.culprit)
      writer.members("between") { writer in
        events(&writer, "from", form.opening)
        if form.closing.isNothing {
          writer.raw("until", EventWords.processEnd)
        } else {
          events(&writer, "until", form.closing)
        }
      }
    case .condition(let form): events(&writer, "never", form.culprit)
    case .always(let form):
      events(&writer, "never", form.culprit)
      if let exercisedBy = form.exercisedBy { events(&writer, "exercised-by", exercisedBy) }
    case .order(let form):
      events(&writer, "order", form.first)
      events(&writer, "then", form.then)
      if form.repetition != .pairs { writer.raw("how", OrderWord(form.repetition).rawValue) }
      if let until = form.until { events(&writer, "until", until) }
    case .every(let form):
      events(&writer, "every", form.trigger)
      events(&writer, "then", form.response)
      if !form.end.isNothing { events(&writer, "before", form.end) }
    case .budget(let form):
      events(&writer, "budget", form.spans)
      for limit in form.limits {
        writer.raw(limit.severity.rawValue, InstantText.print(limit.time))
      }
      writer.raw("of", (form.isPerSpan ? BudgetWord.each : .sum).rawValue)
      if !form.until.isNothing { events(&writer, "until", form.until) }
      if form.clock != .awake { writer.raw("clock", form.clock.rawValue) }
    case .balance(let form):
      events(&writer, "balance", form.opening)
      events(&writer, "closed-by", form.closing)
      writer.scalar("closed-again", form.closedAgain)
    case .count(let form):
      events(&writer, "count", form.counted)
      writer.raw("times", "\(form.times)")
    default: break
    }
  }

  private func writeStates(_ writer: inout YAMLWriter) {
    var holding = pattern.guards.holding
    switch pattern.form {
    case .condition(let form): holding.insert(form.state, at: 0)
    case .budget(let form): if form.counts == .whileActive { holding.append(.appActive) }
    default: break
    }

    func write(_ key: String, _ states: [StateCondition]) {
      if states.isEmpty { return }
      let words = states.map(StateWords.print)
      writer.raw(key, words.count == 1 ? words[0] : "[\(words.joined(separator: ", "))]")
    }
    write("while", holding)
    write("unless", pattern.guards.notHolding)
  }

  private func writeMilder(_ writer: inout YAMLWriter) {
    guard let milder = pattern.milder, let mitigation = pattern.mitigation else { return }
    writer.members("milder") { writer in
      writer.raw("severity", milder.rawValue)
      switch mitigation {
      case .port: writer.raw("on-ports", "true")
      case .osMajor(let versions):
        writer.raw("os", "\(versions.lowerBound)..\(versions.upperBound)")
      case .recently(let event, let time):
        events(&writer, "after", event)
        writer.raw("within", InstantText.print(time))
      }
    }
  }
}
