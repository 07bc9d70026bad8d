import LifecycleModel
import TraceLog
import TraceReport
import TraceSources
import TraceText

/// A trace that a command was pointed at, in any form that can be read, from a file or a pipe: a
/// binary log, notation, NDJSON, console text or a crash report; also compressed with gzip.
struct TraceInput: LateStream {
  private enum Form {
    case log(LogReader)
    /// All forms of text.
    case text(TextReading)
  }

  private var form: Form
  /// Keeps the descriptor open that a log is read from.
  private let input: ByteInput
  private let progress: Progress
  /// How much of a log's file the progress knows of.
  private var logOffset = 0

  /// Whether the damages of a log that no gap in its events shows are reported.
  private let tellsDamages: Bool
  /// The ends that crash reports describe, which are put where they belong.
  private var joined: JoinedReports
  /// Whether those that belong to no process of the log are reported.
  private let tellsApart: Bool
  private var isAtEnd = false
  private var work: WorkLimit

  /// Opens `path` (`-` is standard input) and finds out what it is by its first bytes.
  ///
  /// What lies beside a log and is not read is reported, unless the log `isReadAgain`.
  init(
    _ path: String, filter: BlockFilter = BlockFilter(), settings: InputSettings = InputSettings(),
    progress: Progress? = nil, isReadAgain: Bool = false
  ) throws {
    let isOnlyOne = progress == nil
    let progress =
      progress ?? Progress("reading \(InertText.word(path))", isQuiet: settings.isQuiet)
    let (input, form) = try ByteInput.recognize(path, progress)
    self.input = input
    self.progress = progress
    tellsDamages = settings.tellsDamages && !isReadAgain
    work = settings.work
    tellsApart = isOnlyOne && !isReadAgain
    let paste = try PasteReading(input, form, app: settings.console.app)
    joined = JoinedReports(settings.reports, beside: paste?.besides ?? [])
    if tellsApart, let words = paste?.words {
      Terminal.printError("\(InertText.word(path)): \(words)")
    }
    if isOnlyOne, !isReadAgain, !form.namesApps {
      let ignored = [
        ("--app", settings.console.app != nil), ("--date", settings.console.date != nil),
      ]
      for (option, isGiven) in ignored where isGiven {
        Terminal.printError(
          "\(InertText.word(path)): is no console text and no crash report; \(option) is ignored")
      }
    }

    switch form {
    case .log:
      do {
        let reader = try TraceInput.reader(input, filter)
        self.form = .log(reader)
        if let stray = reader.strayRing, !isReadAgain {
          progress.clear()
          Terminal.printError(stray.text)
        }
      } catch LogError.notALog(_, let looksLikeText) where looksLikeText && input.canBeReadAgain {
        // Text with a zero byte in it: its reader knows the line.
        self.form = .text(TextReading(input, Self.text(input.textForm)))
      } catch {
        throw CommandError.unreadable("\(error)")
      }
    case .trace(let form): self.form = .text(TextReading(input, Self.text(form)))
    case .unknownText, .console, .report:
      if case .unknownText = form, paste == nil, let refusal = input.refusal {
        throw CommandError.unreadable("\(input.name): \(refusal)")
      }
      self.form = .text(Self.reading(input, form, paste, settings.console))
    case .gzip, .notRead:
      throw CommandError.unreadable("\(input.name): is compressed twice; unpack it once: gzip -d")
    }
  }

  /// Reads a text: what was found in a paste, a form that is known, or what may be a trace.
  private static func reading(
    _ input: ByteInput, _ form: InputForm, _ paste: PasteReading?,
    _ options: ConsoleSource.Options
  ) -> TextReading {
    if let console = paste?.console {
      let source = ConsoleSource(options: options, numbers: console.numbers)
      return TextReading(input, source, [console])
    }
    if let paste { return TextReading(input, ReportSource(app: options.app), paste.reports) }
    return switch form {
    case .console: TextReading(input, ConsoleSource(options: options))
    case .report: TextReading(input, ReportSource(app: options.app))
    default: TextReading(input, text(input.textForm), isUnknown: true)
    }
  }

  /// Reads notation or NDJSON.
  private static func text(_ form: TextSource.Form) -> TextSource {
    TextSource(form: form, keepsLines: true)
  }

