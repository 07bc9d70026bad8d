import LifecycleModel
import TraceText

/// Draws a run for a terminal, event by event, with its findings below.
///
/// It takes the memory of the picture's cells and of what is open: a run may be of any length.
package struct TimelineDrawing {
  /// How a picture looks.
  package struct Look: Sendable {
    /// How many columns it takes.
    package var width: Int
    /// Its characters.
    package var ink: PictureInk
    /// Its colors.
    package var style: TextStyle

    /// Makes a look; a picture takes 50 columns at least.
    package init(width: Int = 100, ink: PictureInk = .unicode, style: TextStyle = .plain) {
      (self.width, self.ink, self.style) = (max(width, 50), ink, style)
    }
  }

  private let results: AnalysisResults
  private let findings: TimelineFindings
  private let style: TextStyle
  private var fold: LaneFold
  private var picture: LanePicture

  /// Begins a picture of a run of which this was found, and whose events belong to `vocabulary`.
  package init(
    _ results: AnalysisResults, on axis: TimeAxis, _ vocabulary: Vocabulary, _ look: Look = Look()
  ) {
    (self.results, style) = (results, look.style)
    findings = TimelineFindings(results.findings, in: axis.extent)
    fold = LaneFold(vocabulary)
    picture = LanePicture(on: axis, vocabulary, width: look.width, look.ink)
  }

  /// Draws the next events.
  package mutating func draw(_ events: [Event]) {
    for event in events { draw(fold.observe(event)) }
    fold.forgetUnusedWords()
  }

  private mutating func draw(_ changes: [LaneChange]) {
    for change in changes { picture.draw(change, fold.state.appState) }
  }

  /// Draws what is open at the end of the run; the lines of the picture, and under it one for each finding.
  package mutating func finish() -> [String] {
    draw(fold.finish())
    let lines = picture.lines(
      fold.lanes, turns: results.turns, flags: findings.flags, style.toned)
    return lines + findings.lines(style)
  }
}

extension AnalysisResults {
  /// When the turns of the story of one log were.
  var turns: [Instant] { log?.milestones.map(\.event.instant) ?? [] }
}
