import LifecycleModel
import TraceText

/// Draws a run for a terminal, event by event, with its findings below.
///
/// It takes the memory of the picture's cells and of what is open: a run may be of any length.
package struct TimelineDrawing {
  /// At most this many findings get a number.
  private static let numbered = 35

  private let results: AnalysisResults
  /// The findings in the part that is drawn that have a number, the most serious first.
  private let findings: [ReportedFinding]
  /// How many others lie in that part.
  private let leftOut: Int
  private let style: TextStyle
  private var fold: LaneFold
  private var picture: LanePicture

  /// Begins a picture of a run of which this was found, and whose events belong to `vocabulary`; it takes
  /// `width` columns, at least 50.
  package init(
    _ results: AnalysisResults, on axis: TimeAxis, _ vocabulary: Vocabulary, width: Int,
    _ ink: PictureInk, _ style: TextStyle
  ) {
    (self.results, self.style) = (results, style)
    let inside = results.findings.filter { $0.instant.map(axis.extent.contains) ?? true }
    let worstFirst = inside.sorted { $0.severity > $1.severity }
    findings = Array(worstFirst.prefix(TimelineDrawing.numbered))
    leftOut = inside.count - findings.count
    fold = LaneFold(vocabulary)
    picture = LanePicture(on: axis, vocabulary, width: max(width, 50), ink)
  }

  /// Draws the next events.
  package mutating func draw(_ events: [Event]) {
    for event in events { draw(fold.observe(event)) }
    fold.forgetUnusedWords()
  }

  private mutating func draw(_ changes: [LaneChange]) {
    for change in changes { picture.draw(change, fold.run.state.appState) }
  }

  /// Draws what is open at the end of the run; the lines of the picture, and under it one for each finding.
  package mutating func finish() -> [String] {
    draw(fold.finish())
    return picture.lines(fold.lanes, turns: results.turns, findings, style.toned) + findingLines
  }

  /// A line for each finding, behind its number.
  private var findingLines: [String] {
    let width = "\(findings.count)".count
    var lines = findings.enumerated().map { index, finding in
      let number = pad(left: width, "\(index + 1)")
      let severity = style.severity(finding.severity, finding.severity.rawValue)
      return style.line(
        "  \(number) \(severity) \(finding.rule): \(InertText.line(finding.message))")
    }

    if leftOut > 0 { lines.append("  and \(leftOut) more") }
    let outside = results.findings.count - findings.count - leftOut
    if outside > 0 { lines.append("  \(CountText.of(outside, "finding")) outside this part") }
    return lines
  }
}

extension AnalysisResults {
  /// When the turns of the story of one log were.
  var turns: [Instant] { log?.milestones.map(\.event.instant) ?? [] }
}
