import ArgumentParser
import LifecycleModel
import TraceText

/// Which events `tracectl dump` prints.
struct EventFilter: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only events of this verb, such as call; or writer=main, or - for the system; subject=app, \
      scene:2, or scene for every scene; label=autosave. Repeatable: of several verbs an event has \
      one, and so of several writers, subjects and labels.
      """,
      valueName: "verb|key=value"),
    completion: .list(Verb.known.map { $0.word ?? "" }), transform: EventFilter.read)
  var only: [(key: Key, word: String)] = []

  /// What an event is asked for.
  enum Key: String, CaseIterable {
    case verb, writer, subject, label
  }

  private static let kinds = ["app", "scene", "session", "task", "nil"]

  private static func read(_ text: String) throws -> (key: Key, word: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 1, !text.isEmpty { return (.verb, text) }
    guard let key = Key(rawValue: String(parts.first ?? "")), key != .verb else {
      throw ValidationError("it takes a verb, or writer=, subject= or label= and a value")
    }
    let word = String(parts[1])
    try refuse(
      key == .subject && !kinds.contains(word) && Subject(word) == nil,
      "a subject is app, scene, session, task or nil, or has a number, such as scene:2")
    return (key, word)
  }

  /// The values that are wanted of a key; all when there are none.
  func words(_ key: Key) -> [String] { only.filter { $0.key == key }.map(\.word) }

  /// Compares events with the filter, and notes which of its words occurred.
  struct Matcher {
    private let vocabulary: Vocabulary
    private let words: [Key: [String]]
    private let subjects: Set<Subject>
    private let kinds: Set<String>
    private var seen: Set<String> = []
    /// The names of the writers that occurred, in the order in which they did.
    private var writers: [String] = []

    /// The filter for the events of one vocabulary.
    init(_ filter: EventFilter, _ vocabulary: Vocabulary) {
      self.vocabulary = vocabulary
      words = Dictionary(grouping: filter.only, by: \.key).mapValues { $0.map(\.word) }
      let named = words[.subject] ?? []
      subjects = Set(named.filter { $0.contains(":") }.compactMap { Subject($0) })
      kinds = Set(named.filter { !$0.contains(":") })
    }

    /// Whether the filter lets the event through.
    mutating func lets(_ event: Event) -> Bool {
      if words.isEmpty { return true }
      let vocabulary = vocabulary
      return lets(.verb, vocabulary.word(of: event.verb))
        && lets(.writer, vocabulary.name(of: event.writer))
        && (words[.subject] == nil || subjects.contains(event.subject)
          || kinds.contains("\(event.subjectKind)"))
        && lets(.label, vocabulary.text(event.label))
    }

    private mutating func lets(_ key: Key, _ word: @autoclosure () -> String) -> Bool {
      guard let wanted = words[key] else { return true }
      let word = word()
      if key == .writer, writers.count < 16, !writers.contains(word) { writers.append(word) }
      guard wanted.contains(word) else { return false }
      seen.insert(word)
      return true
    }

    /// Throws for a word of the filter that no event had, and that was probably a slip.
    func check() throws {
      for word in words[.verb] ?? [] where Verb(word: word) == nil && !seen.contains(word) {
        let near = NearestWord.question(
          word, in: Verb.known.compactMap(\.word), else: "tracectl dump LOG prints all of them")
        throw CommandError.usage("no event has the verb \(InertText.word(word)); \(near)")
      }

      for word in words[.writer] ?? [] where !seen.contains(word) && !writers.contains(word) {
        let others = writers.map(InertText.word).joined(separator: ", ")
        throw CommandError.usage(
          "no event has the writer \(InertText.word(word))"
            + (others.isEmpty ? "" : "; the log has events of \(others)"))
      }
    }
  }
}
