import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// How much time the system allows for what a page draws, and when the time counts: while the process can
/// run, and for a background task while the app is in the background.
struct PageLimits {
  /// A stretch of time that counts.
  struct Limit {
    let ordinal: UInt64
    /// When it would have begun if all time that counts were one stretch.
    let from: Instant
    /// When the limit is reached, if the time goes on counting.
    let until: Instant
    /// When it stops counting.
    let to: Instant
  }

  private struct Counting {
    let allowed: Nanoseconds
    let isInBackground: Bool
    /// What the clock showed when the time began to count; `nil` while it does not count.
    var start: Instant?
  }

  /// At most this many limits are listed.
  private static let limit = 1000
  /// A stretch that uses less than this part of a limit is not listed.
  private static let leastPart: Nanoseconds = 5

  /// The time that the page draws.
  private let extent: ClosedRange<Instant>
  private var open: [UInt64: Counting] = [:]
  private var isInBackground = false
  /// When the suspension began that lasts, and how long those before it lasted.
  private var suspension: Instant?
  private var asleep: Nanoseconds = 0
  /// The stretches that are listed.
  private(set) var limits: [Limit] = []
  /// The bars that have one of them, by the places of their events.
  private(set) var listed: Set<UInt64> = []

  init(in extent: ClosedRange<Instant>) { self.extent = extent }

  /// Takes what an event changed, under the profile that holds then.
  mutating func observe(_ change: LaneChange, _ profile: Profile) {
    switch change {
    case .begin(let bar): begin(bar, profile)
    case .end(let bar, let end): self.end(bar, end.instant)
    case .mark, .value, .gap, .death: break
    }
  }

  private mutating func begin(_ bar: LaneBar, _ profile: Profile) {
    switch bar.content {
    case .state("background") where bar.run.scene == nil:
      isInBackground = true
      let start = clock(bar.begin)
      // Each stay in the background has the whole time.
      for ordinal in open.keys where open[ordinal]?.isInBackground == true {
        open[ordinal]?.start = start
      }
    case .suspension where suspension == nil:
      for ordinal in open.keys.sorted() { list(ordinal, bar.begin) }
      suspension = bar.begin
    case .span where bar.row != nil:
      guard let allowed = Allowances.limit(ofSpanOpenedBy: bar.event, profile) else { return }
      let isTask = bar.event.verb == .taskBegin
      let start = isTask && !isInBackground ? nil : clock(bar.begin)
      open[bar.ordinal] = Counting(allowed: allowed, isInBackground: isTask, start: start)
    case .state, .suspension, .process, .span: break
    }
  }

  private mutating func end(_ bar: LaneBar, _ instant: Instant) {
    switch bar.content {
    case .state("background") where bar.run.scene == nil:
      isInBackground = false
      for ordinal in open.keys.sorted() where open[ordinal]?.isInBackground == true {
        list(ordinal, instant)
        open[ordinal]?.start = nil
      }
    case .suspension:
      if let suspension { asleep = asleep.adding(instant.since(suspension)) }
      suspension = nil
    case .span:
      list(bar.ordinal, instant)
      open[bar.ordinal] = nil
    case .state, .process: break
    }
  }

  /// The time by a clock that stands still while the process is suspended.
  private func clock(_ instant: Instant) -> Instant {
    (suspension ?? instant).advanced(by: -asleep)
  }

  /// Lists a stretch that ends; what counted up to a suspension is listed already.
  private mutating func list(_ ordinal: UInt64, _ instant: Instant) {
    guard suspension == nil, let counting = open[ordinal], let start = counting.start else {
      return
    }
    let used = clock(instant).since(start)
    guard used >= counting.allowed / PageLimits.leastPart, limits.count < PageLimits.limit
    else { return }

    let from = instant.advanced(by: -used)
    guard (from...instant).overlaps(extent) else { return }
    listed.insert(ordinal)
    limits.append(
      Limit(
        ordinal: ordinal, from: from, until: from.advanced(by: counting.allowed), to: instant))
  }
}
