import LifecycleModel
import TraceAnalysis
import YAMLReading

/// Reads the values of a configuration; every problem is told, not only the first.
struct ConfigurationReader {
  private(set) var configuration = Configuration()
  /// The settings and suppressions, held back until all rules are known.
  private var settings: [YAMLValue] = []
  private var suppressions: [YAMLValue] = []
  /// The paths that are named for files of rules; `nil` for the usual ones.
  private(set) var ruleFiles: [YAMLValue]?

  /// Reads the main file; an empty one is one that says nothing.
  mutating func read(_ document: YAMLValue?, name: String) {
    configuration.files.append(name)
    guard let document, !document.isEmpty,
      let members = document.members(.configuration(rules: []))
    else { return }

    if let rules = members["rules"], !rules.isEmpty { settings = [rules] }
    if let value = members["suppressions"], !value.isEmpty {
      suppressions = value.list("a list of suppressions") ?? []
    }

    if let budgets = members["budgets"], !budgets.isEmpty {
      for value in budgets.list("a list of budgets") ?? [] {
        if let rule = BudgetRule(value)?.rule { add(rule) }
      }
    }

    configuration.budgetCount = configuration.ownRules.count
    readPatterns(members["patterns"])
    if let failOn = members["fail-on"] {
      let known = Severity.allCases.map(\.rawValue) + ["never"]
      if let word = failOn.word("a severity, or never", known) {
        configuration.failOn = .init(value: word, place: failOn.place)
      }
    }

    if let strict = members["strict"], let flag = strict.flag() {
      configuration.strict = .init(value: flag, place: strict.place)
    }
    for item in members["requires-hooks"]?.items ?? [] {
      if let word = item.word("a hook", Hook.allCases.map(\.rawValue)),
        let hook = Hook(rawValue: word)
      {
        configuration.requiredHooks.append(.init(value: hook, place: item.place))
      }
    }

    if let baseline = members["baseline"], let path = baseline.text("a path") {
      configuration.baseline = .init(value: path, place: baseline.place)
    }
    if let profile = members["profile"], !profile.isEmpty { readProfile(profile) }
    if let output = members["output"], !output.isEmpty { readOutput(output) }
    if let files = members["rule-files"] { ruleFiles = files.items }
  }

  /// Reads a file that holds nothing but rules.
  mutating func readRules(_ document: YAMLValue?, name: String) {
    configuration.files.append(name)
    guard let document, !document.isEmpty, let members = document.members(.ruleFile) else { return }
    readPatterns(members["patterns"])
  }

  private mutating func readPatterns(_ value: YAMLValue?) {
    guard let value, !value.isEmpty else { return }
    for item in value.list("a list of rules") ?? [] {
      if let rule = RuleReader(item)?.read() { add(rule, item) }
    }
  }

  private mutating func add(_ rule: OwnRule, _ value: YAMLValue? = nil) {
    let id = rule.description.id
    if let known = configuration.ownRules.first(where: { $0.description.id == id }) {
      value?.fail("rule \(id) already exists at \(known.place)")
      return
    }
    configuration.ownRules.append(rule)
  }

  private mutating func add(_ budget: (rule: OwnRule, value: YAMLValue)) {
    add(budget.rule, budget.value)
  }

  private mutating func readProfile(_ value: YAMLValue) {
    guard let members = value.members(.answers) else { return }
    func add(_ key: AttributeKey, _ text: String, _ value: YAMLValue) {
      configuration.profile.append(.init(value: Attribute(key, text), place: value.place))
    }
    if let value = members["mode"],
      let mode = value.word("a mode", Profile.Mode.allCases.map(\.rawValue))
    {
      add(.mode, mode, value)
    }

    if let value = members["os"], let os = value.text("a version") {
      add(.os, os, value)
      if configuration.answers.osMajor == nil { value.expected("a version such as 18.2") }
    }

    if let value = members["background-modes"] {
      let known = ["none"] + Profile.knownBackgroundModes
      let modes = value.items.compactMap { $0.word("a background mode, or none", known) }
      add(.backgroundModes, modes.joined(separator: ","), value)
    }
  }

