import LifecycleModel

/// No later than the next times at which a limit passes.
///
/// What is waited for no more stays until its time has come: then nothing passes, and the next times are
/// found.
struct Deadlines {
  private(set) var awake = Nanoseconds.max
  private(set) var wall = Nanoseconds.max
  /// The awake time, or the least of all times while one is waited for by the wall clock, so that the
  /// loop asks at every event.
  private(set) var next = Nanoseconds.max

  /// Notes that a limit passes at `deadline`, if nothing comes before.
  @inline(__always)
  mutating func wait(for deadline: Nanoseconds, _ clock: TimeLimit.Clock) {
    switch clock {
    case .awake: awake = min(awake, deadline)
    case .wall: wall = min(wall, deadline)
    }
    next = wall == .max ? awake : .min
  }

  /// Takes the next time of a clock; `nil` when nothing is waited for.
  mutating func set(_ clock: TimeLimit.Clock, _ deadline: Nanoseconds?) {
    switch clock {
    case .awake: awake = .max
    case .wall: wall = .max
    }
    wait(for: deadline ?? .max, clock)
  }
}

/// Deadlines fire by themselves: what takes too long is found when its time is over, and not when it
/// ends, which may be never.
extension Analyzer {
  /// Reports each limit that passes before `event`, in the order of the times.
  ///
  /// A new process passes none, nor does its profile: when the old one ended is not known.
  mutating func passDeadlines(before event: Event) {
    if event.verb.mayBeginProcess { return }
    // Nearly always nothing passes.
    if ledger.deadlines.awake <= ledger.time(.awake, at: event) { passDeadlines(.awake, event) }
    if ledger.deadlines.wall == .max { return }
    if ledger.deadlines.wall <= ledger.time(.wall, at: event) { passDeadlines(.wall, event) }
  }

  @inline(never)
  private mutating func passDeadlines(_ clock: TimeLimit.Clock, _ event: Event) {
    let now = ledger.time(clock, at: event)
    while true {
      var earliest = EarliestDeadline(clock: clock)
      set.forms.visit(&earliest, &ledger)
      ledger.deadlines.set(clock, earliest.time)
      guard let time = earliest.time, time <= now else { return }
      var passing = PassingDeadline(time: time, clock: clock)
      set.forms.visit(&passing, &ledger)
    }
  }
}

/// A wall clock can be set: what is open then has no known length.
extension Analyzer {
  /// Looks whether an event tells that the clock was set.
  mutating func noteClock(_ event: Event) {
    let names = [
      Callback.applicationSignificantTimeChange.symbol,
      LifecycleNotification.applicationSignificantTimeChange.symbol,
    ]
    if names.contains(event.name) { forgetLengths() }
  }

  /// The clock was set, or went back: no limit can be said to pass for what is open.
  mutating func forgetLengths() {
    ledger.present.clockSet = state.ordinal
    var setting = ClockSetting()
    set.forms.visit(&setting, &ledger)
  }
}

/// Finds the next time at which a limit passes.
private struct EarliestDeadline: ClauseVisitor {
  let clock: TimeLimit.Clock
  var time: Nanoseconds?

  mutating func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    if let deadline = clause.deadline(clock) { time = min(time ?? deadline, deadline) }
  }
}

/// Tells one limit that passes at a time.
private struct PassingDeadline: ClauseVisitor {
  let time: Nanoseconds
  let clock: TimeLimit.Clock
  private var isOver = false

  init(time: Nanoseconds, clock: TimeLimit.Clock) { (self.time, self.clock) = (time, clock) }

  mutating func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    if !isOver { isOver = clause.pass(time, clock, &ledger) }
  }
}