  private static func reader(_ input: ByteInput, _ filter: BlockFilter) throws -> LogReader {
    if input.canBeReadAgain {
      return try LogReader(path: input.name, filter: filter)
    }
    return try LogReader(
      descriptor: input.descriptor, path: input.name, prefix: input.takePeeked(), filter: filter)
  }

  /// The reader of a binary log; `nil` of a text.
  var log: LogReader? { if case .log(let reader) = form { reader } else { nil } }

  /// The source of a text; `nil` of a binary log.
  private var source: (any TraceSource)? {
    if case .text(let reading) = form { reading.source } else { nil }
  }

  var vocabulary: Vocabulary {
    switch form {
    case .log(let reader): reader.vocabulary
    case .text(let reading): reading.source.vocabulary
    }
  }

  /// What was true before the last batch of a binary log; `nil` when it does not say it.
  var checkpoint: [Event]? { log?.checkpoint }

  /// Whether the last batch of a binary log reports losses, and is of no block.
  var isBetweenBlocks: Bool { log.map { $0.block == nil } ?? false }

  /// That what was read of the log at `path` is damaged, in words; `nil` when it is whole.
  func damage(of path: String) -> String? {
    guard let places = log?.damageCount, places > 0 else { return nil }
    let count = CountText.of(places, "place")
    return
      "\(InertText.word(path)): is damaged in \(count); tracectl verify says where, and what is missing"
  }

  /// Which log a binary one is; `nil` of other forms, and when its header is damaged.
  var identity: LogIdentity? { log?.identity }

  /// The part with which a binary log begins.
  var firstPart: LogPart { log?.firstPart ?? LogPart() }

  /// What a binary log states about the parts before its first; `nil` when there were none.
  var opening: Gap? { log?.opening }

  /// Leaves out the events that state what was true before a log that begins late.
  mutating func leaveOutBeginning() {
    guard case .log(var reader) = form else { return }
    reader.leaveOutBeginning()
    form = .log(reader)
  }

  /// The lines of the events that were read; `nil` where they have none.
  var lines: EventLines? {
    source is ConsoleSource ? .saidByEvents : (source as? TextSource)?.lines
  }

  /// Whether it is a report about the end of a process.
  var isReport: Bool { source is ReportSource }

  /// The contents of a report, once it was read; empty for other forms.
  var reports: [TerminationReport] { (source as? ReportSource)?.reports ?? [] }

  /// Whether the rest of the log was not read, by ``WorkLimit``.
  var isCut: Bool { work.isReached }

  /// How many crash reports were held against the log, where none belongs to what was read of it.
  var reportsApart: Int { joined.countOfNone }

  /// What a log states about itself that a report can be compared with.
  var joinFacts: ReportJoin.LogFacts {
    guard let identity else {
      return ReportJoin.LogFacts(originWall: wallOrigin)
    }
    func known(_ id: [UInt8]) -> String? {
      id.allSatisfy { $0 == 0 } ? nil : LogIdentity.hex(id)
    }
    return ReportJoin.LogFacts(
      logID: known(identity.logID), bootID: known(identity.bootID), originWall: wallOrigin,
      originMonotonic: identity.originMonotonic == 0 ? nil : identity.originMonotonic)
  }

  /// The wall clock at the log's origin, in nanoseconds since 1970; `nil` when it is not known.
  var wallOrigin: Int64? {
    switch form {
    case .log(let reader): reader.identity.flatMap { $0.originWall == 0 ? nil : $0.originWall }
    case .text(let reading): reading.source.wallOrigin
    }
  }

  /// The time of day at the log's origin, since midnight, where no more than that is known.
  var timeOfDay: Nanoseconds? { (source as? ConsoleSource)?.timeOfDay }

  /// What the log knows of the wall clock; `nil` when it knows nothing.
  var clock: WallClock? { WallClock(origin: wallOrigin) ?? WallClock(timeOfDay: timeOfDay) }

