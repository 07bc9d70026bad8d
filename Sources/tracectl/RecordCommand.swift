import ArgumentParser
import LifecycleModel
import TraceLog
import TraceSources

/// `tracectl record`: turns others' words into a log.
struct RecordCommand: ParsableCommand {
  /// Whose words are read.
  enum SourceName: String, CaseIterable, ExpressibleByArgument {
    case console, ndjson, trace
  }

  /// What happens at a line that cannot be read.
  enum ErrorOption: String, CaseIterable, ExpressibleByArgument {
    case stop, skip
  }

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Turn a console capture, NDJSON or notation into a log.",
    discussion: """
      Reads a file, or standard input as it comes, so that a device can be recorded live:

        idevicesyslog | tracectl record --source console --app Notes -o log.bin

      An interrupt ends the recording and keeps what was read.
      """)

  @Option(
    help: ArgumentHelp(
      "Whose words: console (Console.app, log show, idevicesyslog), ndjson or trace (notation).",
      valueName: "form"))
  var source: SourceName

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The log to write; - is standard output.", valueName: "log"))
  var output = "log.bin"

  @Option(
    help: ArgumentHelp(
      "The app to follow in a console capture, by process name or bundle identifier.",
      valueName: "name"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The day of a console capture that prints none, as year-month-day.", valueName: "date"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      "At a line that cannot be read: stop, or skip it and record a gap.", valueName: "what"))
  var onError = ErrorOption.stop

  @Flag(help: "Replace a log that exists already.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  @Argument(help: "The file to read; - is standard input.")
  var file = "-"

  func validate() throws {
    if source != .console && (app != nil || date != nil) {
      throw ValidationError("--app and --date go with --source console")
    }
    if date != nil && day == nil {
      throw ValidationError("--date takes a day such as 2026-11-21, not \(date ?? "")")
    }
  }

  func run() throws {
    let input = try ByteInput(file)
    var source = try makeSource(isLive: !input.isRegularFile)
    let writer: LogWriter
    do {
      let sink =
        output == "-"
        ? FileLogSink(descriptor: 1) : try FileLogSink(path: output, replace ? .replace : .create)
      writer = try LogWriter(to: sink, vocabulary: source.vocabulary, options: LogWriter.Options())
    } catch LogError.exists(let path) {
      throw CommandError.usage("\(path): exists already; choose another -o, or pass --replace")
    } catch {
      throw CommandError.unreadable("\(error)")
    }
    Interrupt.catchSignals()
    do {
      try record(input, &source, writer)
    } catch let error as SourceError {
      try? writer.close()
      throw CommandError.unreadable("\(input.name): \(error)\(kept(writer))")
    } catch let error as LogError {
      throw CommandError.unreadable("\(error)")
    }
    if !quiet {
      Terminal.printError("\(source.tally) → \(output), \(writer.byteCount) bytes")
    }
  }

  private func record(
    _ input: ByteInput, _ source: inout any TraceSource, _ writer: LogWriter
  ) throws {
    var events: [Event] = []
    var progress = Progress(noun: "lines read", isQuiet: quiet)
    defer { progress.clear() }
    while true {
      events.removeAll(keepingCapacity: true)
      switch try input.next(waiting: input.isRegularFile ? nil : 250) {
      case .bytes(let bytes):
        try source.take(bytes, into: &events)
        try writer.append(events)
      case .pause:
        try source.flush(into: &events)
        try writer.append(events)
        try writer.flush()
      case .end:
        try source.finish(into: &events)
        try writer.append(events)
        return try writer.close()
      }
      progress.show(source.tally.lines)
    }
  }

  /// What a recording that stopped at an error leaves behind.
  private func kept(_ writer: LogWriter) -> String {
    writer.eventCount > 0 ? "; \(output) holds the \(writer.eventCount) events before it" : ""
  }

  private func makeSource(isLive: Bool) throws -> any TraceSource {
    let policy: TextSource.ErrorPolicy = onError == .skip ? .skip : .stop
    switch source {
    case .console: return ConsoleSource(options: ConsoleSource.Options(app: app, date: day))
    case .ndjson: return TextSource(form: .ndjson, isLive: isLive, onError: policy)
    case .trace: return TextSource(form: .notation, isLive: isLive, onError: policy)
    }
  }

  private var day: ConsoleSource.Day? {
    guard let parts = date?.split(separator: "-", omittingEmptySubsequences: false),
      parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
      let day = Int(parts[2])
    else { return nil }
    return ConsoleSource.Day(year: year, month: month, day: day)
  }
}
