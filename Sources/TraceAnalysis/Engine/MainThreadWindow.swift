import LifecycleModel

/// What the main thread spent its time with since it was last idle.
///
/// A callback, an observer's handler or a busy turn of the run loop holds the thread. Other work that begins
/// on it holds it only inside one of these, and only while the thread writes nothing else: a download that
/// is begun on the main thread goes on elsewhere.
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

    /// Whether it held the thread, which wrote its last event at `lastWritten`.
    func held(_ lastWritten: UInt64) -> Bool {
      MainThreadWindow.isHolder(fact.event) || lastWritten <= fact.ordinal
    }
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

  /// What runs now, innermost; `lastWritten` is the place of the thread's last event.
  package func running(lastWritten: UInt64) -> OpenEvent? {
    frames.last { $0.held(lastWritten) }?.fact
  }

  /// What runs now, outermost.
  package var outermost: OpenEvent? { frames.first?.fact }

  /// Whether an event begins what holds the thread until it ends.
  package static func isHolder(_ event: Event) -> Bool {
    event.verb != .workBegin || event.name == WorkCategory.mainBusy.symbol
  }

  mutating func begin(_ opener: OpenEvent, at now: Nanoseconds) {
    if frames.isEmpty {
      if !MainThreadWindow.isHolder(opener.event) { return }
      if isPause(until: now) { finished.removeAll(keepingCapacity: true) }
    }
    if frames.count < MainThreadWindow.depth { frames.append(Frame(fact: opener, begin: now)) }
  }

  private func isPause(until now: Nanoseconds) -> Bool {
    Instant(nanoseconds: now).since(Instant(nanoseconds: idleSince)) > MainThreadWindow.pause
  }

  /// Ends what `event` ends; `lastWritten` is the place of the thread's last event before it.
  mutating func end(_ event: Event, at now: Nanoseconds, lastWritten: UInt64) {
    let opening = SpanFamily.closed(by: event.verb)?.opening
    let index = frames.lastIndex {
      let begun = $0.fact.event
      return begun.verb == opening && begun.name == event.name && begun.label == event.label
        && begun.subject == event.subject
    }

    guard let index else { return }
    // What was begun inside and never ended is over with it.
    while frames.count > index { endInnermost(at: now, lastWritten) }
    if frames.isEmpty { idleSince = now }
  }

  private mutating func endInnermost(at now: Nanoseconds, _ lastWritten: UInt64) {
    guard let frame = frames.popLast() else { return }
    let time = now &- frame.begin
    let isShare = frame.held(lastWritten)
    // What did not hold the thread leaves its time to what is around it.
    if !frames.isEmpty { frames[frames.count - 1].called &+= isShare ? time : frame.called }
    if isShare { add(Share(fact: frame.fact, time: time &- frame.called)) }
  }

  /// The shares up to `now`, the largest first; `lastWritten` is the place of the thread's last event.
  package func shares(at now: Nanoseconds, lastWritten: UInt64) -> [Share] {
    var window = self
    while !window.frames.isEmpty { window.endInnermost(at: now, lastWritten) }
    return window.finished.ordered { ($1.time, $0.fact.ordinal) < ($0.time, $1.fact.ordinal) }
  }

  /// The largest shares in words, each with its part of all: `load 60 %, save 30 %`.
  package static func words(_ shares: [Share], _ vocabulary: Vocabulary) -> String {
    let total = shares.reduce(0) { $0 &+ $1.time }
    return shares.prefix(3).map { share in
      "\(vocabulary.word(naming: share.fact.event)) \(share.time / max(1, total / 100)) %"
    }.joined(separator: ", ")
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
