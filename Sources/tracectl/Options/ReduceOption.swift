import ArgumentParser

/// `analyze --reduce`: the smallest trace for each finding, in a file of its own.
struct ReduceOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write the smallest trace that still shows a finding to this directory, in notation, for the \
      first three findings of each rule.
      """,
      valueName: "dir"), completion: .directory)
  var reduce: String?

  /// Looks at what can be known before the log is read.
  func check(_ log: String) throws {
    guard let reduce else { return }
    if log == "-" {
      throw CommandError.usage(
        "--reduce reads the log twice, which does not work with standard input; name a file")
    }
    try WholeFile.makeFolder(reduce)
  }
}
