import Platform

/// How wide the terminal of standard output is.
enum TerminalWidth {
  /// What `COLUMNS` says, else the terminal; `nil` where neither does, as in a pipe.
  static var columns: Int? {
    if let said = getenv("COLUMNS"), let width = Int(String(cString: said)) { return width }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// How wide help is printed: the argument parser traps on a screen of less than some 30 columns.
enum HelpWidth {
  private static let least = 40

  /// From now on help is so wide at least.
  static func limit() {
    if let width = TerminalWidth.columns, width < least { setenv("COLUMNS", "\(least)", 1) }
  }
}
