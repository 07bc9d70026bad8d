import Platform
import Traces

/// A process that is run to a state, and killed there.
struct Victim {
  /// What became of it.
  enum Outcome: Equatable {
    case killed(Cell)
    /// It did not come where it should, and was killed where it was.
    case killedElsewhere
    case ended(status: Int32)
  }

  private var tracee: Tracee
  private let plan: Plan
  private let log: String
  private var faults: [Fault]
  private var skipped: Int
  private var random: SeededGenerator
  private var courses: [pid_t: Course] = [:]
  /// The step that a thread takes, from its call to its return.
  private var taken: [pid_t: Taken] = [:]
  /// A thread that stands still, and until when.
  private var stalled: (thread: pid_t, until: UInt64)?
  private var mayStall: Bool
  /// Whether the app has said that it begins, and whether it states facts.
  private var hasBegun = false
  private var hasAcknowledged = false
  /// What a thread is about to acknowledge.
  private var acknowledgements: [pid_t: (kind: Int, number: Int)] = [:]
  private let ringRecords: Int
  private let end: UInt64

  private struct Taken {
    var step: Step?
    var length: Int
    /// What the call returns that was not made.
    var result: Int64?
    var isShort = false
    var isLast = false
  }

  /// Whether steps are printed, as they are taken.
  nonisolated(unsafe) static var isTelling = false

  /// So long a process is given to come where it should.
  private static let patience: UInt64 = 1_500_000_000

  init(
    _ tracee: Tracee, _ plan: Plan, log: String, ringRecords: Int, isRelaunch: Bool,
    chance: SeededGenerator
  ) {
    (self.tracee, self.plan, self.log) = (tracee, plan, log)
    (faults, skipped, mayStall) = (plan.faults, plan.skipped, plan.stalls)
    (self.ringRecords, random) = (ringRecords, chance)
    end = platform_nanoseconds() + (plan.target == nil ? 20 : 1) * Victim.patience
    let place: State.Place
    switch plan.part {
    case .recorder: place = .recorder
    case .attached: place = .attached
    case .app: place = isRelaunch ? .relaunch : .launch
    }
    courses[tracee.process] = Course(place, log: log)
  }

  /// Runs it.
  mutating func run() -> Outcome {
    go(tracee.process)
    while true {
      let stop = tracee.wait()
      if let outcome = heed(stop) { return outcome }
      if let (thread, until) = stalled, platform_nanoseconds() > until {
        stalled = nil
        go(thread)
      }
      guard plan.target != nil || stop.kind == .nothing else { continue }
      if platform_nanoseconds() > end {
        tracee.kill()
        return .killedElsewhere
      }
    }
  }

  private mutating func heed(_ stop: Tracee.Stop) -> Outcome? {
    switch stop.kind {
    case .nothing: break
    case .ended: if stop.thread == tracee.process { return .ended(status: Int32(stop.result)) }
    case .begins:
      // The first thread of an app is the one that empties its ring.
      if plan.part == .app, courses.count == 1 {
        courses[pid_t(truncatingIfNeeded: stop.result)] = Course(.drain, log: log)
      }
      go(stop.thread)
    case .signal: tracee.resume(stop.thread, toCall: isFollowed(stop.thread), signal: stop.result)
    case .calls:
      guard let call = stop.call else { break }
      if calls(stop.thread, call) { return killed() }
    case .returns: if returns(stop.thread, stop.result) { return killed() }
    }
    return nil
  }

  private mutating func killed() -> Outcome {
    tracee.kill()
    return plan.target.map { .killed($0) } ?? .killedElsewhere
  }

  private func go(_ thread: pid_t) { tracee.resume(thread, toCall: isFollowed(thread)) }

  /// Whether the calls of a thread are looked at.
  private func isFollowed(_ thread: pid_t) -> Bool {
    guard let target = plan.target else { return false }
    let step = target.state.step
    if target.state.place == .fact {
      return thread == tracee.process || step == .newLane
        || courses[thread] != nil
    }
    // Where facts are stated fast, looking at each would be slow.
    if thread == tracee.process, plan.part == .app {
      return !hasAcknowledged || step == .logClosed || step == .ringRemoved
    }
    return courses[thread] != nil
  }

