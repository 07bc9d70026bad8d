import LifecycleModel
import TraceAnalysis

/// What the system has handed to the app and the app has to complete: deliveries, or tasks of
/// BGTaskScheduler.
///
/// Deliveries that look alike are completed oldest first, so that none seems to take longer than it
/// must have; those from before a gap last, since their completions may stand in it. Of a task, which its
/// identifier names, the newest launch is completed.
struct Handovers: Sendable {
  struct Handover: Sendable {
    var fact: OpenEvent
    /// Whether it has to be completed in a certain time.
    var isTimed = false
    /// Whether it was judged already.
    var isSettled = false
    /// The awake time of its expiration.
    var expiredAt: Nanoseconds?
  }

  private var open: Remembered<Handover>
  /// The first completion of each thing that is not handed over again.
  private var completed = Remembered<OpenEvent>(256, beyond: .oldestGoes)

  /// Deliveries: where an app never completes any, findings name the oldest before it goes.
  static let deliveries = Handovers(beyond: .oldestGoes)
  /// Tasks of BGTaskScheduler: the system runs a handful at a time.
  static let tasks = Handovers(beyond: .cannotTell)

  private init(beyond: Remembered<Handover>.Beyond) { open = Remembered(256, beyond: beyond) }

  /// What was handed over and is neither completed nor judged, oldest first.
  var unsettled: [Handover] { open.filter { !$0.isSettled } }

  /// Takes in what the system hands over.
  mutating func hand(_ opener: OpenEvent, isTimed: Bool = false, _ findings: inout RuleFindings) {
    completed.removeAll { Self.isSame($0.event, opener.event) }
    open.append(Handover(fact: opener, isTimed: isTimed), &findings)
  }

  /// Takes out what `event` completes; reports with `message` what is completed again.
  mutating func complete(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings, again message: String
  ) -> Handover? {
    if let handover = take(event, moment) {
      completed.append(moment.fact(event))
      return handover
    }
    if let first = completed.first(where: { Self.isSame($0.event, event) }) {
      findings.report(event, since: first, severity: .warning, says: message)
    } else {
      findings.cannotTell(.startNotSeen)
    }
    return nil
  }

  /// Takes out what is like `event`.
  mutating func take(_ event: Event, _ moment: Moment) -> Handover? {
    index(event, moment).map { open.remove(at: $0) }
  }

  /// Whether something like `event` is not completed.
  func contains(_ event: Event) -> Bool { open.contains { Self.isSame($0.fact.event, event) } }

  /// Notes that the time of what `event` names is over.
  mutating func expire(_ event: Event, _ moment: Moment) {
    guard let index = index(event, moment), open[index].expiredAt == nil else { return }
    open[index].expiredAt = moment.awake(event)
  }

  /// Takes out what expired at this awake time or before.
  mutating func takeExpired(before time: Nanoseconds) -> [Handover] {
    take { $0.expiredAt.map { $0 <= time } ?? false }
  }

  /// Takes out some.
  mutating func take(where isTaken: (Handover) -> Bool) -> [Handover] {
    let taken = open.filter(isTaken)
    if !taken.isEmpty { open.removeAll(where: isTaken) }
    return taken
  }

  /// Marks as judged what meets a condition; returns what was not judged before.
  mutating func settle(where isOver: (Handover) -> Bool = { _ in true }) -> [Handover] {
    var settled: [Handover] = []
    for index in open.indices where !open[index].isSettled && isOver(open[index]) {
      open[index].isSettled = true
      settled.append(open[index])
    }
    return settled
  }

  /// The awake time at which the first that expired has had `time`.
  func nextExpiry(_ time: Nanoseconds) -> Nanoseconds {
    open.compactMap(\.expiredAt).min().map { $0.adding(time) } ?? .max
  }

  private func index(_ event: Event, _ moment: Moment) -> Int? {
    if event.isOfScheduledTask { return open.lastIndex { Self.isSame($0.fact.event, event) } }
    let isCertain = { (handover: Handover) in moment.state.isCertain(handover.fact) }
    return open.firstIndex { Self.isSame($0.fact.event, event) && isCertain($0) }
      ?? open.firstIndex { Self.isSame($0.fact.event, event) }
  }

  private static func isSame(_ lhs: Event, _ rhs: Event) -> Bool {
    lhs.name == rhs.name
      && (lhs.isOfScheduledTask
        || lhs.label == rhs.label && lhs.subject == rhs.subject && lhs.value == rhs.value)
  }
}

extension Event {
  fileprivate var isOfScheduledTask: Bool {
    verb == .bgtaskLaunch || verb == .bgtaskExpire || verb == .bgtaskComplete
  }
}

extension Handovers.Handover {
  /// Its completion, due so long after it expired.
  func missing(_ moment: Moment, within time: Nanoseconds) -> [MissingEvent] {
    moment.end(of: fact, until: expiredAt.map { moment.instant(atAwake: $0 &+ time) })
  }
}
