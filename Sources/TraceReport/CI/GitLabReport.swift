import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as GitLab's code quality report: an entry for each fingerprint.
public struct GitLabReport {
  private let results: AnalysisResults

  /// Makes a report of results.
  public init(_ results: AnalysisResults) { self.results = results }

  /// The whole text; the same results give the same text.
  public var text: String {
    var writer = JSONWriter()
    writer.array(nil, results.issues) { writer, issue in
      writer.object { writer in
        writer.string("description", GitLabReport.description(issue))
        writer.string("check_name", issue.finding.rule)
        writer.string("fingerprint", issue.finding.fingerprint)
        writer.string("severity", GitLabReport.severity(issue))
        writer.object("location") { writer in
          let place = issue.finding.annotated
          writer.string("path", GitLabReport.path(place.file))
          // An entry must have a line, and a binary log has none.
          writer.object("lines") { $0.number("begin", place.line ?? 1) }
        }
      }
    }
    return writer.text
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
