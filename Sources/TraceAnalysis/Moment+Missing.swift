import LifecycleModel

/// What rules that are code say of what did not come.
extension Moment {
  /// The end of what a fact began, due within `time` in which the process is awake.
  func end(of fact: Fact, within time: Nanoseconds) -> [MissingEvent] {
    end(of: fact, until: instant(fact, passing: time))
  }

  /// The end of what a fact began, due up to an instant, where there is one.
  func end(of fact: Fact, until: Instant? = nil) -> [MissingEvent] {
    MissingEvent.end(of: fact.event, in: vocabulary, until: until).map { [$0] } ?? []
  }

  /// The instant at which the process has been awake for `time` since a fact.
  func instant(_ fact: Fact, passing time: Nanoseconds) -> Instant {
    instant(atAwake: awake(fact) &+ time)
  }

  /// The instant of an awake time that is over only now, or comes yet.
  func instant(atAwake time: Nanoseconds) -> Instant {
    Instant(nanoseconds: time &+ state.suspended(at: state.instant))
  }
}

extension MissingEvent {
  /// What tells of the end of a process.
  static let ends = [Kind(.exit, about: .app), Kind(.kill, about: .app)]
}

extension RunningBGTasks.Task {
  /// Its completion, due so long after it expired.
  func missing(_ moment: Moment, within time: Nanoseconds) -> [MissingEvent] {
    moment.end(of: launch).map { missing in
      var missing = missing
      missing.until = expiredAt.map { moment.instant(atAwake: $0 &+ time) }
      return missing
    }
  }
}
