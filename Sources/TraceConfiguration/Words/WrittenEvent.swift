import LifecycleModel
import TraceAnalysis
import YAMLReading

/// An event as it was written: its pattern, and the roles of scenes that it asks for.
typealias WrittenEvent = (pattern: EventPattern, roles: [SceneRole])

/// The keys of an event as a mapping.
struct EventKeys: Mapping {
  static let shape: Shape = ("event", "an event")

  let verb = Key(
    .word("a verb", EventWords.verbs), isRequired: true, "the verb, as in the notation")
  let name = Key(
    Kind<YAMLValue>(JSONSchema.oneOrMore(JSONSchema.text)) { $0 },
    "the callback, notification, category or identifier")
  let subject = Key(
    .oneOrMore(.one("a kind of subject", of: EventWords.subjects), orExpect: "a kind of subject"),
    "the kind of subject")
  let label = Key(.oneOrMore(.text("a label"), orExpect: "a label"), "the app's own text")
  let thread = Key(.one("a thread", of: EventWords.threads), "the recording thread")
  let role = Key(.oneOrMore(.role, orExpect: "a role of a scene"), "the role of the scene")
  let with = Key(
    .oneOrMore(Kind<AttributeWords.Written>.condition),
    "attributes, such as handler=false or by!=system")

  func model(_ owner: YAMLValue) -> WrittenEvent? {
    var isRead = true
    var names: [String] = []
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
        let known = EventWords.names(verb).map { $0 + [EventWords.anything] }
        let kind: Kind<String> = known.map { .word(expected, $0) } ?? .text(expected)
        names = Kind<[String]>.oneOrMore(kind, orExpect: expected).read(written) ?? []
        if names.isEmpty || names.count < written.items.count { isRead = false }
        if names.contains(EventWords.anything) { names = [] }
      }
    }
    if !AttributeWords.check(with.value ?? [], of: verb.value ?? "") { isRead = false }
    guard isRead, all.allSatisfy(\.isRead), let verb = verb.value else { return nil }
    return (pattern(verb, names), role.value ?? [])
  }

  /// What an event with this verb means, and with one of `names`, or any.
  private func pattern(_ verb: String, _ names: [String]) -> EventPattern {
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

    if let subjects = subject.value { pattern.subjects = Set(subjects) }
    if let labels = label.value { pattern.labels = Set(labels) }
    pattern.attributes = (with.value ?? []).map(\.condition)
    pattern.writer = thread.value
    return pattern
  }
}

extension Kind<AttributeWords.Written> {
  /// A condition on an attribute.
  fileprivate static var condition: Kind {
    Kind(JSONSchema.text) { value in
      guard let text = value.text("a condition such as handler=false"),
        let condition = AttributeCondition(text, value)
      else { return nil }
      return (text, condition, value)
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
          EventKeys.read($0, value)
        }
      })
  }
}

extension EventKeys {
  /// Reads `verb [name] [subject] ["label"] {key=value}`; `|` stands between what is as good.
  fileprivate static func read(_ text: String, _ value: YAMLValue) -> WrittenEvent? {
    guard let words = EventScanner.words(text) else {
      value.fail("unterminated label: expected \" in \(YAMLValue.quoted(text))")
      return nil
    }
    let keys = EventKeys()
    var (rest, isRead) = (words[...], true)
    func fail(_ expected: String, _ found: EventScanner.Word?, oneOf known: [String] = []) {
      value.part(found?.text ?? "").expected(expected, oneOf: known)
      isRead = false
    }
    func alternatives(_ text: String) -> [String] {
      let parts = text.split(separator: "|").map(String.init)
      return parts.isEmpty ? [text] : parts
    }

    guard let verb = rest.popFirst(), verb.isBare, EventWords.verbs.contains(verb.text) else {
      fail("a verb", words.first, oneOf: EventWords.verbs)
      return nil
    }
    keys.verb.read(value.part(verb.text))
    if EventWords.takesName(verb.text) {
      guard let name = rest.popFirst(), name.isBare else {
        fail("a name after \(verb.text); * is any name", words.dropFirst().first)
        return nil
      }
      keys.name.read(value.parts(alternatives(name.text)))
    }
    if let subject = rest.first, subject.isBare {
      rest.removeFirst()
      keys.subject.read(value.parts(alternatives(subject.text)))
    }

    var labels: [String] = []
    while let label = rest.first, label.isQuoted {
      if !labels.isEmpty, !label.isAlternative { fail("| between two labels", label) }
      labels.append(label.text)
      rest.removeFirst()
    }

    var (roles, conditions): ([String], [String]) = ([], [])
    for word in rest {
      let parts = word.isQuoted ? [] : word.text.split(separator: "=", maxSplits: 1)
      switch (parts.first, parts.dropFirst().first) {
      case ("thread"?, let thread?): keys.thread.read(value.part(String(thread)))
      case ("role"?, let role?): roles += alternatives(String(role))
      case _ where !word.isQuoted && !word.isBare: conditions.append(word.text)
      default: fail("thread=…, role=… or an attribute, or the end of the event", word)
      }
    }
    if !roles.isEmpty { keys.role.read(value.parts(roles)) }
    if !conditions.isEmpty { keys.with.read(value.parts(conditions)) }
    var event = keys.model(value)
    if !labels.isEmpty { event?.pattern.labels = Set(labels) }
    return isRead ? event : nil
  }
}