  private mutating func readOutput(_ value: YAMLValue) {
    guard let members = value.members(.output) else { return }
    for item in members["format"]?.items ?? [] {
      if let text = item.text("a format") {
        configuration.formats.append(.init(value: text, place: item.place))
      }
    }

    if let color = members["color"] {
      if let word = color.word("a setting of colors", ["auto", "always", "never"]) {
        configuration.color = .init(value: word, place: color.place)
      }
    }
  }

  // MARK: What names rules

  /// Reads what names rules, once all of them are known.
  mutating func finish() {
    let known = configuration.knownRules.map(\.description)
    for value in settings {
      for (key, setting) in value.mapping("a mapping from rules to settings") ?? [] {
        guard let id = id(key, known), let read = read(setting, key) else { continue }
        guard let other = configuration.rules[id] else {
          configuration.rules[id] = read
          continue
        }

        // Rules that have become one were set apart before.
        let isFormer = known.contains { $0.id == id && $0.formerNames.contains(key.scalar ?? "") }
        let message = "\(id) is already set at \(other.place)"
        if isFormer { key.warn("\(message); this line has no effect") } else { key.fail(message) }
      }
    }

    for value in suppressions {
      if let suppression = suppression(value, known) {
        configuration.suppressions.append(suppression)
      }
    }
  }

  /// The id of the rule that a value names, by its id, its former id or its number.
  private func id(_ value: YAMLValue, _ known: [RuleDescription]) -> String? {
    if let name = value.scalar, let rule = known.first(where: { $0.isCalled(name) }) {
      if rule.formerNames.contains(name) { value.warn("\(name) is called \(rule.id) now") }
      return rule.id
    }
    value.expected("a rule", oneOf: known.map(\.id))
    return nil
  }

  private func read(_ value: YAMLValue, _ key: YAMLValue) -> Configuration.RuleSetting? {
    var word: String?
    var reason: String?
    if value.isMapping {
      guard let members = value.members(.setting) else { return nil }
      word = members["severity"]?.word("a setting", MappingSchema.settings)
      reason = members["reason"].flatMap { $0.prose("a reason") }
    } else {
      word = value.word("a setting", MappingSchema.settings)
    }

    guard let word else { return nil }
    return Configuration.RuleSetting(
      isOn: word != "off", severity: Severity(rawValue: word), reason: reason, place: key.place)
  }

  private func suppression(_ value: YAMLValue, _ known: [RuleDescription]) -> Suppression? {
    guard let members = value.members(.suppression) else { return nil }
    let rule = members["rule"].flatMap { id($0, known) }
    let reason = members["reason"]?.prose("a reason")
    var expires: CalendarDay?

    if let value = members["expires"] {
      expires = value.scalar.flatMap { CalendarDay($0) }
      if expires == nil { value.expected("a day such as 2027-01-31") }
    }

    let subject = members["subject"].flatMap { $0.text("a subject") }
    if let value = members["subject"], let subject, !Suppression.isSubject(subject) {
      value.expected("app, scene, session, task, or a numbered subject such as scene:2")
    }

    let fingerprint = members["fingerprint"].flatMap { $0.text("a fingerprint") }
    if let value = members["fingerprint"], let fingerprint,
      fingerprint.wholeMatch(of: /[0-9a-f]{8,64}/) == nil
    {
      value.expected("a fingerprint as printed in reports")
    }
    let label = members["label"].flatMap { $0.text("a label") }
    guard let rule, let reason else { return nil }

    return Suppression(
      rule: rule, subject: subject, label: label, fingerprint: fingerprint, reason: reason,
      expires: expires, place: value.place)
  }
}

extension Suppression {
  fileprivate static func isSubject(_ text: String) -> Bool {
    text == "app" || text == "nil" || text == "none"
      || text.wholeMatch(of: /(scene|session|task)(:\d+)?/) != nil
  }
}
