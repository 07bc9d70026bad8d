import TraceAnalysis
import YAMLReading

/// Makes a configuration of what its files say; every problem is reported, not only the first.
struct ConfigurationReader {
  /// What is wrong in the files.
  let problems = ProblemList()
  private var configuration = Configuration()
  /// What names rules, held back until all rules are known.
  private var settings: [(rule: YAMLValue, setting: Configuration.RuleSetting?)] = []
  private var suppressions: [(rule: YAMLValue, suppression: Suppression?)] = []
  /// The paths of files of rules; `nil` for the usual ones.
  private(set) var ruleFiles: [YAMLValue]?

  /// Reads a whole configuration, or a file of rules; an empty one says nothing.
  mutating func read(_ bytes: [UInt8], _ name: String, isWhole: Bool) {
    configuration.files.append(name)
    let document = YAMLFile(name: name, problems: problems).parse(bytes)
    guard let document, !document.isEmpty else { return }
    guard isWhole else { return add(RuleFileKeys.read(document)) }
    guard let keys = ConfigurationKeys.read(document) else { return }

    settings = keys.rules.value ?? settings
    suppressions = keys.suppressions.value ?? suppressions
    add(keys.budgets.value)
    configuration.budgetCount = configuration.ownRules.count
    add(keys.patterns.value)

    configuration.failOn = keys.failOn.value
    configuration.strict = keys.strict.value
    configuration.requiredHooks = keys.requiresHooks.value ?? []
    configuration.baseline = keys.baseline.value
    configuration.profile = keys.profile.value ?? []
    configuration.formats = keys.output.value?.format.value ?? []
    configuration.color = keys.output.value?.color.value
    ruleFiles = keys.ruleFiles.value
  }

  private mutating func add(_ rules: [OwnRule]?) {
    for rule in rules ?? [] {
      let id = rule.description.id
      if let known = configuration.ownRules.first(where: { $0.description.id == id }) {
        problems.add(.error, rule.place, "rule \(id) already exists at \(known.place)")
      } else {
        configuration.ownRules.append(rule)
      }
    }
  }

  /// Applies what names rules, once all of them are known, and returns all that was read.
  mutating func finish() -> ConfigurationFiles.Result {
    let known = configuration.knownRules.map(\.description)
    for (name, setting) in settings {
      guard let id = id(name, known), let setting else { continue }
      guard let other = configuration.rules[id] else {
        configuration.rules[id] = setting
        continue
      }

      // Rules that have become one were set apart before.
      let isFormer = known.contains { $0.id == id && $0.formerNames.contains(name.scalar ?? "") }
      let message = "\(id) is already set at \(other.place)"
      if isFormer { name.warn("\(message); this line has no effect") } else { name.fail(message) }
    }

    for (name, suppression) in suppressions {
      guard let id = id(name, known), var suppression else { continue }
      suppression.rule = id
      configuration.suppressions.append(suppression)
    }

    if let excess = RuleLimits.excess(configuration.activeRules),
      let rule = configuration.ownRules.first(where: { $0.description.id == excess.rule })
    {
      problems.add(.error, rule.place, "\(excess)")
    }
    return ConfigurationFiles.Result(
      configuration: configuration, problems: configuration.inOrder(problems.problems))
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
}
