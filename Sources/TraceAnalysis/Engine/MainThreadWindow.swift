import LifecycleModel

/// What the main thread spent its time with since it was last idle.
///
/// Cost: some nanoseconds for each begin and end on the main thread; memory by how deep calls nest.
package struct MainThreadWindow {
  /// What ran, or runs, and for how long without what it called.
  package struct Share {
    package var fact: OpenEvent
    package var time: Nanoseconds
  }

  private struct Frame {
    var fact: OpenEvent
    var begin: Nanoseconds
    /// The time of what it called.
    var called: Nanoseconds = 0
  }

  /// A shorter pause does not end the window: from here on a hang is reported (X-hang).
  private static let pause: Nanoseconds = .milliseconds(250)
  private static let smallest: Nanoseconds = .milliseconds(1)
  private static let depth = 64
  private static let remembered = 32

  private var frames: [Frame] = []
  private var finished: [Share] = []
  private var idleSince = Nanoseconds.min

  /// The facts that are held.
  package var facts: [OpenEvent] { frames.map(\.fact) + finished.map(\.fact) }

  /// What runs now, innermost.
  package var running: OpenEvent? { frames.last?.fact }

  /// What runs now, outermost.
  package var outermost: OpenEvent? { frames.first?.fact }

  mutating func begin(_ opener: OpenEvent, at now: Nanoseconds) {
    if frames.isEmpty && isPause(until: now) {
      finished.removeAll(keepingCapacity: true)
    }
    if frames.count < MainThreadWindow.depth { frames.append(Frame(fact: opener, begin: now)) }
  }

  private func isPause(until now: Nanoseconds) -> Bool {
    Instant(nanoseconds: now).since(Instant(nanoseconds: idleSince)) > MainThreadWindow.pause
  }

  mutating func end(_ event: Event, at now: Nanoseconds) {
    let verb: Verb =
      switch event.verb {
      case .return: .call
      case .observed: .observe
      default: .workBegin
      }

    let index = frames.lastIndex {
      let begun = $0.fact.event
      return begun.verb == verb && begun.name == event.name && begun.label == event.label
        && begun.subject == event.subject
    }

    guard let index else { return }
    // What was begun inside and never ended is over with it.
    while frames.count > index, let frame = frames.popLast() {
      let time = now &- frame.begin
      if !frames.isEmpty { frames[frames.count - 1].called &+= time }
      add(Share(fact: frame.fact, time: time &- frame.called))
    }
    if frames.isEmpty { idleSince = now }
  }

  /// The shares up to `now`, the largest first.
  package func shares(at now: Nanoseconds) -> [Share] {
    var window = self
    var inner: Nanoseconds = 0
    for frame in frames.reversed() {
      let time = now &- frame.begin
      window.add(Share(fact: frame.fact, time: time &- frame.called &- inner))
      inner = time
    }
    return window.finished.sorted { ($1.time, $0.fact.ordinal) < ($0.time, $1.fact.ordinal) }
  }

  private mutating func add(_ share: Share) {
    if share.time < MainThreadWindow.smallest { return }
    if let index = finished.firstIndex(where: { MainThreadWindow.isSame($0.fact, share.fact) }) {
      finished[index].time &+= share.time
    } else if finished.count < MainThreadWindow.remembered {
      finished.append(share)
    } else if let least = finished.indices.min(by: { finished[$0].time < finished[$1].time }),
      finished[least].time < share.time
    {
      finished[least] = share
    }
  }

  package static func isSame(_ lhs: OpenEvent, _ rhs: OpenEvent) -> Bool {
    lhs.event.verb == rhs.event.verb && lhs.event.name == rhs.event.name
      && lhs.event.label == rhs.event.label
  }
}

extension EventPattern {
  /// What takes time on a thread.
  package static var timed: EventPattern { .verbs(.call, .observe, .workBegin) }
}
