import TraceAnalysis

/// The lines on many logs, among which one baseline is shared out.
///
/// Of a fingerprint that comes more often than the baseline has it, the surplus is new: the most
/// serious findings first, of these the first by log. That is what ``AnalysisResults`` says of its
/// examples, so that lines, reports and exit status agree. How much surplus there is only all logs
/// tell together.
package struct VerdictSheet: Sendable {
  private let entries: [String: Int]

  /// Makes a sheet; without a baseline each line is settled as it comes.
  package init(_ baseline: Baseline?) {
    let pairs = (baseline?.entries ?? []).enumerated().map { ($1.fingerprint, $0) }
    entries = Dictionary(pairs) { first, _ in first }
  }

  /// The line on a log that is named so.
  package func line(_ results: AnalysisResults, of log: String) -> VerdictLine {
    VerdictLine(results, of: log, entries)
  }

  /// Shares the baseline out among lines, given what all logs show together.
  ///
  /// The order of `lines` does not matter. Cost: a pass over them for each severity.
  package func settle(_ lines: inout [VerdictLine], _ total: AnalysisResults) {
    var surplus = Array(repeating: 0, count: entries.count)
    for cause in total.causes {
      guard let entry = entries[cause.fingerprint] else { continue }
      surplus[entry] = max(0, cause.count - (total.baseline?.count(of: cause.fingerprint) ?? 0))
    }

    let order = lines.indices.sorted { lines[$0].log < lines[$1].log }
    for severity in Severity.allCases.reversed() {
      for line in order {
        for finding in lines[line].findings.indices {
          for part in lines[line].findings[finding].indices {
            let told = lines[line].findings[finding][part]
            guard let entry = told.entry, told.severity == severity else { continue }
            let new = min(told.times, surplus[entry])
            surplus[entry] -= new
            lines[line].findings[finding][part].new = new
          }
        }
      }
    }
  }
}
