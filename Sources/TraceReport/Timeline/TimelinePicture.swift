import LifecycleModel
import TraceAnalysis
import TraceText

/// A run as text: a row a lane, from left to right along an axis.
///
/// ```
///               0s      0.2s                  12s        12.6s                            46.1s
/// App             ▒▒▒▒▒▒█ active █████████████▒ inactive ░ background ░░░░░░░░░░░░░░░░░░░░░░░░░
/// System        ┣━ process 412 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━✗
/// ```
package struct TimelinePicture: Sendable {
  /// How a picture looks.
  package struct Look: Sendable {
    /// How many columns it takes.
    package var width: Int
    /// Its characters.
    package var ink: PictureInk

    /// Makes a look; a picture takes 50 columns at least.
    package init(width: Int = 100, ink: PictureInk = .unicode) {
      (self.width, self.ink) = (max(width, 50), ink)
    }
  }

  static let titleWidth = 17

  /// A row behind its title.
  struct Line: Sendable {
    var title: String
    var row: PictureRow
  }

  /// The end of a process, under the column where it is.
  struct Death: Sendable {
    var column: Int
    var text: String
  }

  let rows: [Line]
  let deaths: [Death]
  let findings: TimelineFindings
  let ink: PictureInk

  /// The lines of the picture, and under it a line for each finding.
  package func lines(_ style: TextStyle = .plain) -> [String] {
    rows.map { line in
      let row = line.row.text(style)
      return row.isEmpty ? line.title : pad(line.title, TimelinePicture.titleWidth) + row
    } + deaths.map { line($0, style) } + findings.lines(style)
  }

  private func line(_ death: Death, _ style: TextStyle) -> String {
    let margin = TimelinePicture.titleWidth + death.column
    let words = style.severity(.error, death.text)
    // Left of its place, where there is room.
    if death.text.count + 1 <= margin {
      return String(repeating: " ", count: margin - death.text.count - 1) + words + " \(ink.death)"
    }
    return String(repeating: " ", count: margin) + "\(ink.death) " + words
  }
}
