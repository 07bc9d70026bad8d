import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceConfiguration

/// `--baseline` and `--strict-baseline`: what is known already.
struct BaselineOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Report only findings that are not in this file, and which of its entries are fixed. Create \
      it with tracectl baseline write.
      """,
      valueName: "file"), completion: .file())
  var baseline: String?

  @Flag(
    help: "Also exit with 1 if a baseline entry is fixed, so that it gets removed.")
  var strictBaseline = false

  /// Takes the baseline that a configuration names, when none was given.
  mutating func use(_ configuration: Configuration) {
    baseline = baseline ?? configuration.baseline?.value
  }

  /// The file, when one was given: nothing may be written over it.
  var files: [String] { [baseline].compactMap(\.self) }

  /// The baseline; `nil` when none was given.
  ///
  /// With the configuration that says which rules there are, names of no rule are told.
  func load(_ configuration: Configuration? = nil) throws -> Baseline? {
    if strictBaseline && baseline == nil {
      throw CommandError.usage("--strict-baseline needs a baseline; name one with --baseline")
    }
    return try baseline.map { path in
      guard let configuration else { return try BaselineFile.read(path) }
      return try BaselineFile.read(path, warningOf: configuration)
    }
  }

  /// Throws when entries are fixed and that counts.
  func check(_ comparison: BaselineComparison?) throws {
    if strictBaseline, let comparison, !comparison.fixed.isEmpty { throw ExitStatus.findings }
  }
}

/// A baseline on the disk.
enum BaselineFile {
  /// Where a baseline lies when nobody says where.
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
