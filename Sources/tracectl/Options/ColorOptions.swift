import ArgumentParser
import Platform
import TraceReport

/// Whether the output has colours.
enum ColorOption: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never

  /// Colours and the width of the terminal; `auto` has colours on a terminal that is not dumb, unless
  /// `NO_COLOR` is set.
  var style: TextStyle { coloring.wide(TerminalWidth.columns) }

  private var coloring: TextStyle {
    switch self {
    case .always: return .colored
    case .never: return .plain
    case .auto:
      let noColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
      let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
      return isatty(STDOUT_FILENO) == 1 && !noColor && !isDumb ? .colored : .plain
    }
  }
}

/// The option that every command with coloured output has.
struct ColorOptions: ParsableArguments {
  @Option(
    name: .customLong("color"),
    help: ArgumentHelp(
      "When to use colors: auto (the default), always or never.", valueName: "when"))
  var said: ColorOption?

  /// What was said, or else `auto`.
  var color: ColorOption { said ?? .auto }
}
