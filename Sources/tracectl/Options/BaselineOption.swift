import ArgumentParser
import TraceAnalysis
import TraceConfiguration

/// `--baseline`: which findings are known.
struct BaselineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file of findings that are known, or none; by default that of the configuration. Create \
      it with tracectl baseline write.
      """,
      valueName: "file"), completion: .file())
  var baseline: String?

  /// Whether no baseline is used, whatever the configuration names.
  var isNone: Bool { baseline == "none" }

  /// The file that the command line names; `nil` for none.
  var named: String? { isNone ? nil : baseline }

  /// Where the baseline lies, by the command line or else the configuration; `nil` for none.
  func path(_ team: Configuration) -> String? { isNone ? nil : baseline ?? team.baseline?.value }

  /// The baseline; `nil` for none.
  ///
  /// Names in it that are no rule's id are reported.
  func load(_ team: Configuration) throws -> Baseline? {
    try path(team).map { try BaselineFile.read($0, warningOf: team) }
  }
}

/// `--strict-baseline`: whether entries that are fixed count.
struct StrictBaselineOption: ParsableArguments {
  @Flag(
    help: "Also exit with 1 if a baseline entry is fixed, so that it gets removed.")
  var strictBaseline = false

  /// Throws where it has no baseline to be about.
  func check(_ known: Baseline?) throws {
    if strictBaseline && known == nil {
      throw CommandError.usage("--strict-baseline needs a baseline; name one with --baseline")
    }
  }

  /// Throws when entries are fixed and that counts.
  func check(_ comparison: BaselineComparison?) throws {
    if strictBaseline, let comparison, !comparison.fixed.isEmpty { throw ExitStatus.findings }
  }
}
