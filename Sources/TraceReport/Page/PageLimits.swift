import LifecycleModel
import LifecycleRules
import TraceAnalysis

/// How much time the system allows for what is drawn, while it counts: a callback from its begin on, a
/// background task and a delivery while the app is in the background and can run.
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

  private let vocabulary: Vocabulary
  private let system = Catalogue.lifecycle.system
  private var open: [UInt64: Counting] = [:]
  private var isInBackground = false
  private var isSuspended = false
  /// The stretches that are worth a mark.
  private(set) var limits: [Limit] = []
  /// The bars that have one of them, by the places of their events.
  private(set) var told: Set<UInt64> = []

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

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
      guard let (key, isInBackground) = key(bar.event),
        let allowed = system.limit(of: key, profile), bar.row != nil
      else { return }
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
    for ordinal in open.keys where open[ordinal]?.isInBackground == true {
      if isInBackground { resume(ordinal, instant) } else { stop(ordinal, instant) }
    }
  }

  private mutating func pause(_ isSuspended: Bool, _ instant: Instant) {
    self.isSuspended = isSuspended
    for ordinal in open.keys {
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
    guard used >= counting.allowed / PageLimits.worthTelling, limits.count < PageLimits.mostTold
    else { return }
    let from = since.advanced(by: -counting.used)
    told.insert(ordinal)
    limits.append(
      Limit(
        ordinal: ordinal, from: from, until: from.advanced(by: counting.allowed), to: instant))
  }

  /// What a limit is asked by, and whether it counts in the background alone; `nil` of what has none.
  private func key(_ event: Event) -> (Statistics.Key, isInBackground: Bool)? {
    func key(_ kind: Statistics.Kind) -> Statistics.Key {
      Statistics.Key(kind, name: vocabulary.text(event.name))
    }
    switch event.verb {
    case .call: return (key(.callback), false)
    case .observe: return (key(.observer), false)
    case .taskExpire: return (key(.expiration), false)
    case .taskBegin: return (key(.task), true)
    case .deliver: return (key(.delivery), true)
    default: return nil
    }
  }
}
