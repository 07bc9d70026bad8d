import TraceAnalysis
import TraceText

/// What is no finding of its own and is reported all the same, each with the rule that it is about, in the words that
/// every form uses.
extension AnalysisResults {
  /// The findings that are counted and not listed.
  var cutNotes: [(rule: String, text: String)] {
    groups.compactMap { group in
      let count = group.count - group.examples.count
      guard let rule = group.examples.first?.rule, count > 0 else { return nil }
      let what = "\(count) more findings of \(rule) with the fingerprint \(group.fingerprint)"
      return (rule, "\(what) are not listed")
    }
  }

  /// The entries of the baseline that nothing matches any more.
  var fixedNotes: [(rule: String, text: String)] {
    fixed.map { ($0.rule, "fixed: \($0.times)\($0.rule): \($0.message)") }
  }
}

extension AnalysisResults.RuleTally {
  /// Why it cannot tell: `cannot tell in 2 of 3 logs: the log does not record work`.
  func doubt(of logs: Int) -> String {
    let part = logs > 1 ? " in \(doubtful) of \(logs) logs" : ""
    return "cannot tell\(part): \(reasons.joined(separator: "; "))"
  }
}
