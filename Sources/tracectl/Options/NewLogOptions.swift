import ArgumentParser

/// The log that a command writes.
struct NewLogOptions: ParsableArguments {
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

  @Flag(help: "Replace an existing log and its older parts.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  /// The log to write.
  var path: String { named ?? NewLog.usualPath }

  /// Whether a log at the usual place gets another name, so that it is not lost.
  var keepsPrevious: Bool { named == nil && !replace }

  /// Throws when the log would go where it cannot, see ``NewLog/check(_:mustBeNew:)``.
  func check() throws { try NewLog.check(path, mustBeNew: named != nil && !replace) }

  /// Gives a log that lies at the usual place another name.
  func keepPrevious() throws { if keepsPrevious { try NewLog.keepPrevious(isQuiet: quiet) } }
}

/// Where a log goes that a command makes of others.
struct DerivedLogOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "The log to write; - is standard output.", valueName: "log"),
    completion: .file())
  var output: String

  @Flag(help: "Replace an existing log.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  mutating func validate() throws {
    let texts = [".trace", ".ndjson", ".jsonl", ".txt"]
    guard texts.contains(where: output.hasSuffix) else { return }
    throw ValidationError(
      "-o names a binary log, not \(output); tracectl dump prints a log as text")
  }
}
