import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as GitLab's code quality report: an entry for each fingerprint.
struct GitLabReport {
  private let results: AnalysisResults

  /// Makes a report of results.
  init(_ results: AnalysisResults) { self.results = results }

  private struct Entry {
    var description: String
    var check: String
    var fingerprint: String
    var severity: String
    var path: String
    /// An entry must have a line, and a binary log has none.
    var line = 1
  }

  /// The whole text; the same results give the same text.
  var text: String {
    let unreadable = results.unreadable.map(GitLabReport.entry)
    var writer = JSONWriter()
    writer.objects(nil, unreadable + results.issues.map(GitLabReport.entry)) { writer, entry in
      writer.string("description", entry.description)
      writer.string("check_name", entry.check)
      writer.string("fingerprint", entry.fingerprint)
      writer.string("severity", entry.severity)
      writer.object("location") { writer in
        writer.string("path", GitLabReport.path(entry.path))
        writer.object("lines") { $0.number("begin", entry.line) }
      }
    }
    return writer.text
  }

  private static func entry(_ issue: Issue) -> Entry {
    let (file, line) = issue.finding.annotated
    return Entry(
      description: description(issue), check: issue.finding.rule,
      fingerprint: issue.finding.fingerprint, severity: severity(issue), path: file,
      line: line ?? 1)
  }

  /// A log that could not be read: the same entry as long as it cannot be.
  private static func entry(_ log: AnalysisResults.UnreadableLog) -> Entry {
    var hash = CausalHash()
    hash.mix("unreadable")
    hash.mix(log.path)
    return Entry(
      description: "the log cannot be read: " + InertText.line(log.error), check: "unreadable-log",
      fingerprint: hash.digits, severity: "blocker", path: log.path)
  }

  private static func description(_ issue: Issue) -> String {
    var parts = [issue.finding.messageAndEnding]
    if issue.count > 1 { parts.append("(\(issue.times))") }
    if let cause = issue.cause { parts.append("(same cause as \(cause.rule))") }
    if let excuse = issue.finding.excuse { parts.insert("[\(excuse)]", at: 0) }
    return InertText.line(parts.joined(separator: " "))
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
