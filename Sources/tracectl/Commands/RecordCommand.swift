import ArgumentParser
import LifecycleModel
import Platform
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

  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record an app or a device, or make a log of a console capture, NDJSON or notation.",
    discussion: """
      Run an app that links TraceRecorder; the recording survives a crash of the app:

        tracectl record -o log.bin -- ./MyApp --its-arguments

      The app keeps its standard streams and its exit status. --device and --simulator record what the system prints about any app, until you press Ctrl-C; while the device is away, the log has a gap:

        tracectl record --device --app Notes -o log.bin

      With --source, tracectl reads a file, or standard input as it arrives:

        idevicesyslog | tracectl record --source console --app Notes -o log.bin

      An interrupt, SIGTERM or a terminal that closes ends the recording, and what was read is kept. If tracectl itself is killed, the app keeps running and loses nothing; --attach resumes its recording:

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

  @Option(
    defaultAsFlag: "",
    help: ArgumentHelp(
      """
      Record the console of a connected device, by idevicesyslog or pymobiledevice3, whichever is \
      there; without a UDID the only device.
      """,
      valueName: "UDID"))
  var device: String?

  @Option(
    defaultAsFlag: "",
    help: ArgumentHelp(
      "Record the console of a simulator, by xcrun simctl; without a UDID the one that is booted.",
      valueName: "UDID"))
  var simulator: String?

  /// The console that is recorded as it is printed; `nil` for a file, a pipe or an app.
  private var liveConsole: LiveConsole? {
    device.map(LiveConsole.device) ?? simulator.map(LiveConsole.simulator)
  }

  @OptionGroup var newLog: NewLogOptions

  private var output: String { newLog.path }

  @OptionGroup var console: ConsoleOptions

  @Option(help: .crash, completion: .file()) var crash: [String] = []

  @Option(
    help: ArgumentHelp(
      "What to do at an unreadable line: stop, or skip it and record a gap.", valueName: "what"))
  var onError = TextSource.ErrorPolicy.stop

  @Option(
    help: ArgumentHelp(
      """
      Resume the log of an app whose recorder was killed, until the app ends. Give the limits, such as \
      --keep, again.
      """,
      valueName: "log"), completion: .file())
  var attach: String?

  @OptionGroup(title: "Log options") var logOptions: LogOptions

  @OptionGroup(title: "Ring options for an app") var ringOptions: RingOptions

  @Argument(
    help: "With --source, the file to read; - is standard input.", completion: .file())
  var file: String?

  @Argument(
    parsing: .postTerminator, help: "The app to run and its arguments, after --.")
  var command: [String] = []

  func validate() throws {
    let (hasApp, isLive) = (!command.isEmpty, liveConsole != nil)
    let isOther = source != nil || hasApp || file != nil

    try refuse(
      attach != nil && (isOther || isLive || newLog.replace),
      "--attach excludes --source, --device, --simulator, --replace, a file and an app")
    try refuse(
      attach != nil && !ringOptions.isEmpty,
      "--attach uses the existing ring: its sizes cannot change")
    try refuse(
      isLive && (isOther || onError == .skip || device != nil && simulator != nil),
      "--device and --simulator exclude each other, --source, --on-error, a file and an app")
    try refuse(
      onError == .skip && source == .console,
      "--on-error needs --source ndjson or trace; a console line of no known form says nothing")
    try refuse(isFileNamedAsDevice, fileIsNoDevice)
    try refuse(
      (source != nil || isLive) && !ringOptions.isEmpty,
      "ring options need an app, not --source, --device or --simulator")
    try refuse(
      output == "-" && !logOptions.isEmpty, "log options need a file, not standard output")
    try refuse(
      hasApp && (source != nil || file != nil),
      "an app after -- excludes --source and a file to read")
    try refuse(
      hasApp && output == "-",
      "an app's log must be a file, because its ring is a file beside it")
    try refuse(
      source != .console && !isLive && !console.isEmpty,
      "--app and --date need --source console, --device or --simulator")
    try refuse(
      !crash.isEmpty && source != .console,
      "--crash needs --source console; for a log, use analyze --crash")
  }

  /// Whether a file is named where a device is meant: no UDID has a dot or a slash, but a simulator's name
  /// may have a dot.
  private var isFileNamedAsDevice: Bool {
    guard let named = device ?? simulator else { return false }
    return named.contains("/") || device != nil && named.contains(".")
  }

  private var fileIsNoDevice: String {
    let (option, named) = (device == nil ? "--simulator" : "--device", device ?? simulator ?? "")
    return "\(option) takes a UDID, not a file such as \(InertText.word(named)); to read a saved "
      + "capture, run tracectl record --source console \(ShellWord.quoted(named))"
  }

  func run() throws {
    if let console = liveConsole { return try recordLive(console) }
    if let form = source { return try importWords(form) }
    if attach == nil && command.isEmpty { throw CommandError.usage(RecordGuess.advice(file)) }
    var options = Drain.Options()
    options.replacesLog = newLog.replace
    options.limits = logOptions.limits
    options.sync = logOptions.sync ?? options.sync
    ringOptions.apply(to: &options)
    if attach == nil {
      try ChildProcess.check(command[0])
      try newLog.check()
      newLog.reportName()
    }
    let recording = AppRecording(log: attach ?? output, options: options, isQuiet: newLog.quiet)
    if attach != nil { try recording.attach() } else { try recording.run(command) }
  }

  private func importWords(_ form: SourceName) throws {
    let progress = Progress("reading \(InertText.word(file ?? "-"))", isQuiet: newLog.quiet)
    let input = try ByteInput(file ?? "-", progress: progress)
    if ReportFile.isSame(input.name, output) {
      throw CommandError.usage("\(output): is the input file; choose another -o")
    }

    try newLog.check()
    NewLog.tellWaiting(input, isQuiet: newLog.quiet)
    let source = makeSource(form, input)
    let reports = crash.isEmpty ? [] : try ReportFiles(crash, app: nil).entries

    let recording = try self.recording(isLive: !input.isRegularFile, reports)
    try write(source, recording, input.name) { source in
      _ = try read(input, &source, recording, progress)
    }
  }

  /// Records a device or a simulator until an interrupt, with a gap wherever it was away.
  private func recordLive(_ live: LiveConsole) throws {
    try newLog.check()
    var capture = try LiveCapture(live)
    defer { capture.stop() }
    let source = ConsoleSource(options: console.options)
    let recording = try self.recording(isLive: true)
    if !newLog.quiet {
      Terminal.printError("recording by \(capture.tool); Ctrl-C ends the recording")
    }

    try write(source, recording, capture.tool) { source in
      var recordCount = 0
      while true {
        let words = try read(try capture.start(), &source, recording)
        capture.stop()
        if Interrupt.isRequested { return }

        // A message of the tool is no line of a console: the device was not there at all.
        var events: [Event] = []
        try source.flush(into: &events)
        source.forgetUnfinishedLine()
        let hasPrinted = source.tally.records > recordCount
        recordCount = source.tally.records
        if recordCount == 0 { throw capture.nothingPrinted(but: words) }

        if hasPrinted { try source.noteCut(into: &events) }
        try recording.append(events, source)
        try recording.flush()
        if hasPrinted && !newLog.quiet {
          Terminal.printError("the \(live.noun) is gone; waiting for it")
        }
        capture.waitForReturn()
        if Interrupt.isRequested { return }
      }
    }
  }

  /// The log that is written; a live recording may be cut by a power failure, a file can be imported
  /// again.
  private func recording(
    isLive: Bool, _ reports: [ReportFiles.Entry] = []
  ) throws -> LogImport {
    let recording = LogImport(
      to: newLog, sync: logOptions.sync ?? (isLive ? .interval(100_000_000) : .none),
      limits: logOptions.limits, reports: reports)
    try recording.checkOutput()
    Interrupt.catchSignals()
    return recording
  }

  /// Writes what `read` reads to its end, and reports how much that was.
  private func write(
    _ source: any TraceSource, _ recording: LogImport, _ name: String,
    _ read: (inout any TraceSource) throws -> Void
  ) throws {
    var source = source
    do {
      try read(&source)
      var events: [Event] = []
      if Interrupt.isRequested { source.forgetUnfinishedLine() }
      var isLeft = true
      while isLeft {
        events.removeAll(keepingCapacity: true)
        isLeft = try source.drain(into: &events)
        try recording.append(events, source)
      }
      try recording.appendEnds(source, of: name)
      try recording.close(source)
    } catch let error as SourceError {
      if recording.isBegun { try? recording.close(source) }
      throw CommandError.unreadable("\(name): \(error)\(kept(recording))")
    } catch LogError.diskFull {
      let count = recording.eventCount
      let left = count > 0 ? ", and the log has the first \(CountText.of(count, "event"))" : ""
      throw CommandError.unreadable(
        "\(NewLog.name(of: output)): the disk is full\(left); free some space and record again")
    } catch let error as LogError {
      throw CommandError.writing(error)
    }

    for word in recording.unknownWords { Terminal.printError(word.text) }
    if !newLog.quiet {
      Terminal.printError("\(source.tally) → \(NewLog.name(of: output)), \(recording.size)")
    }
  }

  /// How long the events of a live input wait to be written at most.
  private static let pauseMilliseconds: Int32 = 250

  /// Reads an input until it ends or an interrupt comes; returns its first bytes.
  private func read(
    _ input: ByteInput, _ source: inout any TraceSource, _ recording: LogImport,
    _ progress: Progress? = nil
  ) throws -> [UInt8] {
    var events: [Event] = []
    var first: [UInt8] = []
    let pause = input.isRegularFile ? nil : Self.pauseMilliseconds
    var (written, lastWrite) = (recording.eventCount, platform_nanoseconds())
    defer { progress?.clear() }
    while true {
      events.removeAll(keepingCapacity: true)
      switch try input.next(waiting: pause) {
      case .bytes(let bytes):
        if first.isEmpty { try refuseNoText(input, bytes) }
        if first.count < LiveCapture.longestWords {
          first += bytes.prefix(LiveCapture.longestWords - first.count)
        }
        do {
          try source.take(bytes, into: &events)
        } catch {
          try recording.append(events, source)
          throw error
        }
        try recording.append(events, source)
        // An input that never pauses must not wait for a block to be full.
        let now = platform_nanoseconds()
        if recording.eventCount != written {
          (written, lastWrite) = (recording.eventCount, now)
        } else if let pause, now &- lastWrite >= UInt64(pause) * 1_000_000 {
          try recording.flush()
          (written, lastWrite) = (recording.eventCount, now)
        }
      case .pause:
        try source.flush(into: &events)
        try recording.append(events, source)
        try recording.flush()
      case .end: return first
      }
    }
  }

  /// Throws for a text that is compressed.
  private func refuseNoText(_ input: ByteInput, _ first: ArraySlice<UInt8>) throws {
    guard first.starts(with: GzipInput.magic) else { return }
    throw CommandError.unreadable(
      "\(input.name): is compressed; unpack it into a pipe: gzip -dc | tracectl record --source …")
  }

  /// What a recording that stopped at an error leaves behind.
  private func kept(_ recording: LogImport) -> String {
    let count = recording.eventCount
    if count == 0 { return "" }
    return "; \(NewLog.name(of: output)) holds the \(CountText.of(count, "event")) before it"
  }

  private func makeSource(_ form: SourceName, _ input: ByteInput) -> any TraceSource {
    if form == .console { return ConsoleSource(options: console.options) }
    return TextSource(
      form: form == .ndjson ? .ndjson : .notation, order: input.isRegularFile ? .nearby : .live,
      onError: onError)
  }
}

extension TextSource.ErrorPolicy: ExpressibleByArgument {}
