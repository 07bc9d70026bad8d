import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText
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
      members[key].flatMap { $0.text("a text") }
    }
    let id = self.id
    let severity = self.severity
    let patterns = self.patterns
    let needs = RuleNeeds(hooks: hooks ?? derivedHooks(patterns ?? []), profile: profile)
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

    if RuleRegistry.all.contains(where: { $0.description.id == text }) {
      value.fail("\(text) is the id of a built-in rule; choose another")
      return nil
    }
    return text
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
      guard let members = item.members(MappingSchema.part),
        var pattern = PatternReader(members: members).read()
      else { return nil }
      if let severity = members["severity"] {
        guard let read = severity.choice("a severity", Severity.self) else { return nil }
        pattern.severity = read
      }
      return pattern
    }
    return patterns.count == items.count && !patterns.isEmpty && mixed.isEmpty ? patterns : nil
  }

  // MARK: Needs

  private var hooks: [[Hook]]? {
    guard let value = members["hooks"], let items = value.list("a list of hooks") else {
      return nil
    }
    return items.map { item in item.items.compactMap { $0.choice("a hook", Hook.self) } }
      .filter { !$0.isEmpty }
  }

  /// The hooks of the events that the patterns name, each once.
  private func derivedHooks(_ patterns: [RulePattern]) -> [[Hook]] {
    var hooks: [[Hook]] = []
    for needed in patterns.flatMap(\.form.content.neededHooks) where !hooks.contains(needed) {
      hooks.append(needed)
    }
    return hooks
  }

  private var profile: [RuleNeeds.ProfileCondition] {
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
        return item.text("a trace in notation").map { (make(plain, $0.trimmed), item.place) }
      }
      guard let members = item.members(MappingSchema.example),
        let trace = members["trace"]?.text("a trace in notation")
      else { return nil }
      let title = members["title"].flatMap { $0.text("a title") }
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
    for (example, place) in examples { ExampleCheck.check(example, place, members.owner.file) }
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

/// Looks for words in examples that no log has.
enum ExampleCheck {
  static func check(_ example: RuleExample, _ place: ConfigurationPlace, _ file: YAMLFile) {
    let vocabulary = Vocabulary()
    for (index, line) in example.notation.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      var text = line
      if text.last == RuleExample.mark { text = text.dropLast() }
      // A block of text begins on the line after its key.
      let here = ConfigurationPlace(
        file: place.file, line: place.line + index + 1, column: place.column)
      do {
        guard let event = try TraceNotation.parse(line: ArraySlice(text.utf8), in: vocabulary)
        else { continue }
        let verb = vocabulary.word(of: event.verb)
        let name = vocabulary.text(event.name)
        if !event.verb.isKnown {
          tell(file, here, "verb", verb, EventWords.verbs)
        } else if let known = EventWords.names(verb), !known.contains(name) {
          tell(file, here, verb == "state" ? "transition" : "name of \(verb)", name, known)
        }
      } catch {
        file.problems.add(.error, here, "\(error)")
      }
    }
  }

  private static func tell(
    _ file: YAMLFile, _ place: ConfigurationPlace, _ what: String, _ word: String,
    _ known: [String]
  ) {
    let near = NearestWord.of(word, in: known).map { "; did you mean \(YAMLValue.quoted($0))?" }
    file.problems.add(
      .error, place, "there is no \(what) \(YAMLValue.quoted(word))" + (near ?? ""))
  }
}
