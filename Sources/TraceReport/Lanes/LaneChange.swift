import LifecycleModel
import Run

/// Something that lasts, in a lane of the picture.
package struct LaneBar: Hashable, Sendable {
  /// The place of its lane among ``LaneFold/lanes``.
  package let lane: Int
  /// Its row in the lane, from 0; `nil` when more are open than there are rows.
  ///
  /// No two bars of a row overlap.
  package let row: Int?
  /// What lasts.
  package let run: RunBar

  /// What it shows.
  package var content: RunBar.Content { run.content }
  /// The event that began it.
  package var event: Event { run.event }
  /// The place of the event in the trace, from 1.
  package var ordinal: UInt64 { run.ordinal }
  /// When it began.
  package var begin: Instant { run.begin }
}

/// What the next event changes in the picture.
package enum LaneChange: Hashable, Sendable {
  /// A bar begins.
  case begin(LaneBar)
  /// A bar ends.
  case end(LaneBar, RunEnd)
  /// The event is an instant of a lane.
  case mark(lane: Int, Event, ordinal: UInt64, at: Instant)
  /// The event is a value of a lane.
  case value(lane: Int, Int64, ordinal: UInt64, at: Instant)
  /// Events are missing from one instant to another, as the event says.
  case gap(Event, ordinal: UInt64, from: Instant, to: Instant)
  /// The process ended.
  case death(Event, ordinal: UInt64, at: Instant)
}
