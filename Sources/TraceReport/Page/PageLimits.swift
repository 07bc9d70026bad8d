import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// How much time the system allows for what is drawn, and when it counts: while the process can run, and
/// for a background task while the app is in the background.
struct PageLimits {
  /// A stretch of time that counts.
  struct Limit {
    let ordinal: UInt64
    /// From where on it counts, with what was used before.
    let from: Instant
    /// Where the limit is reached, if it goes on counting.
    let until: Instant
    /// Where it stops to count.
    let to: Instant
  }

  private struct Counting {
    let allowed: Nanoseconds
    let isInBackground: Bool
    var used: Nanoseconds = 0
    var since: Instant?
  }

  /// So many are told.
  private static let mostTold = 1000
  /// What uses less of a limit than one part in so many is not worth a mark.
  private static let worthTelling: Nanoseconds = 5

  /// What is drawn.
  private let extent: ClosedRange<Instant>
  private var open: [UInt64: Counting] = [:]
  private var isInBackground = false
  private var isSuspended = false
  /// The stretches that are worth a mark.
  private(set) var limits: [Limit] = []
  /// The bars that have one of them, by the places of their events.
  private(set) var told: Set<UInt64> = []

  init(in extent: ClosedRange<Instant>) { self.extent = extent }

  /// Takes what an event changed, under the profile that holds then.
  mutating func observe(_ change: LaneChange, _ lanes: [Lane], _ profile: Profile) {
    switch change {
    case .begin(let bar): begin(bar, lanes[bar.lane], profile)
    case .end(let bar, let end): self.end(bar, end, lanes[bar.lane])
    case .mark, .value, .gap, .death: break
    }
  }

  private mutating func begin(_ bar: LaneBar, _ lane: Lane, _ profile: Profile) {
    switch bar.content {
    case .state(let state): if lane.kind == .app { turn(state == "background", bar.begin) }
    case .suspension: pause(true, bar.begin)
    case .process: break
    case .span:
      guard bar.row != nil,
        let allowed = Allowances.limit(ofSpanOpenedBy: bar.event, profile)
      else { return }
      let isInBackground = bar.event.verb == .taskBegin
      open[bar.ordinal] = Counting(allowed: allowed, isInBackground: isInBackground)
      resume(bar.ordinal, bar.begin)
    }
  }

  private mutating func end(_ bar: LaneBar, _ end: LaneEnd, _ lane: Lane) {
    switch bar.content {
    case .state: if lane.kind == .app { turn(false, end.instant) }
    case .suspension: pause(false, end.instant)
    case .process: break
    case .span:
      stop(bar.ordinal, end.instant)
      open[bar.ordinal] = nil
    }
  }

  private mutating func turn(_ isInBackground: Bool, _ instant: Instant) {
    if isInBackground == self.isInBackground { return }
    self.isInBackground = isInBackground
    for ordinal in open.keys.sorted() where open[ordinal]?.isInBackground == true {
      if !isInBackground { stop(ordinal, instant) }
      // Each stay in the background has the whole time.
      open[ordinal]?.used = 0
      if isInBackground { resume(ordinal, instant) }
    }
  }

  private mutating func pause(_ isSuspended: Bool, _ instant: Instant) {
    self.isSuspended = isSuspended
    for ordinal in open.keys.sorted() {
      if isSuspended { stop(ordinal, instant) } else { resume(ordinal, instant) }
    }
  }

  private mutating func resume(_ ordinal: UInt64, _ instant: Instant) {
    guard let counting = open[ordinal], !isSuspended, isInBackground || !counting.isInBackground
    else { return }
    open[ordinal]?.since = instant
  }

  private mutating func stop(_ ordinal: UInt64, _ instant: Instant) {
    guard let counting = open[ordinal], let since = counting.since else { return }
    let used = counting.used.adding(instant.since(since))
    open[ordinal]?.used = used
    open[ordinal]?.since = nil

    guard used >= counting.allowed / PageLimits.worthTelling, limits.count < PageLimits.mostTold,
      since <= extent.upperBound, instant >= extent.lowerBound
    else { return }
    let from = since.advanced(by: -counting.used)
    told.insert(ordinal)
    limits.append(
      Limit(
        ordinal: ordinal, from: from, until: from.advanced(by: counting.allowed), to: instant))
  }
}
