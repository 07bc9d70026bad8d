/// What the fuzzers feed with bytes of strangers: each reader, and the writers of what a browser or a
/// viewer opens.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case log, ring, notation, ndjson, console
  case crashReport = "crash-report"
  case metricKit = "metrickit"
  case yaml, baseline, reports, page, perfetto

  /// Feeds the target; throws a ``BrokenPromise`` when what must hold for any bytes does not.
  @MainActor package func run(_ bytes: [UInt8]) throws {
    switch self {
    case .log: try LogPromises.check(bytes)
    case .ring: try RingPromises.check(bytes)
    case .notation: try TextPromises.check(bytes, .notation)
    case .ndjson: try TextPromises.check(bytes, .ndjson)
    case .console: try SourcePromises.checkConsole(bytes)
    case .crashReport: try SourcePromises.checkReport(bytes)
    case .metricKit: try SourcePromises.checkMetricKit(bytes)
    case .yaml: try YAMLPromises.check(bytes)
    case .baseline: try ReportPromises.checkBaseline(bytes)
    case .reports: try ReportPromises.checkReports(bytes)
    case .page: try PagePromises.check(bytes)
    case .perfetto: try ExportPromises.check(bytes)
    }
  }
}

extension FuzzTarget {
  /// Changes any bytes; what fuzzes gives one that has learned which changes lead on.
  package typealias Change = (_ bytes: [UInt8], _ most: Int) -> [UInt8]

  /// Changes an input by `change`: a log behind its checksums, a ring where it holds something.
  package func mutate(_ bytes: [UInt8], most: Int, seed: UInt64, _ change: Change) -> [UInt8] {
    switch self {
    case .log:
      var mutator = LogMutator(seed: seed)
      return mutator.mutate(bytes, most: most, change)
    case .ring where seed % 4 != 0:
      var mutator = RingMutator(seed: seed)
      return mutator.mutate(bytes)
    default: return change(bytes, most)
    }
  }
}

/// Something that must hold for any bytes does not.
package struct BrokenPromise: Error, CustomStringConvertible {
  /// What was expected, and what was found.
  package let description: String
}

/// Throws a ``BrokenPromise`` unless `condition` holds.
func hold(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
  if !condition { throw BrokenPromise(description: promise()) }
}
