import LifecycleModel
import TraceAnalysis
import YAMLReading

/// The keys of a rule of one's own.
struct RuleKeys: Mapping {
  static let shape: Shape = ("rule", "a rule")

  let id = Key(
    .id("an id of lowercase letters, digits and hyphens, such as save-after-edit", longest: 80),
    isRequired: true, "the permanent id")
  let summary = Key(.prose("a text"), isRequired: true, "the requirement, in one line")
  let severity = Key(.severity, "the highest severity of a finding; default: warning")
  let why = Key(.prose("a text"), isRequired: true, "why it matters")
  let remedy = Key(.prose("a text"), isRequired: true, "how to fix a finding")
  let limits = Key(.prose("a text"), "what the rule cannot see")
  let profile = Key(.mapping(ProfileKeys.self), "what the profile must state")
  let hooks = Key(
    .hooks, "the hooks that must be recorded, one of each item; default: those of the events")
  let parts = Key(
    .list("a list of patterns", .mapping(PartKeys.self)), "several patterns instead of one")
  let pattern = PatternKeys()
  let clean = Key(.oneOrMore(.example), "traces without findings")
  let violating = Key(.oneOrMore(.example), "traces with findings")
  let cannotTell = Key(.oneOrMore(.example), "traces for which the rule cannot tell")

  func model(_ owner: YAMLValue) -> OwnRule? {
    let patterns = patterns(owner)
    let needs = RuleNeeds(profile, hooks, of: (patterns ?? []).filter { $0.needs == nil })
    let examples =
      examples(clean, RuleExample.clean) + examples(cannotTell, RuleExample.cannotTell)
      + examples(violating, RuleExample.violating)
    if !examples.contains(where: \.example.isViolating) {
      owner.fail("a rule needs a violating example, to show that it finds something")
    }
    if examples.allSatisfy(\.example.isViolating) {
      owner.fail("a rule needs a clean example, to show that it accepts the rest")
    }

    guard let id = id.value, severity.isRead, let patterns, let summary = summary.value,
      let why = why.value, let remedy = remedy.value
    else { return nil }
    let description = RuleDescription(
      id: id, number: nil, topic: .own, summary: summary, severity: severity.value ?? .warning,
      sources: [], why: why.trimmed, remedy: remedy.trimmed,
      limits: limits.value?.trimmed ?? "none known", needs: needs, patterns: patterns,
      examples: RuleExamples(examples.map(\.example)))
    return OwnRule(
      description: description, place: owner.place, examplePlaces: examples.map(\.place))
  }

  private func patterns(_ owner: YAMLValue) -> [RulePattern]? {
    guard let parts = parts.written else { return pattern.model(owner).map { [$0] } }
    let mixed = pattern.all.first { $0.written != nil }
    if let mixed {
      mixed.written?.fail(
        "\"\(mixed.name)\" belongs in one of the \"parts\", or remove \"parts\"")
    }

    guard let patterns = self.parts.value else { return nil }
    if parts.items.isEmpty { parts.expected("a pattern") }
    let isRead = patterns.count == parts.items.count && !patterns.isEmpty && mixed == nil
    return isRead ? patterns : nil
  }

  private func examples(
    _ key: Key<[ReadExample]>, _ make: (String, String) -> RuleExample
  ) -> [(example: RuleExample, place: ConfigurationPlace)] {
    let isOne = key.written?.items.count == 1
    return (key.value ?? []).enumerated().map { index, read in
      let title = read.title ?? (isOne ? key.name : "\(key.name) \(index + 1)")
      return (make(title, read.trace.trimmed), read.place)
    }
  }
}

/// The keys of one pattern of a rule that has several.
struct PartKeys: Mapping {
  static let shape: Shape = ("part", "a pattern")

  let pattern = PatternKeys()
  let severity = Key(.severity, "a severity below the rule's")
  let profile = Key(.mapping(ProfileKeys.self), "what the profile must state for this pattern")
  let hooks = Key(.hooks, "the hooks that must be recorded for this pattern")

