import LifecycleModel
import TraceLog
import TraceRecorder
import Traces

/// A history of one app's recordings: facts go through the ring into the log, the disk and the clocks fail,
/// the process or the machine ends, the app is started again.
final class RecorderHistory {
  /// What happens to the recording.
  enum Step { case facts(Int), look(Int64), drain, finish, lookAtMemory, clock(Int64), end(Fault) }

  let machine: SimulatedMachine
  private var random: SeededGenerator
  private let options: Drain.Options
  private let path = SimulatedMachine.path("flight.bin")
  private var recorded = Recorded()
  private var recording: DrivenRecording?
  /// For how long the drain waits for its bell, and how much of that has passed.
  private var pause: Drain.Pause?
  private var waited: Nanoseconds = 0
  private let vocabulary = Vocabulary()
  private var number: UInt32 = 0
  /// Records that a thread has put into the ring since the last drain, and how many fit.
  private var used: [String: Int] = [:]
  private let capacity: Int
  private static let threads = ["main", "w-2"]

  init(_ machine: SimulatedMachine, seed: UInt64, sync: SyncPolicy) {
    self.machine = machine
    random = SeededGenerator(seed: seed)
    // The records of a thread fill one sector of the disk, or two.
    capacity = seed.isMultiple(of: 2) ? 32 : 64
    var options = Drain.Options()
    (options.threads, options.recordsPerThread, options.wordBytes) = (2, capacity, 32 << 10)
    (options.sync, options.drainMilliseconds) = (sync, 60)
    options.limits = LogLimits(maxPartBytes: 600)
    self.options = options
  }

  /// A short life of an app: facts, a drain, a sync, an end.
  func runShort() throws {
    for step in [.facts(3), .look(60), .facts(2), .look(60), .finish] as [Step] { try take(step) }
    try take(.end(.powerAfter))
  }

  /// A history by chance.
  static func random(_ machine: SimulatedMachine, seed: UInt64) -> RecorderHistory {
    var random = SeededGenerator(seed: seed)
    let sync: [SyncPolicy] = [.none, .everyBlock, .interval(40_000_000), .interval(40_000_000)]
    return RecorderHistory(
      machine, seed: random.next(), sync: sync.randomElement(using: &random) ?? .none)
  }

  /// Does so many steps by chance, and checks what is left after each end.
  func run(steps: Int) throws {
    for _ in 0..<steps { try take(randomStep()) }
    try take(.finish)
    try take(.end(.powerAfter))
  }

