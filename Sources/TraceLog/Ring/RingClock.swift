import LifecycleModel
import Platform

/// A reading of the counter and of the clock at the same moment.
struct ClockPair {
  let ticks: UInt64
  let nanoseconds: UInt64

  /// Reads both several times and keeps the reading that took the least: a thread may be put aside
  /// between the one and the other.
  static func now(hasTicks: Bool) -> ClockPair {
    var best = UInt64.max
    var pair = ClockPair(ticks: 0, nanoseconds: 0)
    for _ in 0..<5 {
      let before = SystemCalls.machine.nanoseconds
      let ticks = hasTicks ? platform_ticks() : before
      let after = SystemCalls.machine.nanoseconds
      if after &- before < best {
        best = after &- before
        pair = ClockPair(ticks: ticks, nanoseconds: hasTicks ? before &+ best / 2 : before)
      }
    }
    return pair
  }
}

/// Turns a ring's ticks into instants.
struct RingClock {
  private let isNanoseconds: Bool
  private let firstTicks: UInt64
  /// Those of the last reading that is known.
  private let lastTicks: UInt64
  private let firstInstant: Nanoseconds
  /// Nanoseconds a tick, times 2^32.
  private var rate: UInt64 = 1 << 32

  /// Makes the clock of `ring`, with a reading of now from whoever follows the recording; without one
  /// the last pair that was stored decides, so that a recording that has ended is always read alike.
  init(_ ring: RingMapping, now: ClockPair? = nil) {
    typealias Place = RingFormat.Header
    isNanoseconds = !ring.hasTicks
    firstTicks = ring.load(Place.firstTicks)
    let firstNanoseconds = ring.load(Place.firstNanoseconds)
    let last = now ?? ring.lastPair
    lastTicks = last.ticks
    firstInstant = Int64(bitPattern: firstNanoseconds &- ring.load(Place.origin))
    guard !isNanoseconds else { return }

    let (ticks, span) = (last.ticks &- firstTicks, last.nanoseconds &- firstNanoseconds)
    // A rate outside of 0.01 to 100 ns a tick is no rate of any processor.
    guard ticks > 0, span < 1 << 62, ticks < 1 << 62 else { return }

    let (quotient, _) = ticks.dividingFullWidth(
      (span >> 32 < ticks ? span >> 32 : ticks - 1, span << 32))
    if quotient > 1 << 25 && quotient < 1 << 39 { rate = quotient }
  }

  /// Whether a fact can have these ticks: with the mark of another lap they are years away.
  @inline(__always)
  func isPlausible(_ ticks: UInt64) -> Bool {
    let half = RingFormat.Lap.ticksShift - 1
    return (ticks &- lastTicks) &>> half == 0 || (lastTicks &- ticks) &>> half == 0
  }

  /// How many ticks a span has.
  func ticks(_ span: Nanoseconds) -> UInt64 {
    isNanoseconds
      ? UInt64(max(0, span))
      : rate.dividingFullWidth(
        (UInt64(max(0, span)) >> 32, UInt64(max(0, span)) << 32)
      ).quotient
  }

  func instant(_ ticks: UInt64) -> Instant {
    let span = Int64(bitPattern: ticks &- firstTicks)
    if isNanoseconds { return Instant(nanoseconds: firstInstant).advanced(by: span) }
    let product = span.magnitude.multipliedFullWidth(by: rate)
    let scaled = Int64(truncatingIfNeeded: product.high << 32 | product.low >> 32)
    return Instant(nanoseconds: firstInstant).advanced(by: span < 0 ? 0 &- scaled : scaled)
  }

  static func isSameBoot(_ ring: RingMapping) -> Bool {
    let boot = SystemCalls.machine.bootID
    guard boot.count == 16 else { return false }
    return ring.bootID == boot
  }
}
