import ArgumentParser

/// Where the log goes that a command writes.
struct NewLogOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      """
      The log to write; - is standard output. (default: log.bin; an existing log is kept as \
      log.old.bin)
      """,
      valueName: "log"),
    completion: .file())
  var named: String?

  /// The log to write.
  var path: String { named ?? NewLog.usualPath }

  /// Throws when the log would go where it cannot, see ``NewLog/check(_:mustBeNew:)``; one without a name
  /// keeps what lies there.
  func check(replaces: Bool) throws {
    try NewLog.check(path, mustBeNew: named != nil && !replaces)
  }
}
