import LifecycleModel
import TraceAnalysis
import TraceText
import YAMLReading

/// An event as it was written, before it is a pattern.
struct WrittenEvent {
  var verb = ""
  /// Empty for any name.
  var names: [String] = []
  var subjects: [String] = []
  var labels: [String] = []
  var thread: String?
  var roles: [SceneRole] = []
  var attributes: [AttributeCondition] = []

  /// What the event means.
  var pattern: EventPattern {
    let verbs = EventWords.verbs(verb)
    var pattern = EventPattern.nothing
    if EventWords.names(verb) == nil || names.isEmpty {
      pattern.alternatives = verbs.map { EventPattern.Alternative($0, nil) }
      if !names.isEmpty { pattern.identifiers = Set(names) }
    } else {
      let symbols = names.compactMap { WellKnownWords.symbol($0) }
      pattern.alternatives = verbs.flatMap { verb in
        symbols.map { EventPattern.Alternative(verb, $0) }
      }
    }
    if !subjects.isEmpty {
      pattern.subjects = Set(Subject.Kind.allCases.filter { subjects.contains("\($0)") })
    }
    if !labels.isEmpty { pattern.labels = Set(labels) }
    pattern.attributes = attributes
    switch thread {
    case "main": pattern.writer = .onMain
    case "other": pattern.writer = .offMain
    case "app": pattern.writer = .appCode
    default: break
    }
    return pattern
  }
}

/// The keys of an event as a mapping.
struct EventKeys: Mapping {
  static let shape = Shape("event", "an event")

  let verb = Key(
    .word("a verb", EventWords.verbs), isRequired: true, "the verb, as in the notation")
  let name = Key(
    Kind<YAMLValue>(JSONSchema.oneOrMore(JSONSchema.text)) { $0 },
    "the callback, notification, category or identifier")
  let subject = Key(
    .oneOrMore(.word("a kind of subject", EventWords.subjects), orExpect: "a kind of subject"),
    "the kind of subject")
  let label = Key(.oneOrMore(.text("a label"), orExpect: "a label"), "the app's own text")
  let thread = Key(.word("a thread", EventWords.threads), "the recording thread")
  let role = Key(.oneOrMore(.role, orExpect: "a role of a scene"), "the role of the scene")
  let with = Key(
    .oneOrMore(Kind<AttributeWords.Written>.condition),
    "attributes, such as handler=false or by!=system")

  func model(_ owner: YAMLValue) -> WrittenEvent? {
    var isRead = true
    var event = WrittenEvent(
      verb: verb.value ?? "", subjects: subject.value ?? [], labels: label.value ?? [],
      thread: thread.value, roles: role.value ?? [], attributes: (with.value ?? []).map(\.condition)
    )
    if let verb = verb.value {
      let takesName = EventWords.takesName(verb)
      if let name = name.written, !takesName {
        name.expected("no name: \(verb) takes none")
        return nil
      }
      if takesName, name.written == nil {
        owner.fail("expected the key \"name\" in \(verb); * is any name")
        isRead = false
      }
      if let written = name.written {
        let expected = "a name of \(verb)"
        let known = EventWords.names(verb).map { $0 + [EventWords.anyName] }
        let kind: Kind<String> = known.map { .word(expected, $0) } ?? .text(expected)
        let names = Kind<[String]>.oneOrMore(kind, orExpect: expected).read(written) ?? []
        if names.isEmpty || names.count < written.items.count { isRead = false }
        event.names = names.contains(EventWords.anyName) ? [] : names
      }
    }
    if !AttributeWords.check(with.value ?? [], of: event.verb) { isRead = false }
    return isRead && all.allSatisfy(\.isRead) ? event : nil
  }
}

extension Kind<AttributeWords.Written> {
  /// A condition on an attribute.
  fileprivate static var condition: Kind {
    Kind(JSONSchema.text) { value in
      guard let text = value.text("a condition such as handler=false"),
        let condition = AttributeCondition(text, value)
      else { return nil }
      return AttributeWords.Written(text: text, condition: condition, value: value)
    }
  }
}

