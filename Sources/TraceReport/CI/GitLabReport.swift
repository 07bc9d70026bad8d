import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as GitLab's code quality report: an entry for each fingerprint.
struct GitLabReport {
  let results: AnalysisResults

  /// The whole text; the same results give the same text.
  var text: String {
    JSONTree.array(
      results.unreadable.map(GitLabReport.entry) + results.issues.map(GitLabReport.entry)
    )
    .document
  }

  private static func entry(
    _ description: String, check: String, _ fingerprint: String, _ severity: String, _ path: String,
    line: Int?
  ) -> JSONTree {
    // An entry must have a line, and a binary log has none.
    let begin = JSONTree.number(line ?? 1)
    return [
      "description": .text(InertText.line(description)), "check_name": .text(check),
      "fingerprint": .text(fingerprint), "severity": .text(severity),
      "location": ["path": .text(GitLabReport.path(path)), "lines": ["begin": begin]],
    ]
  }

  private static func entry(_ issue: Issue) -> JSONTree {
    let (file, line) = issue.finding.annotated
    return entry(
      description(issue), check: issue.finding.rule, issue.finding.fingerprint, severity(issue),
      file,
      line: line)
  }

  /// A log that could not be read: the same entry as long as it cannot be.
  private static func entry(_ log: AnalysisResults.UnreadableLog) -> JSONTree {
    var hash = CausalHash()
    hash.mix("unreadable")
    hash.mix(log.path)
    return entry(
      "the log cannot be read: \(log.error)", check: "unreadable-log", hash.digits, "blocker",
      log.path,
      line: nil)
  }

  private static func description(_ issue: Issue) -> String {
    var parts = [issue.message]
    if let cause = issue.cause { parts.append("(same cause as \(cause.rule))") }
    if let excuse = issue.finding.excuse { parts.insert("[\(excuse)]", at: 0) }
    return parts.joined(separator: " ")
  }

  private static func severity(_ issue: Issue) -> String {
    if !issue.finding.isCounted { return "info" }
    return switch issue.severity {
    case .error: "critical"
    case .warning: "major"
    case .info: "info"
    }
  }

  /// The path as GitLab wants it: without `./` before it.
  private static func path(_ log: String) -> String {
    var path = log[...]
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    return InertText.line(String(path))
  }
}
