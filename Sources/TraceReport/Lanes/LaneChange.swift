import LifecycleModel

/// Something that lasts, in a lane of the picture.
package struct LaneBar: Hashable, Sendable {
  /// What a bar shows.
  package enum Content: Hashable, Sendable {
    /// What the event began: a call, a task, a lock.
    case span
    /// The app, or a scene, is in the state with this word.
    case state(String)
    /// A process runs.
    case process
    /// The process is suspended.
    case suspension
  }

  /// The place of its lane among ``LaneFold/lanes``.
  package let lane: Int
  /// Its row in the lane, from 0; `nil` when more are open than there are rows.
  ///
  /// No two bars of a row overlap.
  package let row: Int?
  /// What it shows.
  package let content: Content
  /// The event that began it.
  package let event: Event
  /// The place of the event in the trace, from 1.
  package let ordinal: UInt64
  /// When it began.
  package let begin: Instant
}

/// The end of a ``LaneBar``.
package struct LaneEnd: Hashable, Sendable {
  /// Why a bar ends.
  package enum Cause: Hashable, Sendable {
    /// An event closed it.
    case closed
    /// The process ended while it was open.
    case died
    /// Another process began; how this one ended is not recorded.
    case replaced
    /// The log ends, and it was open.
    case endOfLog
    /// More was open than is followed; how it ended is not known.
    case givenUp
  }

  /// Why it ends.
  package let cause: Cause
  /// When it ends.
  package let instant: Instant
  /// The place in the trace of the event that ended it, from 1; at the end of the log, that of the last.
  package let ordinal: UInt64
  /// Whether no event is missing since a span began, so that it did not end unseen before.
  package let isCertain: Bool
}

/// What the next event changes in the picture.
package enum LaneChange: Hashable, Sendable {
  /// A bar begins.
  case begin(LaneBar)
  /// A bar ends.
  case end(LaneBar, LaneEnd)
  /// The event is an instant of a lane.
  case mark(lane: Int, Event, ordinal: UInt64, at: Instant)
  /// The event is a value of a lane.
  case value(lane: Int, Int64, ordinal: UInt64, at: Instant)
  /// Events are missing from one instant to another, as the event says.
  case gap(Event, ordinal: UInt64, from: Instant, to: Instant)
  /// The process ended.
  case death(Event, ordinal: UInt64, at: Instant)
}
