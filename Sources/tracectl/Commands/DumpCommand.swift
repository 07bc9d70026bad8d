import ArgumentParser
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceLog
import TraceText

/// `tracectl dump`: the events of a log as text.
struct DumpCommand: ParsableCommand {
  /// The forms of the text.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case notation, ndjson
  }

  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the events of a log as notation or NDJSON.",
    discussion: """
      With --numbers each line begins with the event's number, such as main#12. Reports and tracectl why use the same numbers:

        tracectl dump log.bin --rule R83 --numbers
        tracectl dump log.bin --around main#12

      A small log can expand to gigabytes of text. The command stops when the text is a thousand times as long as the log and at least 16 MiB, and exits with 3; --no-limit removes the limit.
      """)

  @OptionGroup var input: LogArgument

  @Option(help: ArgumentHelp("The form: notation (the default) or ndjson.", valueName: "form"))
  var format: Format?

  @Flag(help: "Print each event's number before the event; in NDJSON as the member sequence.")
  var numbers = false

  @OptionGroup var window: WindowOptions

  @OptionGroup var filter: EventFilter

  @Option(
    help: ArgumentHelp("Only events that this rule checks.", valueName: "rule"),
    completion: .ruleIDs)
  var rule: String?

  @Option(
    help: ArgumentHelp(
      "Only this event, such as main#12, and its neighbors, with numbers.", valueName: "event"))
  var around: String?

  @Option(
    name: [.customShort("n"), .customLong("lines")], parsing: .unconditional,
    help: ArgumentHelp(
      "With --around, how many events to print before and after it; by default 10.",
      valueName: "count"), transform: WholeNumber.read)
  var context: Int?

  @Flag(help: "Print everything, however long.")
  var noLimit = false

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  func validate() throws {
    if let around, EventReference(around) == nil {
      throw ValidationError("--around takes an event such as main#12, not \(around)")
    }
    if context != nil && around == nil { throw ValidationError("--lines needs --around") }
  }

  func run() throws {
    let known = filter.words(.verb).map { Verb(word: $0) }
    // A log may hold verbs that are not known here, and a rule and an event's neighbours need all:
    // blocks are skipped for known verbs only.
    let needsAll = known.isEmpty || known.contains(nil) || rule != nil || around != nil
    var blocks = window.blocks
    if !needsAll { blocks.verbs = known.compactMap(\.self) }
    // The configuration is read where a rule is named, and only there.
    let settings = try reading.settings(Configuration())
    // A report belongs to a process, whose start and end may lie in any block.
    let isWhole = rule != nil || around != nil || !settings.reports.isEmpty
    let path = try self.input.path()
    var input = try TraceInput(
      path, filter: isWhole ? BlockFilter() : blocks, settings: settings)
    var matcher = EventFilter.Matcher(filter, input.vocabulary)
    var words = UnknownWords(input.vocabulary)
    var survey = try rule.map {
      RuleSurvey(
        input.vocabulary, try RuleArgument.find($0, in: reading.team().knownRules))
    }
    survey?.use(answers: settings.answers)
    var lines = DumpedLines(
      vocabulary: input.vocabulary,
      ndjson: format == .ndjson ? NDJSON.Printer(vocabulary: input.vocabulary) : nil,
      notation: TraceNotation.Printer(vocabulary: input.vocabulary),
      numbers: numbers || around != nil, around: around.flatMap { EventReference($0) },
      context: context ?? 10)
    let limit = ExpansionLimit(
      path: path, isOff: noLimit, advice: "print a part with --from, --to or --only")
    let output = try Output(nil, limit)
    var events: [Event] = []
    var hasRead = false

    while !lines.isComplete, try input.read(into: &events) {
      if events.isEmpty { continue }
      hasRead = true
      let wanted = try window.range(by: input.clock)
      for event in events {
        words.observe(event) { input.lines?.line(of: event, in: input.vocabulary) }
        let isLookedAt = survey?.observe(event) ?? true
        let isWanted =
          isLookedAt && wanted.contains(event.instant) && matcher.lets(event)
        lines.take(event, isWanted: isWanted)
        // A batch may be some megabytes of events that share a long text.
        guard lines.isLong else { continue }
        try output.append(lines.bytes.takeAll(), of: input.log?.byteCount, held: lines.heldCount)
      }
      try output.append(lines.bytes.takeAll(), of: input.log?.byteCount)
      if survey != nil {
        survey?.forgetUnusedWords()
      } else {
        input.vocabulary.forgetAllIfLarge()
      }
    }

    for word in words.list { Terminal.printError(word.text) }
    try matcher.check()
    try lines.check()
    if output.count == 0 {
      let what = hasRead ? "no event matches" : "has no events"
      Terminal.printError("\(InertText.word(path)): \(what)")
    }
    // The gaps, which report it, may be left out.
    if blocks != BlockFilter() || !hasRead, let damage = input.damage(of: path) {
      Terminal.printError(damage)
    }
    if let survey, survey.lookedAt == 0, let reason = survey.notInForce {
      Terminal.printError("\(InertText.word(survey.id)) does not check this log: \(reason)")
    }
  }
}

/// The lines that are printed, all or those around one event.
private struct DumpedLines {
  let vocabulary: Vocabulary
  /// What prints NDJSON; `nil` for notation.
  let ndjson: NDJSON.Printer?
  let notation: TraceNotation.Printer
  let numbers: Bool
  let around: EventReference?
  let context: Int

  /// What is to be printed by now.
  var bytes: [UInt8] = []
  /// The last lines before the event that is looked for.
  var before: [[UInt8]] = []
  /// How many bytes those lines have.
  var heldCount = 0
  /// How many lines are still to come behind it; `nil` before it.
  var left: Int?
  var last: UInt64 = 0

  /// Whether no further line can be printed.
  var isComplete: Bool { left == 0 }

  mutating func take(_ event: Event, isWanted: Bool) {
    guard let around else {
      if isWanted { append(event, to: &bytes) }
      return
    }

    if vocabulary.name(of: event.writer) == around.writer && event.verb != .gap {
      last = max(last, event.sequence)
    }
    if let count = left {
      guard isWanted, count > 0 else { return }
      append(event, to: &bytes)
      left = count - 1
    } else if around.means(event, vocabulary) {
      bytes += before.joined()
      (before, heldCount) = ([], 0)
      append(event, to: &bytes, isMarked: true)
      left = context
    } else if isWanted && context > 0 {
      var line: [UInt8] = []
      append(event, to: &line)
      if before.count == context { heldCount -= before.removeFirst().count }
      before.append(line)
      heldCount += line.count
    }
  }

  /// Whether what waits to be printed takes more memory than a line or two.
  var isLong: Bool { max(bytes.count, heldCount) >= 1 << 16 }

  /// Throws when the event that was asked for never came.
  func check() throws {
    if let around, left == nil { throw around.missing(last: last) }
  }

  private func append(_ event: Event, to bytes: inout [UInt8], isMarked: Bool = false) {
    if let ndjson {
      return numbers ? ndjson.appendNumbered(event, to: &bytes) : ndjson.append(event, to: &bytes)
    }

    if numbers {
      let number = EventReference(event, vocabulary).text
      bytes += number.utf8
      bytes += repeatElement(UInt8(ascii: " "), count: max(1, 12 - number.utf8.count))
    }

    notation.append(event, to: &bytes)
    if isMarked {
      bytes.removeLast()
      bytes += " ◀\n".utf8
    }
  }
}