extension Kind<WrittenEvent> {
  /// An event; the short form is that of the notation.
  static var event: Kind {
    .mapping(
      EventKeys.self,
      or: Kind(JSONSchema.text) { value in
        value.text("an event such as call sceneDidEnterBackground scene").flatMap {
          WrittenEvent($0, value)
        }
      })
  }
}

extension WrittenEvent {
  /// `verb [name] [subject] ["label"] {key=value}`; `|` stands between what is as good.
  fileprivate init?(_ text: String, _ value: YAMLValue) {
    guard let words = EventScanner.words(text) else {
      value.fail("unterminated label: expected \" in \(YAMLValue.quoted(text))")
      return nil
    }
    var isRead = true
    func fail(_ expected: String, _ found: String, _ known: [String]) {
      value.fail(expected: expected, found: found, oneOf: known)
      isRead = false
    }
    var rest = words[...]
    verb = rest.first.flatMap { $0.isQuoted ? nil : $0.text } ?? ""
    guard EventWords.verbs.contains(verb) else {
      fail("a verb", rest.first?.text ?? "", EventWords.verbs)
      return nil
    }
    rest = rest.dropFirst()
    if EventWords.takesName(verb) {
      guard let word = rest.popFirst(), !word.isQuoted, !word.text.contains("=") else {
        fail("a name after \(verb); * is any name", rest.first?.text ?? "", [])
        return nil
      }
      if word.text != EventWords.anyName {
        names = word.text.split(separator: "|").map(String.init)
        if let known = EventWords.names(verb) {
          for name in names where !known.contains(name) {
            fail("a name of \(verb)", name, known)
          }
        }
      }
    }

    if let word = rest.first, !word.isQuoted, !word.text.contains("=") {
      rest = rest.dropFirst()
      subjects = word.text.split(separator: "|").map(String.init)
      for subject in subjects where !EventWords.subjects.contains(subject) {
        fail("a kind of subject", subject, EventWords.subjects)
      }
    }

    while let word = rest.first, word.isQuoted {
      if !labels.isEmpty, !word.isAlternative {
        fail("| between two labels", word.text, [])
      }
      labels.append(word.text)
      rest = rest.dropFirst()
    }

    var conditions: [AttributeWords.Written] = []
    for word in rest where !readCondition(word, value, &conditions) { isRead = false }
    attributes = conditions.map(\.condition)
    if !AttributeWords.check(conditions, of: verb) { isRead = false }
    if !isRead { return nil }
  }

  /// Reads what stands behind the label; whether it can be read.
  private mutating func readCondition(
    _ word: EventScanner.Word, _ value: YAMLValue, _ conditions: inout [AttributeWords.Written]
  ) -> Bool {
    let parts = word.isQuoted ? [] : word.text.split(separator: "=", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("thread"?, let thread?):
      guard EventWords.threads.contains(thread) else {
        value.fail(expected: "a thread", found: thread, oneOf: EventWords.threads)
        return false
      }
      self.thread = thread
    case ("role"?, let role?):
      for name in role.split(separator: "|").map(String.init) {
        guard let role = SceneRole(rawValue: name) else {
          let known = SceneRole.allCases.map(\.rawValue)
          value.fail(expected: "a role of a scene", found: name, oneOf: known)
          return false
        }
        roles.append(role)
      }
    case _ where !word.isQuoted && word.text.contains("="):
      guard let condition = AttributeCondition(word.text, value) else { return false }
      conditions.append(
        AttributeWords.Written(text: word.text, condition: condition, value: value))
    default:
      let expected = "thread=…, role=… or an attribute, or the end of the event"
      value.fail(expected: expected, found: word.text, oneOf: [])
      return false
    }
    return true
  }
}

extension YAMLValue {
  /// Says what part of an event was expected here; with the nearest of the known words.
  func fail(expected: String, found: String, oneOf known: [String]) {
    let near = NearestWord.of(found, in: known).map { "; did you mean \(YAMLValue.quoted($0))?" }
    let list =
      known.count <= 16 && !known.isEmpty ? "; known: \(known.joined(separator: ", "))" : ""
    fail(
      "expected \(expected), found \(found.isEmpty ? "nothing" : YAMLValue.quoted(found))"
        + (near ?? list))
  }
}
