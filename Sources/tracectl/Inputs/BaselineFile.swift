import TraceAnalysis
import TraceConfiguration

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
    do {
      return try WholeFile.readIfThere(path).map { try Baseline(text: $0) }
    } catch let error as BaselineError {
      throw CommandError.usage("\(path):\(error.line): \(error.description)")
    } catch let error as CommandError {
      throw CommandError.usage(error.description)
    }
  }
}
