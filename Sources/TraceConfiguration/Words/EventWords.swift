import LifecycleModel
import TraceAnalysis

/// The words for events: those of the notation.
enum EventWords {
  /// An instant of work alone; `work` means the beginning of work with a duration too.
  static let instant = "work.instant"
  /// The end of the process, where a window is closed by nothing else.
  static let processEnd = "process-end"
  /// Any name.
  static let anyName = "*"

  static let verbs = Verb.known.compactMap(\.word) + [instant]
  static let subjects = Subject.Kind.allCases.map { "\($0)" }
  static let threads = ["main", "other", "app"]
  static let profileKeys: [String] = [
    AttributeKey.mode, .multiScene, .platform, .os, .sdk, .launch, .backgroundModes, .hooks, .clock,
  ].map(\.rawValue)
  static let sceneCallbacks = Callback.allCases.filter { $0.hook == .sceneDelegate }
    .map(\.rawValue)
  static let appCallbacks = Callback.allCases.filter { $0.hook == .appDelegate }.map(\.rawValue)

  /// The names that a verb can have; `nil` when they are the app's own.
  static func names(_ verb: String) -> [String]? {
    switch verb {
    case "call", "return": Callback.allCases.map(\.rawValue)
    case "notify", "observe", "observed": LifecycleNotification.allCases.map(\.rawValue)
    case "work", instant, "work.begin", "work.end": WorkCategory.allCases.map(\.rawValue)
    case "acquire", "release": Resource.allCases.map(\.rawValue)
    case "deliver", "complete": Delivery.allCases.map(\.rawValue)
    case "sample": SampledValue.allCases.map(\.rawValue)
    case "gap": GapCause.allCases.map(\.rawValue)
    case "state": transitions
    default: nil
    }
  }

  /// The transitions of an app and of a scene, each between different states.
  static let transitions: [String] =
    between(AppState.allCases.map(\.rawValue)) + between(SceneActivation.allCases.map(\.rawValue))

  private static func between(_ states: [String]) -> [String] {
    states.flatMap { from in states.filter { $0 != from }.map { "\(from)->\($0)" } }
  }

  static func takesName(_ verb: String) -> Bool {
    verb == instant || Verb(word: verb)?.takesName ?? false
  }

  static func verbs(_ word: String) -> [Verb] {
    switch word {
    case "work": [.work, .workBegin]
    case instant: [.work]
    default: Verb(word: word).map { [$0] } ?? []
    }
  }
}

/// An event as it was written, before it is a pattern.
struct WrittenEvent {
  var verb = ""
  /// Empty for any name.
  var names: [String] = []
  var subjects: [String] = []
  var labels: [String] = []
  var thread: String?
  var roles: [SceneRole] = []

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
    switch thread {
    case "main": pattern.writer = .onMain
    case "other": pattern.writer = .offMain
    case "app": pattern.writer = .appCode
    default: break
    }
    return pattern
  }
}

extension WrittenEvent {
  /// Reads an event; the scalar form is that of the notation.
  init?(_ value: YAMLValue) {
    if value.isMapping {
      guard let members = value.members(Shape.event) else { return nil }
      self.init(members)
    } else {
      guard let text = value.text("an event such as call sceneDidEnterBackground scene") else {
        return nil
      }
      self.init(text, value)
    }
  }

  private init?(_ members: YAMLMembers) {
    guard let verb = members["verb"]?.word("a verb", EventWords.verbs) else { return nil }
    self.verb = verb
    func words(_ key: String, _ expected: String, _ known: [String]?) -> [String]? {
      var words: [String] = []
      for item in members[key]?.items ?? [] {
        let word = known.map { item.word(expected, $0) } ?? item.text(expected)
        guard let word else { return nil }
        words.append(word)
      }
      return words
    }
    let known = EventWords.names(verb)
    guard let names = words("name", "a name of \(verb)", known.map { $0 + [EventWords.anyName] }),
      let subjects = words("subject", "a kind of subject", EventWords.subjects),
      let labels = words("label", "a label", nil),
      let roles = words("role", "a role of a scene", SceneRole.allCases.map(\.rawValue))
    else { return nil }
    self.names = names.contains(EventWords.anyName) ? [] : names
    if !EventWords.takesName(verb), !names.isEmpty {
      members["name"]?.expected("no name: \(verb) has none")
      return nil
    }
    if EventWords.takesName(verb), names.isEmpty {
      members.owner.fail("expected the key \"name\" in \(verb); * is any name")
      return nil
    }
    (self.subjects, self.labels) = (subjects, labels)
    self.roles = roles.compactMap(SceneRole.init)
    if let thread = members["thread"] {
      guard let word = thread.word("a thread", EventWords.threads) else { return nil }
      self.thread = word
    }
  }

