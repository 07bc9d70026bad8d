import Platform

/// How wide help is printed: the argument parser traps on a screen of less than some 30 columns.
enum HelpWidth {
  private static let least = 40

  /// From now on help is so wide at least.
  static func limit() {
    if let width = TerminalWidth.columns, width < least { setenv("COLUMNS", "\(least)", 1) }
  }
}
