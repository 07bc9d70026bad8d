import LifecycleModel
import TraceLog
import Traces

/// A history of one log: it is written, the disk fails, the process or the machine ends, it goes on.
final class LogHistory {
  /// What is done to the log.
  enum Step { case record(Int), flush, synchronize, lookAtMemory, end(Fault) }

  let machine: SimulatedMachine
  var random: SeededGenerator
  let options: LogWriter.Options
  let limits: LogLimits
  private let path = SimulatedMachine.path("log.bin")
  private var recorded = Recorded()
  private var log: RotatingLog?
  private var number: Int64 = 0
  /// Whether something in this step has failed.
  private var hasFailed = false
  /// How many events the log had before this step.
  private var eventsBefore: UInt64 = 0
  private static let writers = ["main", "w-2"]

  init(_ machine: SimulatedMachine, seed: UInt64, sync: SyncPolicy, limits: LogLimits) {
    self.machine = machine
    random = SeededGenerator(seed: seed)
    var options = LogWriter.Options()
    (options.sync, options.eventsPerBlock) = (sync, 4)
    (self.options, self.limits) = (options, limits)
  }

  /// A short log of two parts, which is synced once.
  func runShort() throws {
    let steps: [Step] = [.record(4), .flush, .synchronize, .record(8), .flush, .record(2)]
    for step in steps { try take(step) }
    try finish()
  }

  /// A history by chance.
  static func random(_ machine: SimulatedMachine, seed: UInt64) -> LogHistory {
    var random = SeededGenerator(seed: seed)
    let sync: [SyncPolicy] = [.none, .everyBlock, .interval(20)]
    let limits = [
      LogLimits(), LogLimits(maxPartBytes: 300), LogLimits(maxPartBytes: 300, keptBytes: 900),
    ]
    return LogHistory(
      machine, seed: random.next(), sync: sync.randomElement(using: &random) ?? .none,
      limits: limits.randomElement(using: &random) ?? LogLimits())
  }

  /// Does so many steps by chance, and checks what is left after each end.
  func run(steps: Int) throws {
    for _ in 0..<steps { try take(randomStep()) }
    try finish()
  }

  private func randomStep() -> Step {
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<9: return .record(Int.random(in: 1...6, using: &random))
    case 9..<12: return .flush
    case 12..<14: return .synchronize
    case 14:
      return .end([.killBefore(), .powerBefore()].randomElement(using: &random) ?? .killAfter)
    default: return .lookAtMemory
    }
  }

  /// Does a step; when the process ends in it, checks what is left, and goes on with another process.
  func take(_ step: Step) throws {
    Simulation.tell("\(step)")
    machine.plan.room = .max
    if log == nil { try begin() }
    hasFailed = false
    eventsBefore = log?.eventCount ?? 0

    switch step {
    case .record(let count): record(count)
    case .flush: attempt { try log?.flush() }
    case .synchronize: synchronize()
    case .lookAtMemory: machine.lookAtMemory()
    case .end(let fault): machine.crash(fault)
    }
    notePromises()
    if machine.end != nil { try goOn() }
  }

  /// Closes the log and checks it, as it is and behind a power loss.
  func finish() throws {
    machine.plan.room = .max
    if log == nil { try begin() }
    hasFailed = false
    eventsBefore = log?.eventCount ?? 0
    attempt { try log?.flush() }
    notePromises()

    attempt { try log?.close() }
    notePromises()
    log = nil
    recorded.isCutFailed = machine.failedTruncates > 0
    if machine.end == nil { try check(nil) }
    machine.crash(.powerAfter)
    try goOn()
    try replace()
  }

  /// Puts another log in the place of what is left, of which nothing may be read any more.
  private func replace() throws {
    recorded = Recorded()
    machine.plan.room = .max
    try machine.withoutFaults {
      do {
        log = try RotatingLog(
          path: path, .replace, vocabulary: Vocabulary(), identity: identity(9), options: options,
          limits: limits)
      } catch LogError.notOurs { return }
      for _ in 0..<3 {
        record(4)
        try log?.flush()
      }
      notePromises()
      try log?.close()
    }
    log = nil
    try check(nil)
  }

  private func begin() throws {
    do {
      log = try RotatingLog(resuming: path, options: options, limits: limits) { _ in }
      recorded.goOn(behind: log?.lastSequences ?? [:])
    } catch LogError.notFound {
      log = try? RotatingLog(
        path: path, .create, vocabulary: Vocabulary(), identity: identity(7), options: options,
        limits: limits)
      if log != nil { recorded.goOn(behind: [:]) }
    } catch LogError.empty {
      try? SystemCalls.remove(path)
    } catch LogError.notALog {
      // What can be read of it can be read there.
      try? SystemCalls.rename(path, path + ".damaged")
      if machine.end == nil { try machine.checkAside(path, &recorded, behind: nil) }
    } catch {
      // It is tried again by the next step.
    }
  }

  private func identity(_ byte: UInt8) -> LogIdentity {
    LogIdentity(
      logID: [UInt8](repeating: byte, count: 16), originWall: 0, originMonotonic: 0,
      originBoottime: 0)
  }

  private func record(_ count: Int) {
    guard let log else { return }

    for _ in 0..<count {
      let writer = LogHistory.writers.randomElement(using: &random) ?? "main"
      guard let id = try? log.vocabulary.writer(writer) else { continue }
      number += 1
      var event = Event(
        instant: Instant(nanoseconds: machine.clock.nanoseconds),
        writer: id, verb: .work, name: log.vocabulary.symbol("other"),
        subject: .task(UInt32(number)), label: log.vocabulary.symbol("fact \(number)"),
        value: number)
      machine.advance(by: 5)
      event.sequence = recorded.add(writer, ReadLog.text(of: event, log.vocabulary))
      attempt { try log.append([event]) }
    }
  }

  /// Does what the disk may refuse.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { hasFailed = true }
  }

  private func synchronize() {
    guard let log, (try? log.synchronize()) != nil, machine.end == nil, !recorded.isSyncUnknown
    else { return }
    recorded.keptBehindPowerLoss = log.lastSequences
  }

  private func notePromises() {
    guard let log else { return }
    // A crash in the middle of a call leaves what the calls before it have done.
    guard machine.end == nil else { return }
    recorded.keptBehindKill = log.lastSequences
    if options.sync == .everyBlock, !recorded.isSyncUnknown, !hasFailed,
      log.eventCount > eventsBefore
    {
      recorded.keptBehindPowerLoss = log.lastSequences
    }
  }

  private func check(_ end: Fault?) throws {
    Simulation.tell("check \(machine.allNames)")
    try recorded.check(machine.withoutFaults { try machine.read(path) }, behind: end)
  }

  /// Goes on with another process.
  private func goOn() throws {
    log = nil
    try machine.startAgain(path, &recorded)
  }
}
