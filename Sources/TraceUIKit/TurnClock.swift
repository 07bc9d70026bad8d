import Platform

/// Since when the main run loop has been busy: the main thread writes it, another one looks.
final class TurnClock: @unchecked Sendable {
  // Sound because the words are read and written as atomics, `told` and `lastLook` by the looking thread alone.

  /// What has come of the turns since the last look.
  enum Finding: Equatable {
    case nothing
    /// A turn has taken longer than the threshold, and goes on.
    case began(Int64)
    /// It is over.
    case ended(Int64)
  }

  /// Since when the turn has lasted, in nanoseconds; 0 while the loop waits.
  private let since = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  /// 1 while nobody looks, because the loop waits.
  private let resting = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  /// The number of the turn.
  private let turn = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
  /// The turn that was found to be long, and is not over; 0 when there is none.
  private var told: UInt64 = 0
  /// When somebody looked last, in nanoseconds; 0 after a rest.
  private var lastLook: UInt64 = 0
  /// A look that comes this many nanoseconds after the threshold shows that the process was paused.
  private static let late: UInt64 = 2_000_000_000
  private let now: @Sendable () -> UInt64

  init(_ now: @escaping @Sendable () -> UInt64 = { platform_nanoseconds() }) {
    self.now = now
    since.initialize(to: 0)
    turn.initialize(to: 0)
    resting.initialize(to: 0)
  }

  deinit {
    since.deallocate()
    turn.deallocate()
    resting.deallocate()
  }

  /// The loop has woken, or begins its next iteration; true when who looks rests, and is to be woken.
  @discardableResult
  func begin() -> Bool {
    platform_store_relaxed(turn, platform_load_relaxed(turn) &+ 1)
    platform_store_release(since, now())
    return platform_load_acquire(resting) != 0 && platform_compare_exchange(resting, 1, 0) != 0
  }

  /// The loop is about to wait.
  func end() { platform_store_release(since, 0) }

  /// Whether who looks may rest until ``begin()`` says otherwise: the loop waits, and all is told.
  func mayRest() -> Bool {
    guard told == 0, platform_load_acquire(since) == 0 else { return false }
    lastLook = 0
    _ = platform_compare_exchange(resting, 0, 1)
    // The loop may have woken in between, and seen nobody rest.
    guard platform_load_acquire(since) != 0 else { return true }
    return platform_compare_exchange(resting, 1, 0) == 0
  }

  /// Looks whether a turn has taken `threshold` nanoseconds.
  ///
  /// Where the process stood still since the last look, or since the turn began if none came since, the turn
  /// begins anew: the pause is no hang.
  func look(_ threshold: UInt64) -> Finding {
    let begun = platform_load_acquire(since)
    let current = platform_load_relaxed(turn)
    let time = now()
    let before = lastLook != 0 ? lastLook : begun
    let isLate = before != 0 && time > before && time - before > threshold &+ Self.late
    lastLook = time

    // The main thread may have gone on, and then has begun a turn of its own.
    if isLate, begun != 0 { _ = platform_compare_exchange(since, begun, time) }
    if told != 0, isLate || begun == 0 || current != told {
      defer { told = 0 }
      return .ended(Int64(bitPattern: told))
    }

    guard !isLate, told == 0, begun != 0, time &- begun >= threshold else { return .nothing }
    told = current
    return .began(Int64(bitPattern: current))
  }
}
