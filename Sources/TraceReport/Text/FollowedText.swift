import LifecycleModel
import TraceAnalysis
import TraceText

/// What is said of a log while it is followed, and at its end.
package enum FollowedText {
  /// A finding on a line of its own, as it is made.
  package static func line(_ finding: Finding, _ style: TextStyle) -> String {
    let severity = style.severity(finding.severity, finding.severity.rawValue)
    return "  \(severity) \(style.bold(finding.rule)): \(InertText.line(finding.message))"
  }

  /// How it ended, and how much was found: the headline, and a paragraph on each end.
  package static func verdict(_ results: AnalysisResults, _ style: TextStyle) -> String {
    let ends = results.endParagraphs.map {
      Wrap.lines($0, indent: "  ", width: style.width)
    }
    return ([Headline(results, style).line] + ends).joined(separator: "\n") + "\n"
  }
}
