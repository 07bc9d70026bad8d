import LifecycleModel

/// A time in which something has to happen, by one of two clocks.
package struct TimeLimit: Hashable, Sendable {
  /// What time is read from.
  package enum Clock: String, CaseIterable, Sendable {
    /// Time in which the process could run code: suspension does not count.
    case awake
    /// Time as the log has it: suspension counts.
    case wall
  }

  /// The time; what comes at its end is too late.
  package var time: Nanoseconds
  /// The clock.
  package var clock: Clock

  /// Makes a limit.
  package init(_ time: Nanoseconds, by clock: Clock = .awake) {
    self.time = time
    self.clock = clock
  }

  /// The time of its clock at which it passes for what began with `fact`.
  func deadline(since fact: Fact) -> Nanoseconds {
    let began = fact.event.instant.nanoseconds
    return (clock == .wall ? began : began &- fact.suspendedBefore).adding(time)
  }
}

extension Analyzer {
  /// What a clock shows as `event` comes.
  @inline(__always)
  func time(_ clock: TimeLimit.Clock, at event: Event) -> Nanoseconds {
    let instant = max(event.instant, state.instant)
    return clock == .wall ? instant.nanoseconds : state.awake(at: instant)
  }
}
