import ArgumentParser
import LifecycleModel
import Platform
import TraceConfiguration
import TraceReport
import TraceText

/// `tracectl timeline`: a run as a picture in the terminal.
struct TimelineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "timeline",
    abstract: "Draw a run in the terminal.",
    discussion: """
      The picture has a row for each lane: the states of the app and of its scenes, the process, calls by thread, background tasks, what was held, unsaved data, deliveries, work and notifications. Findings are numbered where their culprits are, and listed below.

        tracectl timeline log.bin
        tracectl timeline log.bin --from 12s --to 13s --axis clock

      A bar that ends with a cross was open when the process died; with an arrow, when the log ended. Work while the app was not active is red.
      """)

  @OptionGroup var input: LogArgument

  @OptionGroup var window: WindowOptions

  @Option(
    help: ArgumentHelp(
      """
      The time axis of the picture: story (the default) shortens long stretches in which nothing \
      happens; clock is to scale.
      """,
      valueName: "axis"))
  var axis: TimeAxis.Kind?

  @Flag(
    help: "Draw the picture with ASCII characters; the default on a terminal that is not UTF-8.")
  var ascii = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many columns the picture takes, at least 50; by default as many as the terminal, or 100.",
      valueName: "columns"), transform: WholeNumber.read)
  var width: Int?

  @OptionGroup(title: "What the log does not state") var inputOptions: InputOptions

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if let width, !(50...1000).contains(width) {
      throw ValidationError("--width takes a number of columns from 50 to 1000, not \(width)")
    }
  }

  func run() throws {
    let log = try input.path()
    let team = try configured.load()
    let settings = try inputOptions.settings(team)
    try ByteInput.checkFile(log, "a picture")
    var reading = LogAnalysis(team, statistics: false, settings: settings)
    var instants = StoryInstants(in: window.plainPart)
    let (analysis, _, _) = try reading.analyze(log) { instants.observe($1) }
    let part = try window.part(by: reading.clock)
    guard let axis = instants.axis(axis ?? .story, analysis, in: part) else {
      throw CommandError.usage("\(InertText.word(log)): has no events\(window.inPart)")
    }

    var input = try reading.reopen(log)
    var drawing = TimelineDrawing(analysis, on: axis, input.vocabulary, look)
    var events: [Event] = []
    while try input.read(into: &events) { drawing.draw(events) }
    let lines = drawing.finish().lines(color.color.style)
    try Terminal.print(lines.joined(separator: "\n") + "\n")
  }

  private var look: TimelinePicture.Look {
    let columns = TerminalWidth.columns.flatMap { $0 > 0 ? min($0, 1000) : nil }
    return TimelinePicture.Look(
      width: width ?? columns ?? 100, ink: ascii || !Locale.showsUnicode ? .ascii : .unicode)
  }
}

extension TimeAxis.Kind: ExpressibleByArgument {}

/// What the environment says of the language and the characters of the terminal.
private enum Locale {
  /// Whether standard output shows all characters: a file or a pipe does, and a terminal for which the
  /// first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set says UTF-8.
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
