import LifecycleModel

/// Keeps a clock going forward that is set back: what follows a step becomes later by its length.
///
/// Durations before and after the step stay right; that of the step is not known.
struct ForwardClock {
  /// The clock is taken to be set back, and not the record to be late, from this span on.
  static let longestInversion: Nanoseconds = .seconds(10)

  /// The latest instant so far.
  private(set) var latest = Instant.distantPast
  /// By how much the clock was set back, in all.
  private(set) var shift: Nanoseconds = 0
  /// How often the clock was set back.
  private(set) var stepCount = 0

  /// The instant of the next record, by what the clock says; earlier than ``latest`` when the record is late.
  mutating func instant(of said: Instant) -> Instant {
    let instant = said.advanced(by: shift)
    let step = latest.since(instant)
    guard step > ForwardClock.longestInversion else {
      latest = max(latest, instant)
      return instant
    }

    // Instants far apart must not overflow: the sum is held at the limits of 64 bits.
    shift = shift.adding(step)
    stepCount += 1
    return latest
  }
}
