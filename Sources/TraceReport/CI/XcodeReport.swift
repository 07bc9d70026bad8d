import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as lines that Xcode shows beside the code, and many editors find: `file:line: warning: message`.
struct XcodeReport {
  let results: AnalysisResults

  /// A line for each log that could not be read, and for each fingerprint that counts; the same results give the
  /// same text.
  var text: String {
    let unreadable = results.unreadable.map {
      Self.line($0.path, nil, "error", "cannot be read: \($0.error)")
    }
    let found = results.issues.filter(\.finding.isCounted).map { issue in
      let finding = issue.finding
      let (file, line) = finding.annotated
      let fix = results.remedy(finding).map { "; fix: \($0)" } ?? ""
      return Self.line(
        file, line, finding.severity.word, "\(issue.message)\(fix) [\(finding.rule)]")
    }
    return (unreadable + found).joined()
  }

  /// Xcode takes no line of a binary log for one of code: the first one stands for it.
  private static func line(
    _ file: String, _ line: Int?, _ severity: String, _ message: String
  ) -> String {
    "\(InertText.line(file)):\(line ?? 1): \(severity): \(InertText.line(message))\n"
  }
}
