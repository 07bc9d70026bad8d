import LifecycleModel
import TraceAnalysis

/// What is said of one log among many.
public struct VerdictLine {
  private let results: AnalysisResults

  /// Makes a line of the results of one log.
  public init(_ results: AnalysisResults) { self.results = results }

  /// `a.bin: 1 error (task-leak-at-suspend)`, with the end of the line.
  public func text(of log: String) -> String {
    if let unreadable = results.unreadable.first {
      // The error names the log itself.
      return unreadable.error + "\n"
    }
    return "\(log): \(verdict)\n"
  }

  private var verdict: String {
    if results.events == 0 { return "no events" }
    let groups = results.groups.filter { $0.examples.contains { $0.suppression == nil } }
    if groups.isEmpty {
      return results.logsInconclusive > 0 ? "nothing found, inconclusive" : "clean"
    }
    return Severity.allCases.reversed().compactMap { severity in
      let found = groups.filter { $0.worst == severity }
      let count = found.reduce(0) { $0 + $1.count }
      guard count > 0 else { return nil }
      let rules = Set(found.map { $0.examples[0].rule }).sorted().joined(separator: ", ")
      return "\(CountText.of(count, severity)) (\(rules))"
    }.joined(separator: ", ")
  }
}

extension AnalysisResults.Group {
  fileprivate var worst: Severity {
    examples.compactMap { Severity(rawValue: $0.severity) }.max() ?? .info
  }
}
