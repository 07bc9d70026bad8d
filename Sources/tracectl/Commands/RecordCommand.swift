import ArgumentParser
import LifecycleModel
import TraceLog
import TraceRecorder
import TraceReport
import TraceSources
import TraceText

/// `tracectl record`: records an app that links the recorder, or turns others' words into a log.
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
    abstract: "Record an app, or turn a console capture, NDJSON or notation into a log.",
    discussion: """
      Run an app that links TraceRecorder; the recording survives a crash of the app:

        tracectl record -o log.bin -- ./MyApp --its-arguments

      The app keeps its standard streams and its exit status. With --source, tracectl reads a file, or standard input as it arrives, so you can record a device live:

        idevicesyslog | tracectl record --source console --app Notes -o log.bin

      An interrupt ends the recording and keeps what was read. If tracectl itself is killed, the app keeps running and loses nothing; --attach resumes its recording:

        tracectl record --attach log.bin
      """)

  @Option(
    help: ArgumentHelp(
      """
      The format of the text: console (Console.app, log show, idevicesyslog), ndjson or trace \
      (notation).
      """,
      valueName: "form"))
  var source: SourceName?

  @OptionGroup var newLog: NewLogOption

  private var output: String { newLog.path }

  @Option(
    help: ArgumentHelp(
      "The app to follow in a console capture: process name or bundle identifier.",
      valueName: "name"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The day of a console capture without dates, as year-month-day.", valueName: "date"))
  var date: String?

  @Option(
    help: ArgumentHelp(
      """
      A crash report about the app of a console capture, or a directory of them: joins the end that \
      it tells.
      """,
      valueName: "report"), completion: .file())
  var with: [String] = []

  @Option(
    help: ArgumentHelp(
      "What to do at an unreadable line: stop, or skip it and record a gap.", valueName: "what"))
  var onError = ErrorOption.stop

  @Option(
    help: ArgumentHelp(
      "Resume the log of an app whose recorder was killed, until the app ends.",
      valueName: "log"), completion: .file())
  var attach: String?

  @Flag(help: "Replace an existing log and its older parts.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  @OptionGroup(title: "Log options") var logOptions: LogOptions

  @OptionGroup(title: "Ring options for an app") var ringOptions: RingOptions

  @Argument(
    help: "With --source, the file to read; - is standard input.", completion: .file())
  var file: String?

  @Argument(
    parsing: .postTerminator, help: "The app to run and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    if attach != nil {
      guard source == nil && command.isEmpty && file == nil && !replace else {
        throw ValidationError("--attach excludes --source, --replace, a file and an app")
      }
      guard ringOptions.isEmpty else {
        throw ValidationError("--attach uses the existing ring: its sizes cannot change")
      }
    } else if source == nil && command.isEmpty {
      throw ValidationError(RecordGuess(file).advice)
    }

    if source != nil && !ringOptions.isEmpty {
      throw ValidationError("ring options need an app, not --source")
    }
    if output == "-" && !logOptions.isEmpty {
      throw ValidationError("log options need a file, not standard output")
    }

    if !command.isEmpty && (source != nil || file != nil) {
      throw ValidationError("an app after -- excludes --source and a file to read")
    }
    if !command.isEmpty && output == "-" {
      throw ValidationError("an app's log must be a file, because its ring is a file beside it")
    }

    if source != .console && (app != nil || date != nil) {
      throw ValidationError("--app and --date need --source console")
    }
    if !with.isEmpty && source != .console {
      throw ValidationError("--with needs --source console; for a log, use analyze --crash")
    }
    if date != nil && day == nil {
      throw ValidationError("--date takes a day such as 2026-11-21, not \(date ?? "")")
    }
  }

  func run() throws {
    if let form = source { return try importWords(form) }
    var options = Drain.Options()
    options.replacesLog = replace
    options.limits = logOptions.limits
    if let sync = logOptions.sync { options.sync = sync.policy }
    ringOptions.apply(to: &options)
    if attach == nil && newLog.named == nil && !replace { try NewLog.keepPrevious(isQuiet: quiet) }
    let recording = AppRecording(log: attach ?? output, options: options, isQuiet: quiet)
    if attach != nil { try recording.attach() } else { try recording.run(command) }
  }

  private func importWords(_ form: SourceName) throws {
    let progress = Progress("reading \(InertText.word(file ?? "-"))", isQuiet: quiet)
    let input = try ByteInput(file ?? "-", progress: progress)
    if ReportFile.isSame(input.name, output) {
      throw CommandError.usage("\(output): is the input file; choose another -o")
    }

    try NewLog.refuseTerminal(output)
    NewLog.tellWaiting(input, isQuiet: quiet)
    var source = try makeSource(form, input)
    var reports = try joinedReports(input)

    // A live recording may be cut by a power failure; a file can be imported again.
    let sync = logOptions.sync?.policy ?? (input.isRegularFile ? .none : .interval(100_000_000))
    let recording = LogImport(
      to: output, replaces: replace, keepsPrevious: newLog.named == nil && !replace, sync: sync,
      limits: logOptions.limits, isQuiet: quiet)
    try recording.checkOutput()
    Interrupt.catchSignals()

    do {
      try record(input, &source, &reports, recording, progress)
    } catch let error as SourceError {
      if recording.eventCount > 0 { try? recording.close(source) }
      throw CommandError.unreadable("\(input.name): \(error)\(kept(recording))")
    } catch LogError.notOurs(let path) {
      throw CommandError.usage("\(path): is not a log, so it is not replaced; choose another -o")
    } catch LogError.notFound(let path) {
      throw CommandError.unreadable("\(path): cannot be created; does its folder exist?")
    } catch let error as LogError {
      throw CommandError.unreadable("\(error)")
    }

    for word in recording.unknownWords { Terminal.printError(word.text) }
    if !quiet {
      Terminal.printError("\(source.tally) → \(output), \(recording.size)")
    }
  }

  /// The crash reports that are joined to a capture, which is looked through for its processes.
  private func joinedReports(_ input: ByteInput) throws -> JoinedReports {
    if !with.isEmpty && !input.canBeReadAgain {
      throw CommandError.usage(
        "--with reads the capture twice, so that it must be a file, not standard input")
    }
    var settings = InputSettings()
    settings.console = ConsoleSource.Options(app: app, date: day)
    let entries = with.isEmpty ? [] : try ReportFiles(with, app: nil).entries
    let reports = try JoinedReports(entries, log: input.name, settings: settings)
    reports.tellApart(input.name)
    return reports
  }

  private func record(
    _ input: ByteInput, _ source: inout any TraceSource, _ reports: inout JoinedReports,
    _ recording: LogImport, _ progress: Progress
  ) throws {
    var events: [Event] = []
    var isFirst = true
    defer { progress.clear() }
    while true {
      events.removeAll(keepingCapacity: true)
      var (isPause, isAtEnd) = (false, false)
      switch try input.next(waiting: input.isRegularFile ? nil : 250) {
      case .bytes(let bytes):
        if isFirst { try input.refuseWideText(bytes) }
        isFirst = false
        do {
          try source.take(bytes, into: &events)
        } catch {
          reports.put(into: &events, source.vocabulary)
          try recording.append(events, source)
          throw error
        }
      case .pause:
        isPause = true
        try source.flush(into: &events)
      case .end:
        if Interrupt.isRequested { source.forgetUnfinishedLine() }
        try source.finish(into: &events)
        isAtEnd = true
      }

      reports.put(into: &events, source.vocabulary)
      try recording.append(events, source)
      if isAtEnd { return try recording.close(source) }
      if isPause { try recording.flush() }
    }
  }

  /// What a recording that stopped at an error leaves behind.
  private func kept(_ recording: LogImport) -> String {
    let count = recording.eventCount
    return count > 0 ? "; \(output) holds the \(CountText.of(count, "event")) before it" : ""
  }

  private func makeSource(_ form: SourceName, _ input: ByteInput) throws -> any TraceSource {
    switch form {
    case .console: ConsoleSource(options: ConsoleSource.Options(app: app, date: day))
    case .ndjson: try textSource(.ndjson, input)
    case .trace: try textSource(.notation, input)
    }
  }

  private func textSource(_ form: TextSource.Form, _ input: ByteInput) throws -> TextSource {
    TextSource(
      form: form, order: input.isRegularFile ? try input.order(of: form) : .live,
      onError: onError == .skip ? .skip : .stop)
  }

  private var day: ConsoleSource.Day? {
    date.flatMap { ConsoleSource.Day($0) }
  }
}
