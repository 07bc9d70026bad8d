import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText
import YAMLReading

/// Looks for lines in examples that no log has.
struct ExampleCheck {
  private let value: YAMLValue
  private let vocabulary = Vocabulary()
  private var unknown: UnknownWords
  /// The instant of the line before.
  private var last: Instant?

  /// Tells every mistake in a trace, each where it stands in the file.
  static func check(_ value: YAMLValue) {
    var check = ExampleCheck(value)
    let text = value.scalar ?? ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      check.look(line, index)
    }
  }

  private init(_ value: YAMLValue) {
    self.value = value
    unknown = UnknownWords(vocabulary)
  }

  private mutating func look(_ line: Substring, _ index: Int) {
    let text = line.last == RuleExample.mark ? line.dropLast() : line
    do {
      guard let event = try TraceNotation.parse(line: ArraySlice(text.utf8), in: vocabulary)
      else { return }
      lookAtOrder(event, index)
      lookAtWords(event, index)
    } catch {
      fail(index, error.column, "expected \(error.expected), found \(error.found)")
    }
  }

  private func fail(_ line: Int, _ column: Int = 1, _ message: String) {
    value.file.problems.add(.error, value.place(line: line, column: column), message)
  }

  private mutating func lookAtOrder(_ event: Event, _ index: Int) {
    if let last, event.instant < last {
      let (before, now) = (last.nanoseconds, event.instant.nanoseconds)
      fail(
        index, 1,
        "expected \(InstantText.print(before)) or later, found \(InstantText.print(now)): the "
          + "lines of an example stand in the order of time")
    }
    last = event.instant
  }

  private mutating func lookAtWords(_ event: Event, _ index: Int) {
    let verb = vocabulary.word(of: event.verb)
    let name = vocabulary.text(event.name)
    if !event.verb.isKnown {
      tell(index, "verb", verb, EventWords.verbs)
    } else if let known = EventWords.names(verb), !known.contains(name) {
      tell(index, verb == "state" ? "transition" : "name of \(verb)", name, known)
    }

    let count = unknown.list.count
    unknown.observe(event) { nil }
    for word in unknown.list[count...] where [.key, .value, .member].contains(word.kind) {
      fail(index, 1, word.sentence)
    }

    if event.verb == .profile { return }
    for attribute in vocabulary.attributes(event.attributes) {
      let known = AttributeWords.values(attribute.key, of: verb)
      if AttributeKey.ofImports.contains(attribute.key) { continue }
      if AttributeKey(rawValue: attribute.key) == nil {
        let near = NearestWord.of(attribute.key, in: EventWords.attributes)
        if near != nil { tell(index, "attribute", attribute.key, EventWords.attributes) }
      } else if attribute.key != AttributeKey.launch.rawValue, let known,
        !known.contains(attribute.value)
      {
        tell(index, "value of \(attribute.key)", attribute.value, known)
      }
    }
  }

  private func tell(_ line: Int, _ what: String, _ word: String, _ known: [String]) {
    let near = NearestWord.of(word, in: known).map { "; did you mean \(YAMLValue.quoted($0))?" }
    fail(line, 1, "there is no \(what) \(YAMLValue.quoted(word))" + (near ?? ""))
  }
}