  /// A thread is about to make a call; whether it dies there.
  private mutating func calls(_ thread: pid_t, _ call: TracedCall) -> Bool {
    var now = Taken(step: nil, length: call.length)
    if call.kind == .write, call.file(log) == .acknowledged { acknowledge(thread, call) }
    if call.kind == .sleep, sleeps(thread, call) { return false }
    now.step = courses[thread]?.step(call)

    if let step = now.step {
      if isTarget(thread, step), let target = plan.target {
        if skipped > 0 {
          skipped -= 1
        } else if target.moment == .before {
          return true
        } else {
          now.isLast = true
        }
      }

      if now.isLast, plan.target?.moment == .torn, call.length > 1 {
        shorten(thread, &now)
      } else if !now.isLast {
        fail(thread, step, &now)
      }
    }
    taken[thread] = now
    go(thread)
    return false
  }

  /// A call has returned; whether the thread dies there.
  private mutating func returns(_ thread: pid_t, _ result: Int64) -> Bool {
    if let fact = acknowledgements.removeValue(forKey: thread), isLast(fact) {
      return stepped(thread)
    }
    guard let now = taken.removeValue(forKey: thread) else {
      go(thread)
      return false
    }

    var result = result
    if let own = now.result {
      result = own
      tracee.setResult(thread, own)
    }
    if now.isShort { tracee.setLength(thread, now.length) }
    if let step = now.step {
      courses[thread]?.end(step, result, of: now.length)
      if Victim.isTelling { print("\(thread): \(step.rawValue): \(result)") }
    }
    if now.isLast { return plan.target?.moment == .behind ? stepped(thread) : true }
    go(thread)
    return false
  }

  private func stepped(_ thread: pid_t) -> Bool {
    tracee.step(thread, plan.instructions)
    return true
  }

  private func isTarget(_ thread: pid_t, _ step: Step) -> Bool {
    guard let target = plan.target?.state, let place = courses[thread]?.place else { return false }
    return target == State(place: place, step: step)
  }

  /// Has a call fail, when that is planned.
  private mutating func fail(_ thread: pid_t, _ step: Step, _ now: inout Taken) {
    guard let index = faults.firstIndex(where: { $0.step == step && $0.times > 0 }) else { return }
    faults[index].times -= 1
    switch faults[index].kind {
    case .error(let code):
      tracee.skipCall(thread)
      now.result = -Int64(code)
    case .short: if now.length > 1 { shorten(thread, &now) }
    }
  }

  private mutating func shorten(_ thread: pid_t, _ now: inout Taken) {
    tracee.setLength(thread, Int.random(in: 1..<now.length, using: &random))
    now.isShort = true
  }

  /// The app says what it has stated, and what it states next.
  private mutating func acknowledge(_ thread: pid_t, _ call: TracedCall) {
    guard hasBegun else {
      hasBegun = true
      return
    }
    hasAcknowledged = true
    let words = tracee.words(at: call.address, 2)
    guard words.count == 2, plan.target?.state.place == .fact else { return }
    acknowledgements[thread] = (Int(words[0] >> 32), Int(words[1]))
  }

  /// Whether the fact that comes next is the one in which the app dies.
  private mutating func isLast(_ fact: (kind: Int, number: Int)) -> Bool {
    guard let step = plan.target?.state.step else { return false }
    if step == .fullRing {
      guard fact.number > ringRecords else { return false }
    } else {
      guard fact.kind < Step.facts.count, Step.facts[fact.kind] == step else { return false }
    }
    skipped -= 1
    return skipped < 0
  }

  /// A drain sleeps shorter than it would, or for some time, or for ever; whether it stands.
  private mutating func sleeps(_ thread: pid_t, _ call: TracedCall) -> Bool {
    guard let place = courses[thread]?.place, place != .launch, place != .relaunch,
      thread != tracee.process || plan.part != .app
    else { return false }
    if plan.target?.state.step == .fullRing { return true }
    if mayStall, hasAcknowledged || plan.part != .app, Int.random(in: 0..<8, using: &random) == 0 {
      mayStall = false
      let time = UInt64.random(in: 2_000_000...30_000_000, using: &random)
      stalled = (thread, platform_nanoseconds() + time)
      return true
    }
    tracee.setWords(at: call.address, [0, 300_000])
    return false
  }
}
