import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as GitLab's code quality report: an entry for each fingerprint.
struct GitLabReport {
  let results: AnalysisResults

  /// The whole text; the same results give the same text.
  var text: String {
    let unreadable = results.unreadable.map { log in
      // The same entry as long as the log cannot be read.
      var hash = CausalHash()
      for word in ["unreadable", log.path] { hash.mix(word) }
      let words = "the log cannot be read: \(log.error)"
      return entry(words, "unreadable-log", hash.digits, "blocker", at: (log.path, nil))
    }
    let found = results.issues.map { issue in
      let finding = issue.finding
      return entry(
        GitLabReport.description(issue), finding.rule, finding.fingerprint,
        GitLabReport.severity(issue), at: finding.annotated)
    }
    return JSONTree.array(unreadable + found).document
  }

  private func entry(
    _ description: String, _ check: String, _ fingerprint: String, _ severity: String,
    at place: (file: String, line: Int?)
  ) -> JSONTree {
    // An entry must have a line, and a binary log has none.
    let lines: JSONTree = ["begin": .number(place.line ?? 1)]
    return [
      "description": .text(InertText.line(description)), "check_name": .text(check),
      "fingerprint": .text(fingerprint), "severity": .text(severity),
      "location": ["path": .text(GitLabReport.path(place.file)), "lines": lines],
    ]
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
