import LifecycleModel
import LifecycleRules
import TraceAnalysis
import YAMLReading

/// Reads a rule of one's own.
struct RuleReader {
  private let members: YAMLMembers

  init?(_ value: YAMLValue) {
    guard let members = value.members(MappingSchema.rule) else { return nil }
    self.members = members
  }

  /// The rule; `nil` when a part cannot be read.
  func read() -> OwnRule? {
    let texts = ["summary", "why", "remedy", "limits"].map { key in
      members[key].flatMap { $0.prose("a text") }
    }
    let id = self.id
    let severity = self.severity
    let patterns = self.patterns
    let needs = needs(members, of: (patterns ?? []).filter { $0.needs == nil })
    let examples = self.examples
    checkExamples(examples)
    guard let id, let severity, let patterns, let summary = texts[0], let why = texts[1],
      let remedy = texts[2]
    else { return nil }

    let description = RuleDescription(
      id: id, number: nil, topic: .own, summary: summary, severity: severity, sources: [],
      why: why.trimmed, remedy: remedy.trimmed, limits: texts[3]?.trimmed ?? "none known",
      needs: needs, patterns: patterns, examples: examples.map(\.example))
    return OwnRule(
      description: description, place: members.owner.place, examplePlaces: examples.map(\.place))
  }

  private var id: String? {
    guard let value = members["id"] else { return nil }
    guard let text = value.scalar, text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil,
      text.count <= 80
    else {
      value.expected("an id of lowercase letters, digits and hyphens, such as save-after-edit")
      return nil
    }

    return value.isFree(id: text) ? text : nil
  }

  private var severity: Severity? {
    guard let value = members["severity"] else { return .warning }
    return value.choice("a severity", Severity.self)
  }

  // MARK: Patterns

  private var patterns: [RulePattern]? {
    guard let parts = members["parts"] else {
      return PatternReader(members: members).read().map { [$0] }
    }

    let mixed = MappingSchema.patternKeys.map(\.name).filter { members[$0] != nil }
    if let first = mixed.first {
      members[first]?.fail("\"\(first)\" belongs in one of the \"parts\", or remove \"parts\"")
    }

    guard let items = parts.list("a list of patterns") else { return nil }
    if items.isEmpty { parts.expected("a pattern") }
    let patterns = items.compactMap { item -> RulePattern? in
      guard let members = item.members(MappingSchema.part) else { return nil }
      let severity = members["severity"].map { $0.choice("a severity", Severity.self) }
      guard var pattern = PatternReader(members: members).read() else { return nil }
      if let severity {
        guard let severity else { return nil }
        pattern.severity = severity
      }
      if members["profile"] != nil || members["hooks"] != nil {
        pattern.needs = needs(members, of: [pattern])
      }
      return pattern
    }
    return patterns.count == items.count && !patterns.isEmpty && mixed.isEmpty ? patterns : nil
  }

  // MARK: Needs

  /// What a rule says that it needs, or a part of one, with the hooks of its patterns where it names
  /// none.
  private func needs(_ members: YAMLMembers, of patterns: [RulePattern]) -> RuleNeeds {
    RuleNeeds(hooks: hooks(members, derivedHooks(patterns)), profile: profile(members))
  }

  private func hooks(_ members: YAMLMembers, _ derived: [[Hook]]) -> [[Hook]] {
    guard let value = members["hooks"] else { return derived }
    guard let items = value.list("a list of hooks") else { return [] }
    if items.isEmpty, let first = derived.first {
      value.fail(
        "expected a hook: without \(first.map(\.rawValue).joined(separator: " or ")) nobody records "
          + "these events; name a hook, or remove \"hooks\"")
    }

    return items.map { item in
      if item.items.isEmpty { item.expected("a hook", oneOf: Hook.allCases.map(\.rawValue)) }
      return item.items.compactMap { $0.choice("a hook", Hook.self) }
    }.filter { !$0.isEmpty }
  }

  /// The hooks of the events that the patterns name, each once.
  private func derivedHooks(_ patterns: [RulePattern]) -> [[Hook]] {
    var hooks: [[Hook]] = []
    for needed in patterns.flatMap(\.form.content.neededHooks) where !hooks.contains(needed) {
      hooks.append(needed)
    }
    return hooks
  }

  private func profile(_ members: YAMLMembers) -> [RuleNeeds.ProfileCondition] {
    guard let members = members["profile"]?.members(MappingSchema.profile) else { return [] }
    var conditions: [RuleNeeds.ProfileCondition] = []
    if let mode = members["mode"]?.choice("a mode", Profile.Mode.self) {
      conditions.append(.mode(mode))
    }

    if members["scenes"]?.word("possible", ["possible"]) != nil {
      conditions.append(.scenesPossible)
    }
    if members["debugger"]?.word("false", ["false"]) != nil { conditions.append(.noDebugger) }
    if members["simulator"]?.word("false", ["false"]) != nil { conditions.append(.noSimulator) }
    if members["catalyst"]?.word("false", ["false"]) != nil { conditions.append(.noCatalyst) }
    if let os = members["os"]?.number("a major version, such as 17", in: 1...999) {
      conditions.append(.osMajor(from: os))
    }

    for item in members["says"]?.items ?? [] {
      if let word = item.word("a key of the profile", EventWords.profileKeys),
        let key = AttributeKey(rawValue: word)
      {
        conditions.append(.says(key))
      }
    }
    return conditions
  }

  // MARK: Examples

  private typealias ReadExample = (example: RuleExample, place: ConfigurationPlace)

  private var examples: [ReadExample] {
    examples("clean", RuleExample.clean) + examples("cannot-tell", RuleExample.cannotTell)
      + examples("violating", RuleExample.violating)
  }

  private func examples(
    _ key: String, _ make: (String, String) -> RuleExample
  ) -> [ReadExample] {
    let items = members[key]?.items ?? []
    return items.enumerated().compactMap { index, item in
      let plain = items.count == 1 ? key : "\(key) \(index + 1)"
      guard item.isMapping else {
        guard let trace = item.text("a trace in notation") else { return nil }
        ExampleCheck.check(item)
        return (make(plain, trace.trimmed), item.place)
      }
      guard let members = item.members(MappingSchema.example) else { return nil }
      let title = members["title"].flatMap { $0.text("a title") }
      guard let value = members["trace"], let trace = value.text("a trace in notation") else {
        return nil
      }
      ExampleCheck.check(value)
      return (make(title ?? plain, trace.trimmed), members["trace"]?.place ?? item.place)
    }
  }

  private func checkExamples(_ examples: [ReadExample]) {
    if !examples.contains(where: { $0.example.isViolating }) {
      members.owner.fail("a rule needs a violating example, to show that it finds something")
    }
    if !examples.contains(where: { !$0.example.isViolating }) {
      members.owner.fail("a rule needs a clean example, to show that it accepts the rest")
    }
  }
}

extension String {
  /// Without blanks and ends of lines around it.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
    let front = drop(while: isBlank)
    return String(
      front[..<(front.lastIndex { !isBlank($0) }.map(front.index(after:)) ?? front.startIndex)])
  }
}

extension YAMLValue {
  /// Whether an id means no built-in rule, which would be found in its place.
  func isFree(id: String) -> Bool {
    guard let rule = RuleRegistry.all.first(where: { $0.description.isCalled(id) })?.description
    else { return true }
    let what =
      id == rule.id
      ? "the id of a built-in rule"
      : "the \(rule.formerNames.contains(id) ? "former id" : "number") of the built-in rule \(rule.id)"
    fail("\(id) is \(what); choose another")
    return false
  }
}
