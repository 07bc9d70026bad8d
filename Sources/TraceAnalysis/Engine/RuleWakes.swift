import LifecycleModel

/// When rules want to be woken, by the awake time of the process.
///
/// Few rules wait at a time: the table is looked through.
struct RuleWakes {
  private var waiting: [(time: Nanoseconds, rule: Int)] = []
  /// The earliest time; the greatest when no rule waits.
  private(set) var next = Nanoseconds.max

  /// The rule that is woken next, of several with one time the first.
  var rule: Int? { waiting.min { ($0.time, $0.rule) < ($1.time, $1.rule) }?.rule }

  /// Notes when a rule wants to be woken, in place of what it asked for before; the greatest time is
  /// never.
  mutating func set(_ rule: Int, _ time: Nanoseconds) {
    if let place = waiting.firstIndex(where: { $0.rule == rule }) {
      let before = waiting[place].time
      if time == .max { waiting.remove(at: place) } else { waiting[place].time = time }
      if before > next {
        next = min(next, time)
      } else {
        next = waiting.reduce(.max) { min($0, $1.time) }
      }
    } else if time < .max {
      waiting.append((time, rule))
      next = min(next, time)
    }
  }

  mutating func removeAll() {
    waiting.removeAll(keepingCapacity: true)
    next = .max
  }
}