  private func randomStep() -> Step {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<8: .facts(Int.random(in: 1...12, using: &random))
    case 8..<14: .look(RecorderHistory.span(Int64.random(in: 1...60, using: &random)))
    case 14: .drain
    case 15: .finish
    case 16: .lookAtMemory
    case 17: .clock([-5_000_000, 0, 3_600_000_000_000].randomElement(using: &random) ?? 0)
    default: .end([.killBefore(), .powerBefore()].randomElement(using: &random) ?? .killAfter)
    }
  }

  /// So many milliseconds; some are so long that the drain comes to rest.
  private static func span(_ chance: Int64) -> Int64 { chance > 54 ? 10 * chance : chance }

  /// Does a step; when the process ends in it, checks what is left, and starts another one.
  func take(_ step: Step) throws {
    Simulation.tell("\(step)")
    machine.plan.room = .max
    if recording == nil { try begin() }
    switch step {
    case .facts(let count): state(count)
    case .look(let milliseconds): look(milliseconds)
    case .drain: recording?.drain.drain()
    case .finish: finish()
    case .lookAtMemory: machine.lookAtMemory()
    case .clock(let step): machine.advance(by: step)
    case .end(let fault): machine.crash(fault)
    }

    notePromises()
    if machine.end != nil { try goOn() }
  }

  private func begin() throws {
    let failed = machine.failedSyncs
    let new = try? DrivenRecording(log: path, options: options, clock: machine.clock)
    if machine.end == nil { try machine.checkAside(path, &recorded, behind: nil) }
    guard let new else {
      // What it could not cut back, it cannot write again.
      if machine.failedSyncs > failed, machine.failedTruncates > 0 { recorded.isSyncUnknown = true }
      if machine.failedSyncs > failed { noteFailedSync() }
      return
    }

    recording = new
    pause = nil
    used = [:]
    recorded.goOn(behind: new.lastSequences.filter { RecorderHistory.threads.contains($0.key) })
  }

  // MARK: Steps

  private func state(_ count: Int) {
    guard let recording else { return }
    for _ in 0..<count {
      let thread = RecorderHistory.threads.randomElement(using: &random) ?? "main"
      number += 1
      machine.advance(by: 1000)
      let isStated = recording.asThread(thread) { state(number, by: recording.recorder, thread) }
      if !isStated { number -= 1 }
    }
  }

  /// States a fact of one record, or of more.
  private func state(_ number: UInt32, by recorder: Recorder, _ thread: String) {
    var event = Event(
      instant: .origin, writer: .main, verb: .work,
      name: vocabulary.symbol(WorkCategory.timer.rawValue),
      subject: .task(number))
    var records = 1
    switch number % 4 {
    case 0:
      recorder.work(.timer, .task(number))
    case 1:
      recorder.work(.timer, .task(number), "labelled")
      event.label = vocabulary.symbol("labelled")
    case 2:
      let label = "word \(number) of \(thread)"
      recorder.work(.timer, .task(number), label: label)
      event.label = vocabulary.symbol(label)
    default:
      let text = "fact \(number) of \(thread)"
      recorder.note(text, .task(number))
      event.verb = .note
      event.name = .none
      event.label = vocabulary.symbol(text)
      records += (text.utf8.count + 11) / 12
    }

    _ = recorded.add(thread, ReadLog.text(of: event, vocabulary))
    used[thread, default: 0] += records
    if used[thread] ?? 0 > capacity - 2 { recorded.noteRefusal(thread) }
  }

  /// Lets time pass, in which the drain looks when its pause is over, or its bell rings.
  private func look(_ milliseconds: Int64) {
    let (syncs, failed) = (machine.mappingSyncs, machine.failedSyncs)
    let stated = recorded.last
    var left = milliseconds * 1_000_000
    while left > 0, machine.end == nil { left -= wait(atMost: left) }

    // What is older than an interval is synced, whether the drain had to be woken or not.
    var isOlder = false
    if case .interval(let interval) = options.sync {
      isOlder = milliseconds * 1_000_000 > interval + 10_000_000
    }
    guard let recording, machine.end == nil, isOlder || machine.mappingSyncs > syncs,
      machine.failedSyncs == failed, recording.drain.failure == nil, !recorded.isSyncUnknown
    else { return }
    recorded.keptBehindPowerLoss = stated
  }

  /// Waits as the drain does, and has it look behind that; returns how much time has passed.
  private func wait(atMost most: Nanoseconds) -> Nanoseconds {
    let first: Nanoseconds = recording == nil ? .max : 0
    let whole = pause.map { $0.isRung ? 0 : max(0, $0.nanoseconds - waited) } ?? first
    let span = min(whole, most)
    machine.advance(by: span)
    waited += span
    guard span == whole else { return span }

    pause = recording?.drain.look(after: pause?.isRung == false ? waited : 0)
    waited = 0
    return span
  }

  private func finish() {
    guard let recording else { return }
    let stated = recorded.last
    guard (try? recording.drain.finish()) != nil, machine.end == nil else { return }
    self.recording = nil
    if options.sync != .none, !recorded.isSyncUnknown { recorded.keptBehindPowerLoss = stated }
  }

  private func notePromises() {
    guard machine.end == nil else { return }
    // What was stated is in the ring, or was refused.
    recorded.keptBehindKill = recorded.last
    if recording?.drain.isEmpty ?? true { used = [:] }
  }

  // MARK: Ends

  /// Goes on with another process.
  private func goOn() throws {
    recording = nil
    let (hasFailed, isPowerLoss) = (machine.failedSyncs > 0, machine.end?.isPowerLoss ?? false)
    try machine.startAgain(path, &recorded)
    if hasFailed, !isPowerLoss { noteFailedSync() }
  }

  /// Who died before the ring said that a sync has failed, or could not write it there, leaves that unknown.
  private func noteFailedSync() {
    let isKnown = machine.withoutFaults {
      let ring = try? RingMapping.open(path: path + RingFormat.pathEnding, isWritable: false)
      return ring?.hasLogFailedSync ?? false
    }
    guard !isKnown else { return }
    recorded.takePromisesBack()
    recorded.isSyncUnknown = true
  }
}
