import LifecycleModel
import TraceText

/// The findings of a picture in a terminal: numbers where their culprits are, and the list.
struct TimelineFindings: Sendable {
  /// At most this many findings get a number.
  private static let numbered = 35

  private let findings: [ReportedFinding]
  private let leftOut: Int
  private let outside: Int

  /// The findings that lie in the part that is drawn, the most serious first.
  init(_ all: [ReportedFinding], in extent: ClosedRange<Instant>) {
    let inside = all.filter { finding in
      finding.instant.map(extent.contains) ?? true
    }
    let worstFirst = inside.sorted { $0.severity > $1.severity }
    findings = Array(worstFirst.prefix(TimelineFindings.numbered))
    leftOut = inside.count - findings.count
    outside = all.count - inside.count
  }

  /// The numbers of the findings that have an instant.
  var flags: [LanePicture.Flag] {
    findings.enumerated().compactMap { index, finding in finding.instant.map { (index + 1, $0) } }
  }

  /// A line for each finding, behind its number.
  func lines(_ style: TextStyle) -> [String] {
    let width = "\(findings.count)".count
    var lines = findings.enumerated().map { index, finding in
      let number = pad(left: width, "\(index + 1)")
      let severity = style.severity(finding.severity, finding.severity.rawValue)
      return style.line(
        "  \(number) \(severity) \(finding.rule): \(InertText.line(finding.message))")
    }
    if leftOut > 0 { lines.append("  and \(leftOut) more") }
    if outside > 0 { lines.append("  \(CountText.of(outside, "finding")) outside this part") }
    return lines
  }
}
