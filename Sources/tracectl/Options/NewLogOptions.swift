import ArgumentParser

/// The log that a command writes.
struct NewLogOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      """
      The log to write; - is standard output. (default: log.bin; if there is one, log-2.bin and \
      so on)
      """,
      valueName: "log"),
    completion: .file())
  var named: String?

  @Flag(help: "Replace an existing log and its older parts.")
  var replace = false

  @Flag(name: .shortAndLong, help: "Print no summary.")
  var quiet = false

  /// Whether nobody chose the name, and recordings that nobody named lie here already.
  private(set) var followsOthers = false

  private enum CodingKeys: CodingKey { case named, replace, quiet }

  /// The log to write.
  var path: String { named ?? NewLog.usualPath }

  /// Chooses a name that no recording has, once: so that none is lost.
  mutating func validate() {
    guard named == nil, !replace else { return }
    named = NewLog.freePath()
    followsOthers = named != NewLog.usualPath
  }

  /// Throws when the log would go where it cannot, see ``NewLog/check(_:mustBeNew:)``.
  func check() throws { try NewLog.check(path, mustBeNew: !replace) }

  /// Reports the name that was chosen, when it is not the one that a user expects.
  func reportName() {
    guard followsOthers, !quiet else { return }
    Terminal.printError("recordings are here already, so this one is \(path)")
  }
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