  /// `verb [name] [subject] ["label"] {key=value}`; `|` stands between what is as good.
  private init?(_ text: String, _ value: YAMLValue) {
    guard let words = EventScanner.words(text) else {
      value.fail("a label does not end: expected \" in \(YAMLValue.quoted(text))")
      return nil
    }
    func fail(_ expected: String, _ found: String, oneOf known: [String] = []) {
      let near = NearestWord.of(found, in: known).map { "; did you mean \(YAMLValue.quoted($0))?" }
      let list =
        known.count <= 16 && !known.isEmpty ? "; known: \(known.joined(separator: ", "))" : ""
      value.fail(
        "expected \(expected), found \(found.isEmpty ? "nothing" : YAMLValue.quoted(found))"
          + (near ?? list))
    }
    var rest = words[...]
    verb = rest.first.flatMap { $0.isQuoted ? nil : $0.text } ?? ""
    guard EventWords.verbs.contains(verb) else {
      fail("a verb", rest.first?.text ?? "", oneOf: EventWords.verbs)
      return nil
    }
    rest = rest.dropFirst()
    if EventWords.takesName(verb) {
      guard let word = rest.popFirst(), !word.isQuoted, !word.text.contains("=") else {
        fail("a name after \(verb); * is any name", rest.first?.text ?? "")
        return nil
      }
      if word.text != EventWords.anyName {
        names = word.text.split(separator: "|").map(String.init)
        if let known = EventWords.names(verb) {
          for name in names where !known.contains(name) {
            fail("a name of \(verb)", name, oneOf: known)
            return nil
          }
        }
      }
    }
    if let word = rest.first, !word.isQuoted, !word.text.contains("=") {
      rest = rest.dropFirst()
      subjects = word.text.split(separator: "|").map(String.init)
      for subject in subjects where !EventWords.subjects.contains(subject) {
        fail("a kind of subject", subject, oneOf: EventWords.subjects)
        return nil
      }
    }
    while let word = rest.first, word.isQuoted {
      labels.append(word.text)
      rest = rest.dropFirst()
    }
    for word in rest {
      let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.dropFirst().first) {
      case ("thread"?, let thread?) where !word.isQuoted:
        guard EventWords.threads.contains(thread) else {
          fail("a thread", thread, oneOf: EventWords.threads)
          return nil
        }
        self.thread = thread
      case ("role"?, let role?) where !word.isQuoted:
        for name in role.split(separator: "|") {
          guard let role = SceneRole(rawValue: String(name)) else {
            fail("a role of a scene", String(name), oneOf: SceneRole.allCases.map(\.rawValue))
            return nil
          }
          roles.append(role)
        }
      default:
        fail("thread=… or role=…, or the end of the event", word.text)
        return nil
      }
    }
  }
}

/// Takes the text of an event apart.
enum EventScanner {
  struct Word {
    var text: String
    var isQuoted: Bool
  }

  /// The words and the quoted labels; a `|` between labels is as good as a blank. `nil` when a label
  /// does not end.
  static func words(_ text: String) -> [Word]? {
    var words: [Word] = []
    var rest = Substring(text)
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" }
      guard let first = rest.first else { return words }
      if first == "\"" {
        guard let (label, after) = label(rest.dropFirst()) else { return nil }
        words.append(Word(text: label, isQuoted: true))
        rest = after.first == "|" ? after.dropFirst() : after
      } else {
        let word = rest.prefix { $0 != " " && $0 != "\t" }
        words.append(Word(text: String(word), isQuoted: false))
        rest = rest[word.endIndex...]
      }
    }
  }

  private static func label(_ text: Substring) -> (label: String, rest: Substring)? {
    var label = ""
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if isEscaped {
        label.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        return (label, text[text.index(after: index)...])
      } else {
        label.append(character)
      }
    }
    return nil
  }
}
