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

  /// The numbers of the findings, each in the first column from that of its culprit to the left where a
  /// space stays between it and the others; those that have no instant, or no room, are not drawn.
  func row(_ width: Int, column: (Instant) -> Int) -> PictureRow {
    var row = PictureRow(width: width)
    for (index, finding) in findings.enumerated() {
      guard let instant = finding.instant else { continue }
      let words = "\(index + 1)"
      var place = min(column(instant), width - words.count)
      func isFree() -> Bool {
        row.isFree(max(0, place - 1)..<min(width, place + words.count + 1))
      }
      while place > 0, !isFree() { place -= 1 }
      if place >= 0, isFree() { row.write(words, .bad, at: place) }
    }
    return row
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
