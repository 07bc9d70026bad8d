import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceConfiguration

/// `--baseline`: which findings are known.
struct BaselineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The file of findings that are known; by default that of the configuration. Create it with \
      tracectl baseline write. none uses none.
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

/// A baseline on the disk.
enum BaselineFile {
  /// Where a baseline lies by default.
  static let defaultPath = "tracectl-baseline.jsonl"

  /// Reads a baseline that must be there.
  static func read(_ path: String) throws -> Baseline {
    guard let baseline = try readIfThere(path) else {
      throw CommandError.usage(
        "\(path): no such baseline; create it with tracectl baseline write "
          + "--baseline \(path) LOG…")
    }
    return baseline
  }

  /// Reads a baseline that must be there, and warns of names in it that are no rule's id.
  static func read(_ path: String, warningOf configuration: Configuration) throws -> Baseline {
    let baseline = try read(path)
    for sentence in configuration.namesOfNoRule(in: baseline) {
      Terminal.printProblem("\(path): warning: \(sentence)")
    }
    return baseline
  }

  /// Reads a baseline; `nil` when there is no such file.
  static func readIfThere(_ path: String) throws -> Baseline? {
    let bytes: [UInt8]
    do {
      guard let read = try WholeFile.readIfThere(path) else { return nil }
      bytes = read
    } catch let error as CommandError {
      throw CommandError.usage(error.description)
    }

    do {
      return try Baseline(text: bytes)
    } catch {
      throw CommandError.usage("\(path):\(error.line): \(error.description)")
    }
  }

  static func write(_ baseline: Baseline, to path: String) throws {
    try WholeFile.write(Array(baseline.text.utf8), to: path)
  }
}
