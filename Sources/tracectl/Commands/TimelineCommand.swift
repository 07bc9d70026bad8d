import ArgumentParser
import LifecycleModel
import Platform
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl timeline`: what happened in a run: as a picture, event by event, or at one moment.
struct TimelineCommand: ParsableCommand {
  /// The forms of the picture, and of a moment.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, ascii, json
  }

  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draw a run in the terminal, or show the state at any moment of it.",
    discussion: """
      The picture has a row for each lane: the states of the app and of its scenes, the process, calls by thread, background tasks, what was held, unsaved data, deliveries, work and notifications. Findings are numbered where their culprits are, and listed below.

        tracectl timeline log.bin
        tracectl timeline log.bin --from 12s --to 13s

      A bar that ends with a cross was open when the process died; with an arrow, when the log ended. Work while the app was not active is red.

      With --at, the state of the app and its scenes, what was open, for how long, and how much of its limit was left, and the events before and after:

        tracectl timeline log.bin --at 15.1s
        tracectl timeline log.bin --at main#25
        tracectl timeline log.bin --at @death

      A moment is a time, a wall-clock time, an event, a finding's fingerprint, @start, @end or @death (the last end of a process). With --changes, one line per event with what it changed.
      """)

  @OptionGroup var input: LogArgument

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The moment: 15.1s, 17:30:31, main#25, a fingerprint, @start, @end or @death.",
      valueName: "moment"))
  var at: PointArgument?

  @Option(
    help: ArgumentHelp(
      """
      The form: text (the default), ascii (the picture in ASCII characters; the default on a \
      terminal that is not UTF-8), or json (of --at).
      """,
      valueName: "form"))
  var format: Format?

  @Flag(help: "Print each event with what it changed.")
  var changes = false

  @Flag(
    help: "Print all changes, even if the text is over a thousand times as long as the log.")
  var noLimit = false

  @OptionGroup var window: WindowOptions

  @Option(
    help: ArgumentHelp("The time axis of the picture.", valueName: "axis", visibility: .hidden))
  var axis = TimeAxis.Kind.story

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many columns the picture takes, at least 50; by default as many as the terminal, or 100.",
      valueName: "columns"), transform: WholeNumber.read)
  var width: Int?

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  @OptionGroup var color: ColorOptions

  func validate() throws {
    try at?.check("--at")
    try refuse(at != nil && !window.isEmpty, "--at shows one moment; --from and --to show a part")
    try refuse(at != nil && changes, "--at shows one moment, and no changes")
    try refuse(noLimit && !changes, "--no-limit needs --changes")
    try refuse(at == nil && format == .json, "--format json needs --at")
    try refuse(
      (at != nil || changes) && (format == .ascii || width != nil),
      "--format ascii and --width are about the picture")
    if let width, !(50...1000).contains(width) {
      throw ValidationError("--width takes a number of columns from 50 to 1000, not \(width)")
    }
  }

  func run() throws {
    let log = try input.path()
    let (team, settings) = try reading.load()
    if let at {
      return try showMoment(MomentQuestion(log: log, team: team, settings: settings), at)
    }
    if changes { return try printChanges(of: log, settings) }
    try ByteInput.checkFile(log, "a picture")
    var instants = StoryInstants(in: window.plainPart)
    let task = LogTask(team, settings)
    let analyzed = try task.analyze(log) { instants.observe($1) }
    let part = try window.part(by: analyzed.clock)
    guard let axis = instants.axis(axis, analyzed.analysis, in: part) else {
      throw CommandError.usage("\(analyzed.name): has no events\(window.inPart)")
    }

    var input = try task.reopen(log)
    let columns = TerminalWidth.columns.flatMap { $0 > 0 ? min($0, 1000) : nil }
    var drawing = TimelineDrawing(
      analyzed.results(), on: axis, input.vocabulary, width: width ?? columns ?? 100,
      format == .ascii || !Locale.showsUnicode ? .ascii : .unicode, color.color.style)
    try input.forEach { drawing.draw($0) }
    try Terminal.print(drawing.finish().joined(separator: "\n") + "\n")
  }

  // MARK: A moment

  private func showMoment(_ question: MomentQuestion, _ point: PointArgument) throws {
    let (moment, clock) = try question.answer(point)
    let text =
      try format == .json
      ? EncodedJSON.text(moment, isOneLine: true)
      : moment.text(clock, style: color.color.style)
    try Terminal.print(text)
  }

  // MARK: Changes

  private func printChanges(of log: String, _ settings: InputSettings) throws {
    var input = try TraceInput(log, settings: settings)
    var lines = ChangeLines(input.vocabulary)
    let limit = ExpansionLimit(
      path: InertText.word(log), isOff: noLimit, advice: "show a part with --from and --to")
    let output = try Output(nil, limit)
    var events: [Event] = []

    while try input.read(into: &events) {
      if events.isEmpty { continue }
      let shown = try window.range(by: input.clock)
      for event in events {
        lines.take(event, isShown: shown.contains(event.instant))
        guard lines.isLong else { continue }
        try output.append(lines.takeBytes(), of: input.log?.byteCount)
      }
      try output.append(lines.takeBytes(), of: input.log?.byteCount)
      lines.forgetUnusedWords()
    }

    if output.count == 0 {
      let what = window.isEmpty ? "has no events" : "no event lies in this part"
      Terminal.printError("\(InertText.word(log)): \(what)")
    }
  }
}

extension TimeAxis.Kind: ExpressibleByArgument {}

/// What the environment states about the language and the characters of the terminal.
private enum Locale {
  /// Whether standard output shows all characters: a file or a pipe does, and a terminal for which the
  /// first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set names UTF-8.
  static var showsUnicode: Bool {
    if isatty(STDOUT_FILENO) == 0 { return true }
    let names: [String] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let said = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }
      .first { !$0.isEmpty }
    guard let said else { return true }
    let lowercase = said.lowercased()
    return lowercase.contains("utf-8") || lowercase.contains("utf8")
  }
}
