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

/// The largest step of a wall clock in the last seconds: where the clock was set, if it was.
struct ClockLeap {
  /// A time change is announced when the main thread is free again, at the latest after so long.
  private static let span: Nanoseconds = .seconds(10)
  private static let least: Nanoseconds = .seconds(1)

  private var step: Nanoseconds = 0
  private var instant = Instant.origin
  /// The place of the first event behind it; 0 without one.
  private var place: UInt64 = 0

  /// Takes the step to `event`, which comes at a place.
  mutating func note(_ event: Event, after last: Instant, at place: UInt64) {
    let step = event.instant.since(last)
    guard step >= ClockLeap.least else { return }
    if step >= self.step || event.instant.since(instant) > ClockLeap.span {
      (self.step, instant, self.place) = (step, event.instant, place)
    }
  }

  /// The place from which on times are wrong when a change of the clock is announced now; `nil` when the
  /// clock made no step lately.
  func place(before now: Instant) -> UInt64? {
    place > 0 && now.since(instant) <= ClockLeap.span ? place : nil
  }
}

/// A wall clock can be set: what is open then has no known length.
extension Analyzer {
  /// Looks whether an event tells that the clock was set.
  mutating func noteClock(_ event: Event) {
    guard Callback.of(event.name) == .applicationSignificantTimeChange else { return }
    forgetLengths()
    withdrawTimes(before: event.instant)
  }

  /// The clock was set a moment ago: times that were taken for too long since then were measured across
  /// that.
  private mutating func withdrawTimes(before now: Instant) {
    guard let place = clockLeap.place(before: now) else { return }
    for rule in ledger.collector.withdrawTimes(across: place) {
      guard let index = ledger.active.firstIndex(where: { $0.description.id == rule }) else {
        continue
      }
      ledger.tallies[index].violations -= 1
      ledger.tallies[index].doubt(.clockSet)
    }
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
  var isOver = false

  mutating func visit(_ clause: inout some FormClause, _ ledger: inout Ledger) {
    if !isOver { isOver = clause.pass(time, clock, &ledger) }
  }
}
