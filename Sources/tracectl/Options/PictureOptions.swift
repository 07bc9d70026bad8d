import ArgumentParser
import LifecycleModel
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// How a picture of a run looks.
struct PictureOptions: ParsableArguments {
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

  func validate() throws {
    if let width, !(50...1000).contains(width) {
      throw ValidationError("--width takes a number of columns from 50 to 1000, not \(width)")
    }
  }

  /// Whether any was given.
  var isEmpty: Bool { axis == nil && !ascii && width == nil }

  private var look: TimelinePicture.Look {
    let columns = TerminalWidth.columns.flatMap { $0 > 0 ? min($0, 1000) : nil }
    return TimelinePicture.Look(
      width: width ?? columns ?? 100, ink: ascii || !Locale.showsUnicode ? .ascii : .unicode)
  }

  /// Sees the events of a batch, and the input that they are from.
  typealias Seeing = (TraceInput, [Event]) throws -> Void

  /// Analyzes a log, and draws the part of it that was chosen; `nil` when nothing lies there.
  ///
  /// The log is read twice. What `seen` keeps may be what is open by a ``LaneFold`` of all that it saw.
  func picture(
    of log: String, _ team: Configuration, _ settings: InputSettings, _ window: WindowOptions,
    seen: Seeing = { _, _ in }
  ) throws -> TimelinePicture? {
    try ByteInput.checkFile(log, "a picture")
    var reading = LogAnalysis(team, statistics: false, settings: settings)
    var instants = StoryInstants(in: window.plainPart)
    let (analysis, _, _) = try reading.analyze(log) { instants.observe($1) }
    let part = try window.part(by: reading.clock)
    return try picture(of: log, analysis, instants, reading, in: part, seen: seen)
  }

  /// Draws the log that was analyzed, or the part of it that lies in `window`; `nil` when there is
  /// nothing to draw.
  ///
  /// The log is read a second time.
  func picture(
    of log: String, _ analysis: Analysis, _ instants: StoryInstants, _ reading: LogAnalysis,
    in window: ClosedRange<Instant>? = nil, seen: Seeing = { _, _ in }
  ) throws -> TimelinePicture? {
    guard let axis = instants.axis(axis ?? .story, analysis, in: window) else { return nil }
    var input = try reading.reopen(log)
    var drawing = TimelineDrawing(analysis, on: axis, input.vocabulary, look)
    var events: [Event] = []
    while try input.read(into: &events) {
      try seen(input, events)
      drawing.draw(events)
    }
    return drawing.finish()
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
