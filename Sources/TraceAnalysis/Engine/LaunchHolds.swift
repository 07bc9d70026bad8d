import LifecycleModel

/// What held the main thread longest during a launch, and the work that ran meanwhile.
///
/// A callback, an observer and `main-busy` hold it from their begin to their end; other work does
/// where the main thread recorded nothing in between. Memory is constant.
struct LaunchHolds {
  /// A span of the main thread.
  struct Hold {
    var fact: OpenEvent
    var time: Nanoseconds
    /// The longest work inside it; `nil` when none is recorded.
    var work: OpenEvent?
    var workTime: Nanoseconds = 0
  }

  private static let remembered = 8

  /// Whether the app has been on screen and left it: the launch is over.
  var isOver = false
  private var longest: Hold?
  /// The longest work on the main thread that has ended.
  private var works: [(fact: OpenEvent, time: Nanoseconds)] = []

  /// The facts that are held.
  var facts: [OpenEvent] {
    works.map(\.fact) + (longest.map { [$0.fact, $0.work].compactMap(\.self) } ?? [])
  }

  /// Takes the end of a span of the main thread, which `begin` opened so long before.
  mutating func end(_ event: Event, of begin: OpenEvent, after time: Nanoseconds) {
    let isAlone = event.sequence == begin.event.sequence &+ 1 && event.sequence > 1
    if MainThreadWindow.isHolder(begin.event) || isAlone, time >= longest?.time ?? 0 {
      longest = hold(begin, time)
    }
    if LaunchHolds.says(begin.event) { addWork(begin, time) }
  }

  /// What held the main thread longest since `opener`: of what has ended, and where `isWithin` says that
  /// they go on, of the spans that are open now.
  func longest(
    since opener: OpenEvent, _ state: borrowing LifecycleState, at now: Nanoseconds, isWithin: Bool
  ) -> Hold? {
    let ended = longest.flatMap { $0.fact.ordinal >= opener.ordinal ? $0 : nil }
    guard isWithin, let running = running(since: opener, state, at: now) else { return ended }
    return running.time >= ended?.time ?? 0 ? running : ended
  }

  /// The span that holds the main thread now: inside a call that has not returned UIKit makes no
  /// other, so that only the newest is sure to go on.
  private func running(
    since opener: OpenEvent, _ state: borrowing LifecycleState, at now: Nanoseconds
  ) -> Hold? {
    let open = state.open.facts.filter {
      $0.event.writer == .main && $0.ordinal >= opener.ordinal
    }
    let call = open.last { $0.event.verb == .call }
    guard
      let first = open.first(where: {
        MainThreadWindow.isHolder($0.event) && $0.ordinal >= call?.ordinal ?? 0
      })
    else { return nil }

    var hold = hold(first, now &- first.awake)
    for work in open where LaunchHolds.says(work.event) && work.ordinal > first.ordinal {
      let time = now &- work.awake
      if time >= hold.workTime { (hold.work, hold.workTime) = (work, time) }
    }
    return hold
  }

  private func hold(_ begin: OpenEvent, _ time: Nanoseconds) -> Hold {
    let inside = works.filter { $0.fact.ordinal > begin.ordinal }.max { $0.time < $1.time }
    return Hold(fact: begin, time: time, work: inside?.fact, workTime: inside?.time ?? 0)
  }

  private mutating func addWork(_ begin: OpenEvent, _ time: Nanoseconds) {
    if works.count < LaunchHolds.remembered {
      works.append((begin, time))
    } else if let least = works.indices.min(by: { works[$0].time < works[$1].time }),
      works[least].time < time
    {
      works[least] = (begin, time)
    }
  }

  /// Whether it is work that says more than that the main thread is busy.
  private static func says(_ begin: Event) -> Bool {
    begin.verb == .workBegin && (begin.name != WorkCategory.mainBusy.symbol || !begin.label.isNone)
  }
}

extension Ledger {
  /// Notes what a span of the main thread took that ends with `event`, during a launch.
  @inline(never)
  mutating func noteLaunchHold(_ event: Event, at now: Nanoseconds) {
    if present.wasActive && present.state.appState == .background {
      present.launchHolds.isOver = true
      // Only a process whose beginning is seen is measured.
    } else if present.beginning != nil, let begin = present.state.opener(closedBy: event),
      begin.event.writer == .main
    {
      present.launchHolds.end(event, of: begin, after: now &- begin.awake)
    }
  }
}
