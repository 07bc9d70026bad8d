import LifecycleModel
import TraceText

/// Which part of a run a page draws.
package struct PagePart {
  /// Where instants stand; it ends where the part ends.
  package let axis: TimeAxis
  /// The time that is drawn; `nil` for the whole run.
  package let window: ClosedRange<Instant>?
  /// The events that are drawn, by their places in the log, as stretches in order; `nil` for all events of
  /// the part.
  package var stretches: [ClosedRange<UInt64>]?

  /// Makes a part of a run: of the time from one instant to another, if there is a `window`, and of that
  /// the events that a ``PageSelection`` chose.
  package init(
    on axis: TimeAxis, in window: ClosedRange<Instant>?,
    stretches: [ClosedRange<UInt64>]? = nil
  ) {
    (self.axis, self.window, self.stretches) = (axis, window, stretches)
  }

  /// The words on the page about the part; `nil` when it is the whole.
  func words(drawn: Int, of count: Int, in all: UInt64, _ commands: PageCommands) -> Markup? {
    if window == nil && drawn == count { return nil }
    var words: Markup = ""
    if window != nil {
      let (from, to) = (axis.extent.lowerBound, axis.extent.upperBound)
      words += """
        This page draws the run from \(TimeText.instant(from)) to \(TimeText.instant(to)), and \
        \(count) of its \(all) events. The verdict and the findings are those of the whole run.\u{20}
        """
    }

    if drawn < count {
      words += """
        \(drawn) of \(count) events are drawn; <code>\(commands.part)</code> draws all of a stretch. \
        Dotted lines stand for what is left out.
        """
    }
    return "<p class=\"soft\">\(words)</p>"
  }
}

/// What a person would type to see more of a log than its page shows: a moment, whose name follows; all of a part
/// of the log; the findings of the log.
package typealias PageCommands = (moment: String, part: String, findings: String)
