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
