import LifecycleModel
import Platform
import TraceLog

extension Drain {
  /// A time in which a drain has nothing to do, unless its bell rings.
  public struct Pause: Sendable {
    let ring: RingMapping
    /// How often the bell had rung before the drain looked.
    let rings: UInt32
    /// How long it is, in nanoseconds.
    package let nanoseconds: Nanoseconds

    /// Whether the bell has rung since the drain has looked.
    package var isRung: Bool { ring.bell.rings != rings }

    /// Waits for the bell, or until the pause is over; returns for how long, at the least.
    ///
    /// Who shall wait no longer than `limit` nanoseconds says so.
    public func wait(atMost limit: Nanoseconds = .max) -> Nanoseconds {
      // A bell of another process may not be heard here.
      let most = ring.isOwn || platform_rings_across_processes() != 0 ? limit : Pause.poll
      let span = max(0, min(nanoseconds, most))
      return ring.bell.wait(span, since: rings) ? span : 0
    }

    private static let poll: Nanoseconds = 20_000_000
  }
}

/// When a drain does what: a clock by which nothing is done for an app that states nothing.
///
/// All times are in nanoseconds.
struct DrainPace {
  /// How old an event must be before a look takes it: a thread that was put aside before it published
  /// one may publish it until then.
  static let lag: Nanoseconds = 2_000_000
  /// How long it waits after a failure, and how often it looks whether the log is still in its place.
  private static let retry: Nanoseconds = 200_000_000
  /// The longest pause while a lane is half full of what is too new to be taken.
  private static let longestUrgent: Nanoseconds = 20_000_000
  private static let shortest: Nanoseconds = 1_000_000

  /// How long an event may stay in the ring alone.
  private let drainSpan: Nanoseconds
  /// How often the ring is synced; `nil` is never.
  private let syncSpan: Nanoseconds?
  /// Whether writers ring at the first event.
  var isResting = false
  private var lastLook = SystemCalls.monotonicNanoseconds()
  private var sinceDrain: Nanoseconds = 0
  private var sinceSync: Nanoseconds = 0
  private var sinceCheck: Nanoseconds = 0
  /// For how long no event has come.
  private var quiet: Nanoseconds = 0
  private var urgentPause = DrainPace.lag
  private var hasNews = false
  private var rings: UInt32 = 0

  init(_ options: Drain.Options) {
    drainSpan = Nanoseconds(max(1, options.drainMilliseconds)) * 1_000_000
    if case .interval(let interval) = options.sync { syncSpan = interval } else { syncSpan = nil }
  }

  /// Without events for so long, the drain rests: a second, when events stay in the ring for ten.
  private var patience: Nanoseconds { drainSpan / 10 }
  /// The longest pause.
  private var longest: Nanoseconds { 3 * drainSpan }

  // MARK: What happens

  /// A look begins, behind a wait that took `waited` at the least.
  ///
  /// A clock that goes back, or stands, has nothing pass.
  mutating func letPass(_ waited: Nanoseconds, rings: UInt32) {
    let now = SystemCalls.monotonicNanoseconds()
    let hour: Nanoseconds = 3_600_000_000_000
    let passed = min(max(now &- lastLook, waited, 0), hour)
    lastLook = now
    sinceDrain = min(sinceDrain + passed, hour)
    sinceSync = min(sinceSync + passed, hour)
    sinceCheck = min(sinceCheck + passed, hour)
    quiet = min(quiet + passed, hour)

    // What came first after a rest is synced with what follows it.
    if isResting, rings != self.rings { sinceSync = 0 }
    self.rings = rings
  }

  /// Events have come.
  mutating func hasMoved() { quiet = 0 }

  /// There are events in the ring that the log does not hold, or there are none.
  mutating func noteNews(_ isThere: Bool) {
    if isThere, !hasNews { sinceDrain = 0 }
    hasNews = isThere
  }

  /// The ring was emptied, or what could be taken out of it was too new.
  mutating func hasDrained(any: Bool) {
    sinceDrain = 0
    urgentPause = any ? DrainPace.lag : min(2 * urgentPause, DrainPace.longestUrgent)
  }

  /// All is synced, as far as it can be.
  mutating func hasSynced() { sinceSync = 0 }

  mutating func hasChecked() { sinceCheck = 0 }

  // MARK: What is due

  func isDrainDue(isWriting: Bool, isUrgent: Bool) -> Bool {
    isWriting ? sinceDrain >= DrainPace.retry : isUrgent || hasNews && sinceDrain >= drainSpan
  }

  var isSyncDue: Bool { syncSpan.map { sinceSync >= $0 } ?? false }

  var isCheckDue: Bool { sinceCheck >= DrainPace.retry }

  /// Whether the drain may leave it to the writers to say when there is something.
  func mayRest(_ isUnsynced: Bool) -> Bool {
    quiet >= patience && !(isUnsynced && syncSpan != nil)
  }

  /// The pause while events wait to be written, or are too new to be taken.
  func pause(isWriting: Bool) -> Nanoseconds {
    max(DrainPace.shortest, isWriting ? DrainPace.retry - sinceDrain : urgentPause)
  }

  /// The pause when nothing is urgent.
  func pause(_ isUnsynced: Bool) -> Nanoseconds {
    var pause = longest
    if hasNews { pause = min(pause, drainSpan - sinceDrain) }
    if !isResting {
      pause = min(pause, syncSpan.map { $0 - sinceSync } ?? patience - quiet)
    } else if quiet < 2 * patience {
      // A thread that was in the middle of a fact has not seen that the drain rests.
      pause = min(pause, patience)
    }
    return max(DrainPace.shortest, pause)
  }
}
