import ArgumentParser
import LifecycleModel
import Platform
import TraceAnalysis
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

  /// Draws the log that was analyzed, or the part of it that lies in `window`; `nil` when there is
  /// nothing to draw.
  ///
  /// The log is read a second time.
  func picture(
    of log: String, _ analysis: Analysis, _ instants: StoryInstants, _ reading: LogAnalysis,
    in window: ClosedRange<Instant>? = nil
  ) throws -> TimelinePicture? {
    guard let axis = instants.axis(axis ?? .story, analysis, in: window) else { return nil }
    var input = try reading.reopen(log)
    var drawing = TimelineDrawing(analysis, on: axis, input.vocabulary, look)
    var events: [Event] = []
    while try input.read(into: &events) { drawing.draw(events) }
    return drawing.finish()
  }

  /// Throws for a log that cannot be read twice.
  static func check(_ log: String) throws {
    if log != "-" { return }
    throw CommandError.usage(
      "a picture reads the log twice, so that it must be a file, not standard input; "
        + "save it first: cat > log.bin")
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