  mutating func read(into events: inout [Event]) throws -> Bool {
    events.removeAll(keepingCapacity: true)
    if isAtEnd { return false }
    do {
      if try readForm(into: &events) {
        let fitting = WorkLimit.fitting(log?.byteCount, packed: input.packedLength)
        work.take(&events, fitting: fitting, vocabulary)
        if work.isReached {
          isAtEnd = true
          progress.clear()
          if tellsApart { Terminal.printError(work.told(of: InertText.word(input.name))) }
        }
        if !joined.isEmpty {
          let facts = joinFacts
          joined.put(into: &events, vocabulary, facts)
          if isAtEnd { joined.finish(into: &events, vocabulary, facts) }
        }
        return true
      }
      isAtEnd = true
      progress.clear()
      try input.checkEnd()

      let facts = joinFacts
      joined.finish(into: &events, vocabulary, facts)
      if tellsApart {
        for damage in (source as? ConsoleSource)?.tally.damages ?? [] {
          Terminal.printError("\(InertText.word(input.name)): \(damage)")
        }
        joined.tellApart(input.name)
      }
      return !events.isEmpty
    } catch {
      progress.clear()
      throw error is CommandError ? error : CommandError.unreadable("\(error)")
    }
  }

  /// Reads what is left of the input, batch by batch.
  mutating func forEach(_ body: ([Event]) throws -> Void) throws {
    var events: [Event] = []
    while try read(into: &events) { try body(events) }
  }

  /// The most damages that are reported of those that no gap in the events shows.
  private static let told = 20

  /// Reports which damages the log `name` has, see ``LogReader/damagesWithoutGap``.
  static func tell(_ damages: [LogDamage], of name: String) {
    for damage in damages.prefix(told) {
      Terminal.printError(
        damage.kind == .lostPart
          ? "\(damage.reason), so events are missing here"
          : "\(InertText.word(name)): has \(InertText.line("\(damage)"))")
    }
    if damages.count > told {
      let more = CountText.of(damages.count - told, "more place")
      Terminal.printError(
        "\(InertText.word(name)): is damaged in \(more); tracectl verify lists them")
    }
  }

  private mutating func readForm(into events: inout [Event]) throws -> Bool {
    switch form {
    case .log(var reader):
      defer { form = .log(reader) }
      let goesOn = try reader.read(into: &events)
      progress.advance(max(0, reader.byteCount - logOffset))
      logOffset = reader.byteCount
      if !goesOn && tellsDamages {
        progress.clear()
        Self.tell(reader.damagesWithoutGap, of: input.name)
      }
      return goesOn
    case .text(let reading): return try reading.read(into: &events)
    }
  }
}

/// Text that is read chunk by chunk by a source; an object, so that no chunk makes a copy of what the
/// source holds.
private final class TextReading {
  private let input: ByteInput
  private(set) var source: any TraceSource
  /// What the source reads instead of the input, of which it is a part; empty where it reads the input.
  private var pieces: [Paste.Piece]
  /// Whether the source has got all bytes, and whether it has handed out all events.
  private var (isTaken, isAtEnd) = (false, false)
  /// Whether its beginning fits no form.
  private let isUnknown: Bool

  init(
    _ input: ByteInput, _ source: any TraceSource, _ pieces: [Paste.Piece] = [],
    isUnknown: Bool = false
  ) {
    (self.input, self.source, self.isUnknown) = (input, source, isUnknown)
    self.pieces = pieces
  }

  func read(into events: inout [Event]) throws -> Bool {
    events.removeAll(keepingCapacity: true)
    if isAtEnd { return false }
    do {
      if !isTaken { try take(into: &events) }
      if isTaken { isAtEnd = try !source.drain(into: &events) }
    } catch var error as SourceError {
      try input.checkRest()
      var form = ""
      if error.code == .badLine, isUnknown {
        form =
          "is in no format that tracectl reads (binary log, notation, NDJSON, console text, crash "
          + "report); as a trace it is wrong at "
        error.remedy =
          "if it is a part of a log or of a report, save the whole, from its first line"
      } else if error.code == .badLine {
        error.remedy = "correct the line"
      }
      throw CommandError.unreadable("\(input.name): \(form)\(error)")
    }
    return true
  }

  private func take(into events: inout [Event]) throws {
    if let piece = pieces.first {
      pieces.removeFirst()
      try source.take(piece, into: &events)
      isTaken = pieces.isEmpty
      if isTaken { try input.checkEnd() }
      return
    }
    switch try input.next() {
    case .bytes(let bytes): try source.take(bytes, into: &events)
    case .pause: break
    case .end:
      isTaken = true
      try input.checkEnd()
    }
  }
}
