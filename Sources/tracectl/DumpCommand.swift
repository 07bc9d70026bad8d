import ArgumentParser
import LifecycleModel
import TraceLog

/// `tracectl dump`: the events of a log as text.
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the events of a log as notation or NDJSON.")

  @Argument(help: "The log to read; - is standard input.", completion: .file())
  var log: String

  @Flag(help: "Print NDJSON instead of notation.")
  var ndjson = false

  @Option(
    help: ArgumentHelp("Only events at or after this instant, such as 4.2s.", valueName: "instant"))
  var from: String?

  @Option(help: ArgumentHelp("Only events at or before this instant.", valueName: "instant"))
  var to: String?

  @Option(
    help: ArgumentHelp("Only events of this verb; may be repeated.", valueName: "verb"),
    completion: .list(Verb.known.map { $0.word ?? "" }))
  var verb: [String] = []

  func validate() throws {
    for text in [from, to].compactMap({ $0 }) where DumpCommand.instant(text) == nil {
      throw ValidationError("\(text): expected an instant such as 4.2s, 12ms, 7us or 30ns")
    }
    if let from, let to, let first = DumpCommand.instant(from), let last = DumpCommand.instant(to),
      first > last
    {
      throw ValidationError("--from \(from) is after --to \(to); exchange them")
    }
  }

  func run() throws {
    let from = from.flatMap(DumpCommand.instant) ?? .distantPast
    let to = to.flatMap(DumpCommand.instant) ?? .distantFuture
    // A log may hold verbs that are not known here; blocks are skipped for known ones only.
    let known = verb.map { Verb(word: $0) }
    let filter = BlockFilter(
      from: from, to: to,
      verbs: verb.isEmpty || known.contains(nil) ? nil : known.compactMap(\.self))
    var input = try TraceInput(log, filter: filter)
    let notation = TraceNotation.Printer(vocabulary: input.vocabulary)
    let lines = NDJSON.Printer(vocabulary: input.vocabulary)
    var events: [Event] = []
    var bytes: [UInt8] = []
    var seen: Set<String> = []
    while try input.read(into: &events) {
      let words = try Dictionary(
        verb.map { (try input.vocabulary.verb($0), $0) }, uniquingKeysWith: { first, _ in first })
      for event in events where event.instant >= from && event.instant <= to {
        if !words.isEmpty {
          guard let word = words[event.verb] else { continue }
          seen.insert(word)
        }
        if ndjson { lines.append(event, to: &bytes) } else { notation.append(event, to: &bytes) }
        // A batch may be some megabytes of events that share a long text.
        if bytes.count >= 1 << 16 {
          try Terminal.write(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
      }
      try Terminal.write(bytes)
      bytes.removeAll(keepingCapacity: true)
      if input.vocabulary.isLarge { input.vocabulary.forget(except: VocabularyUse()) }
    }
    try check(seen)
  }

  /// Throws for a word that is no verb, unless an event with it was `seen`.
  private func check(_ seen: Set<String>) throws {
    for word in verb where Verb(word: word) == nil && !seen.contains(word) {
      let near = NearestWord.of(word, in: Verb.known.compactMap(\.word))
      throw CommandError.usage(
        "there is no event with the verb \(InertText.word(word))"
          + (near.map { "; did you mean \($0)?" } ?? "; tracectl dump LOG prints them all"))
    }
  }

  private static func instant(_ text: String) -> Instant? {
    InstantText.parse(ArraySlice(text.utf8)).map { Instant(nanoseconds: $0) }
  }
}
