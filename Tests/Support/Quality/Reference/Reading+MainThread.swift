import LifecycleModel
import TraceAnalysis

/// What the main thread spent its time with before a kill.
extension Reading {
  /// What ran on the main thread, from its begin to its end, or to the end of what called it.
  private struct Run {
    var begin: Int
    var end: Int?
    var caller: Int?
    /// The main thread's next event behind the begin.
    var next: Int?
    /// Whether it holds the thread whatever stands inside it.
    var isHolder: Bool

    /// Whether it held the thread: other work does only while the thread writes nothing else.
    var held: Bool { isHolder || next == end }
  }

  /// At a kill, the largest share of the time since the main thread was last idle for a quarter of a
  /// second; kept when it belongs to what ran last.
  func mainThread(_ code: String) -> [Judgement] {
    trace.processes.compactMap { process in
      let kill = process.upperBound - 1
      guard trace.events[kill].verb == .kill, trace.says(trace.events[kill], code: code),
        needs.force(under: trace.profiles[kill]) == .inForce
      else { return nil }
      return judge(window(runs(process.dropLast())), kill)
    }
  }

  private func runs(_ process: Range<Int>) -> [Run] {
    var runs: [Run] = []
    for index in process where trace.events[index].writer == .main {
      let event = trace.events[index]
      for run in runs.indices where runs[run].next == nil { runs[run].next = index }
      let open = runs.indices.filter { runs[$0].end == nil }
      switch event.verb {
      case .call, .observe, .workBegin:
        let isHolder = event.verb != .workBegin || event.name == WorkCategory.mainBusy.symbol
        // What no callback has begun may go on elsewhere.
        if !isHolder && open.isEmpty { continue }
        runs.append(Run(begin: index, caller: open.last, isHolder: isHolder))
      case .return, .observed, .workEnd:
        let begun = open.last { isBegun(trace.events[runs[$0].begin], by: event) }
        if let begun { for run in open where run >= begun { runs[run].end = index } }
      default: break
      }
    }
    return runs
  }

  private func isBegun(_ begin: Event, by end: Event) -> Bool {
    let verbs: [Verb: Verb] = [.return: .call, .observed: .observe, .workEnd: .workBegin]
    return begin.verb == verbs[end.verb] && begin.name == end.name && begin.label == end.label
      && begin.subject == end.subject
  }

  /// The runs since the last pause.
  private func window(_ runs: [Run]) -> ArraySlice<(offset: Int, element: Run)> {
    let all = Array(runs.enumerated())
    let first = all.lastIndex { offset, run in
      guard run.caller == nil, offset > 0 else { return offset == 0 }
      let idle = runs[..<offset].compactMap(\.end).max()
      return idle.map { trace.awake(run.begin) &- trace.awake($0) > .milliseconds(250) } ?? false
    }
    return all[(first ?? 0)...]
  }

  private func judge(_ runs: ArraySlice<(offset: Int, element: Run)>, _ kill: Int) -> Judgement {
    func time(_ run: Run) -> Nanoseconds { trace.awake(run.end ?? kill) &- trace.awake(run.begin) }
    func name(_ run: Run) -> [String] {
      let event = trace.events[run.begin]
      return ["\(event.verb)", "\(event.name)", "\(event.label)"]
    }

    /// The nearest run around another that held the thread.
    func holder(around run: Run) -> Int? {
      guard let caller = run.caller, let around = runs.first(where: { $0.offset == caller }) else {
        return nil
      }
      return around.element.held ? caller : holder(around: around.element)
    }

    var shares: [(begin: Int, name: [String], time: Nanoseconds)] = []
    let holding = runs.filter(\.element.held)
    // In the order in which they ended; what runs still comes last.
    let ended = holding.sorted {
      ($0.element.end ?? .max, $1.element.begin) < ($1.element.end ?? .max, $0.element.begin)
    }

    for (offset, run) in ended {
      let inner = holding.filter { holder(around: $0.element) == offset }
        .reduce(0) { $0 &+ time($1.element) }
      let own = time(run) &- inner
      if own < .milliseconds(1) { continue }
      if let known = shares.firstIndex(where: { $0.name == name(run) }) {
        shares[known].time &+= own
      } else {
        shares.append((run.begin, name(run), own))
      }
    }

    let largest = shares.max { ($0.time, $1.begin) < ($1.time, $0.begin) }
    guard let largest, let running = holding.last(where: { $0.element.end == nil })?.element else {
      return Judgement(index: kill, verdict: .cannotTell)
    }

    let isSure = runs.allSatisfy { _, run in
      run.held || run.end == nil ? trace.isUnbroken(run.begin, kill) : true
    }
    if !isSure { return Judgement(index: kill, verdict: .cannotTell) }
    return Judgement(
      index: largest.begin, verdict: largest.name == name(running) ? .satisfied : .violated,
      decided: kill)
  }
}
