import LifecycleModel

/// Something in a run that lasts: a span, a state, a process or a suspension.
package struct RunBar: Hashable, Sendable {
  /// What lasts.
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

  /// Its place among all that lasts, from 1, in the order of the begins.
  package let id: UInt64
  /// What lasts.
  package let content: Content
  /// The scene whose state it is; `nil` of all else.
  package let scene: UInt32?
  /// The event that began it.
  package let event: Event
  /// The place of the event in the trace, from 1.
  package let ordinal: UInt64
  /// When it began.
  package let begin: Instant
  /// Its place among the spans and suspensions, from 1; 0 of states and processes.
  package let number: Int
  /// The span in which it lies on its thread, by number.
  package let parent: Int?
  /// The process that ran when it began, by its place in the trace, from 1.
  package let process: Int?
  /// The state of the app before the event.
  package let app: AppState?
  /// Whether it is work of the system, and not of the app.
  package let isSystemWork: Bool
  /// What the clocks of the run showed when it began.
  let clocks: RunClocks
}

/// The end of a ``RunBar``.
package struct RunEnd: Hashable, Sendable {
  /// Why something ends.
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
  /// The process that ran, by its place in the trace, from 1.
  package let process: Int?
  /// Whether no event is missing since a span began, so that it did not end unseen before.
  package let isCertain: Bool
  /// For how long the process was awake between begin and end, and in which state.
  package let times: RunClocks
}

/// What the next event changes in a run.
package enum RunChange: Hashable, Sendable {
  /// Something begins.
  case begin(RunBar)
  /// Something ends.
  case end(RunBar, RunEnd)
  /// Events of the process are missing from one instant to another, as the event states.
  case gap(Event, ordinal: UInt64, from: Instant, to: Instant, process: Int?)
  /// The process ended, whose begin may not be known.
  case death(Event, ordinal: UInt64, at: Instant, process: Int)
}

/// For how long processes were awake, and in which state, up to now.
package struct RunClocks: Hashable, Sendable {
  /// The whole time.
  package private(set) var awake: Nanoseconds = 0
  /// The time in which the app was active or inactive.
  package private(set) var foreground: Nanoseconds = 0
  /// The time in which the app was in the background.
  package private(set) var background: Nanoseconds = 0
  /// The time in which the app was not active.
  package private(set) var inactive: Nanoseconds = 0

  /// Goes on by a time in which the process was awake and the app in this state.
  @inline(__always)
  mutating func advance(_ time: Nanoseconds, _ app: AppState?) {
    guard time > 0, time < .max / 4 else { return }
    awake &+= time
    if app != .active { inactive &+= time }
    switch app {
    case .active, .inactive: foreground &+= time
    case .background, .suspended: background &+= time
    case .notRunning, nil: break
    }
  }

  /// The times since other readings.
  func since(_ other: RunClocks) -> RunClocks {
    var part = RunClocks()
    part.awake = awake &- other.awake
    part.foreground = foreground &- other.foreground
    part.background = background &- other.background
    part.inactive = inactive &- other.inactive
    return part
  }
}

extension Event {
  /// Whether the span that it opens lies on its thread, inside of what began there before it.
  package var opensOnThread: Bool {
    switch verb {
    case .call, .observe, .workBegin, .taskExpire: true
    default: false
    }
  }

  /// Whether it is work, and not the app's: it says so, or it comes while the system takes a snapshot.
  package func isSystemWork(openSnapshots: Int, _ vocabulary: Vocabulary) -> Bool {
    guard verb == .work || verb == .workBegin else { return false }
    if openSnapshots > 0 { return true }
    return !attributes.isNone && vocabulary.attributes(attributes)[.by] == "system"
  }
}
