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
  func deadline(since opener: OpenEvent) -> Nanoseconds {
    beginning(opener).adding(time)
  }

  /// What its clock showed at `fact`.
  func beginning(_ opener: OpenEvent) -> Nanoseconds {
    clock == .wall ? opener.event.instant.nanoseconds : opener.awake
  }
}

extension TimeLimit {
  /// The limit in words, behind a comma.
  var words: String {
    ", within \(InstantText.print(time))" + (clock == .wall ? " by the wall clock" : "")
  }
}