  func model(_ owner: YAMLValue) -> RulePattern? {
    guard var pattern = pattern.model(owner), severity.isRead else { return nil }
    pattern.severity = severity.value
    if profile.written != nil || hooks.written != nil {
      pattern.needs = RuleNeeds(profile, hooks, of: [pattern])
    }
    return pattern
  }
}

extension RuleNeeds {
  /// What a rule needs, or a part of one; without the key the hooks of the events in `patterns`.
  fileprivate init(
    _ profile: Key<[ProfileCondition]>, _ hooks: Key<[[Hook]]>, of patterns: [RulePattern]
  ) {
    var derived: [[Hook]] = []
    for needed in patterns.flatMap(\.form.content.neededHooks) where !derived.contains(needed) {
      derived.append(needed)
    }
    if hooks.value?.isEmpty ?? false, let first = derived.first {
      hooks.written?.fail(
        "expected a hook: without \(first.map(\.rawValue).joined(separator: " or ")) nobody records "
          + "these events; name a hook, or remove \"hooks\"")
    }
    let named = hooks.written == nil ? derived : hooks.value?.filter { !$0.isEmpty } ?? []
    self.init(hooks: named, profile: profile.value ?? [])
  }
}

extension Kind<[[Hook]]> {
  /// Hooks; of each item one must be recorded.
  fileprivate static var hooks: Kind {
    .list(
      "a list of hooks",
      .oneOrMore(.hook, orExpect: "a hook", oneOf: Hook.allCases.map(\.rawValue)))
  }
}

/// The keys that say what the profile must state.
struct ProfileKeys: Mapping {
  typealias Condition = RuleNeeds.ProfileCondition
  static let shape: Shape = ("profile", "the mapping of \"profile\"")

  let mode = Key(Kind<Profile.Mode>.mode.map(Condition.mode), "whether the app uses scenes")
  let scenes = Key(.only("possible", Condition.scenesPossible), "the app may use scenes")
  let debugger = Key(.only("false", Condition.noDebugger), "no debugger")
  let simulator = Key(.only("false", Condition.noSimulator), "no simulator")
  let catalyst = Key(.only("false", Condition.noCatalyst), "not known to run under Mac Catalyst")
  let os = Key(
    Kind<Int>.number("a major version, such as 17", in: 1...999).map {
      Condition.osMajor(from: $0)
    }, "this major system version or later")
  let says = Key(
    .oneOrMore(
      .one(
        "a key of the profile", of: EventWords.profileKeys.map { ($0.rawValue, Condition.says($0)) }
      )), "the profile states one of these")

  func model(_: YAMLValue) -> [Condition]? {
    [mode, scenes, debugger, simulator, catalyst, os].compactMap(\.value) + (says.value ?? [])
  }
}

/// An example as it was written.
typealias ReadExample = (title: String?, trace: String, place: ConfigurationPlace)

/// The keys of an example.
struct ExampleKeys: Mapping {
  static let shape: Shape = ("example", "an example")

  let title = Key(.text("a title"), "what it shows")
  let trace = Key(
    Kind<ReadExample>.trace, isRequired: true,
    "the trace in notation; ◀ ends each line that the rule must find")

  func model(_: YAMLValue) -> ReadExample? {
    trace.value.map { (title.value, $0.trace, $0.place) }
  }
}

extension Kind<ReadExample> {
  /// A trace whose words are known.
  fileprivate static var trace: Kind {
    Kind(JSONSchema.text) { value in
      guard let trace = value.text("a trace in notation") else { return nil }
      ExampleCheck.check(value)
      return (nil, trace, value.place)
    }
  }

  /// A trace, alone or with a title.
  fileprivate static var example: Kind { .mapping(ExampleKeys.self, or: .trace) }
}

extension String {
  /// Without blanks and ends of lines around it.
  fileprivate var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
