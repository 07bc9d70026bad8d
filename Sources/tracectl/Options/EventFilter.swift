import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceText

/// Which events `tracectl dump` prints.
struct EventFilter: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only events with this verb; repeatable.", valueName: "verb"),
    completion: .list(Verb.known.map { $0.word ?? "" }))
  var verb: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only events of this writer, such as main, or - for the system; repeatable.",
      valueName: "writer"))
  var writer: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Only events with this subject: app, scene:2, or scene for every scene; repeatable.
      """, valueName: "subject"))
  var subject: [String] = []

  @Option(
    help: ArgumentHelp("Only events with this label; repeatable.", valueName: "label"))
  var label: [String] = []

  private static let kinds = ["app", "scene", "session", "task", "nil"]

  mutating func validate() throws {
    for text in subject where !EventFilter.kinds.contains(text) && Subject(text) == nil {
      throw ValidationError(
        """
        --subject takes app, scene, session, task or nil, or a numbered subject such as scene:2, \
        not \(text)
        """
      )
    }
  }

  /// Whether it lets everything through.
  var isEmpty: Bool { verb.isEmpty && writer.isEmpty && subject.isEmpty && label.isEmpty }

  /// The filter for the events of one vocabulary.
  func matcher(_ vocabulary: Vocabulary) -> Matcher { Matcher(self, vocabulary) }

  /// Compares events with the filter, and notes which of its words occurred.
  struct Matcher {
    private let filter: EventFilter
    private let vocabulary: Vocabulary
    private let subjects: Set<Subject>
    private let kinds: Set<String>
    private var seen: Set<String> = []
    /// The names of the writers that occurred, in the order in which they did.
    private var writers: [String] = []

    fileprivate init(_ filter: EventFilter, _ vocabulary: Vocabulary) {
      (self.filter, self.vocabulary) = (filter, vocabulary)
      subjects = Set(filter.subject.filter { $0.contains(":") }.compactMap { Subject($0) })
      kinds = Set(filter.subject.filter { !$0.contains(":") })
    }

    /// Whether the filter lets the event through.
    mutating func lets(_ event: Event) -> Bool {
      if filter.isEmpty { return true }
      return lets(filter.verb, vocabulary.word(of: event.verb)) && letsWriter(event)
        && (filter.subject.isEmpty || subjects.contains(event.subject)
          || kinds.contains("\(event.subjectKind)"))
        && lets(filter.label, vocabulary.text(event.label))
    }

    private mutating func letsWriter(_ event: Event) -> Bool {
      if filter.writer.isEmpty { return true }
      let name = vocabulary.name(of: event.writer)
      if !writers.contains(name) && writers.count < 16 { writers.append(name) }
      return lets(filter.writer, name)
    }

    private mutating func lets(_ words: [String], _ word: String) -> Bool {
      if words.isEmpty { return true }
      guard words.contains(word) else { return false }
      seen.insert(word)
      return true
    }

    /// Throws for a word of the filter that no event had, and that was probably a slip.
    func check() throws {
      for word in filter.verb where Verb(word: word) == nil && !seen.contains(word) {
        let near = NearestWord.of(word, in: Verb.known.compactMap(\.word))
        throw CommandError.usage(
          "no event has the verb \(InertText.word(word))"
            + (near.map { "; did you mean \($0)?" } ?? "; tracectl dump LOG prints all of them"))
      }

      for word in filter.writer where !seen.contains(word) && !writers.contains(word) {
        let others = writers.map(InertText.word).joined(separator: ", ")
        throw CommandError.usage(
          "no event has the writer \(InertText.word(word))"
            + (others.isEmpty ? "" : "; the log has events of \(others)"))
      }
    }
  }
}
