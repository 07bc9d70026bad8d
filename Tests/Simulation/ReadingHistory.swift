import LifecycleModel
import TraceLog
import TraceRecorder
import Traces

/// A history of readers beside a recording that goes on: between any two of their calls of the machine the
/// recorder states facts, writes blocks, rotates the log, ends and is started again.
///
/// No power is lost and nobody is killed, so a reader gets all that was stated before it began, and tells no
/// loss.
final class ReadingHistory {
  private let machine: SimulatedMachine
  private let turns: Turns
  private var random: SeededGenerator
  private let path = SimulatedMachine.path("flight.bin")
  private let vocabulary = Vocabulary()
  private let options: Drain.Options
  private var recording: DrivenRecording?
  /// What each thread has stated, in order, as text.
  private var stated: [String: [String]] = [:]
  private static let threads = ["main", "w-2"]

  init(_ machine: SimulatedMachine, seed: UInt64) {
    self.machine = machine
    random = SeededGenerator(seed: seed)
    turns = Turns(seed: random.next())
    var options = Drain.Options()
    (options.threads, options.recordsPerThread, options.wordBytes) = (2, 1024, 32 << 10)
    (options.sync, options.drainMilliseconds) = (.none, 60)
    let partBytes = [300, 1000, 4000].randomElement(using: &random)
    options.limits = LogLimits(maxPartBytes: partBytes, keptBytes: random.oneIn(3) ? 6000 : nil)
    self.options = options
  }

  /// Reads, verifies and follows the log while it is recorded, and once behind its end.
  func run() throws {
    try begin()
    machine.turns = turns
    defer { machine.turns = nil }
    let following = Following(path)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      for _ in 0..<Int.random(in: 0...6, using: &random) { try step() }
      let before = stated
      let path = path
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let unfinished = LogDamage.Kind.tornTail.said.words
        let problems = try beside { try VerifyReport(path: path).problems }
        // The end of a block that is being written.
        if let problem = problems.first(where: { $0.what != unfinished }) {
          throw Violation("verify tells: \(problem)")
        }
      case 1:
        try beside { try following.look() }
      default:
        try check(beside { try ReadLog(path: path) }, since: before)
      }
    }

    try step(.end)
    try check(ReadLog(path: path), since: stated)
    try following.look()
    try check(following)
  }

  /// Does some steps while `body` runs on another thread; returns what that gives.
  private func beside<Value>(_ body: @escaping () throws -> Value) throws -> Value {
    try turns.run(
      { for _ in 0..<Int.random(in: 1...12, using: &random) { try step() } }, beside: body)
  }

  // MARK: The recorder

  private enum Step { case facts, drain, end }

  private func begin() throws {
    Simulation.tell("begin")
    recording = try DrivenRecording(log: path, options: options, clock: machine.clock)
  }

  private func step() throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try step(.end)
    case 1..<6: try step(.drain)
    default: try step(.facts)
    }
  }

  private func step(_ step: Step) throws {
    if recording == nil { try begin() }
    guard let recording else { return }
    Simulation.tell("\(step)")
    switch step {
    case .facts: try state(recording)
    case .drain:
      machine.advance(by: 60_000_000)
      recording.drain.drain()
    case .end:
      try recording.drain.finish()
      self.recording = nil
    }
  }

  private func state(_ recording: DrivenRecording) throws {
    let thread = ReadingHistory.threads.randomElement(using: &random) ?? "main"
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      machine.advance(by: 1000)
      let number = UInt32((stated[thread]?.count ?? 0) + 1)
      let label = random.oneIn(3) ? "word \(number) of \(thread)" : "labelled"
      let isStated = recording.asThread(thread) {
        recording.recorder.work(.timer, .task(number), label: label)
      }
      guard isStated else { throw Violation("the ring has no lane for \(thread)") }
      let event = Event(
        instant: .origin, writer: .main, verb: .work,
        name: vocabulary.symbol(WorkCategory.timer.rawValue), subject: .task(number),
        label: vocabulary.symbol(label))
      stated[thread, default: []].append(ReadLog.text(of: event, vocabulary))
    }
  }

  // MARK: Checks

  /// Holds what a reader got against what was stated when it began, and by now.
  private func check(_ log: ReadLog, since before: [String: [String]]) throws {
    if let gap = log.gaps.first(where: { !isOfLimits($0) }) {
      throw Violation("a gap \(gap), and nothing is lost: \(log)")
    }
    if let event = log.tooLate { throw Violation("\(event) is behind a later event: \(log)") }
    if let damage = log.damages.first(where: { $0.kind != .tornTail }) {
      throw Violation("\(damage), and nothing is damaged: \(log)")
    }

    for thread in ReadingHistory.threads {
      let items = log.items.filter { $0.writer == thread && $0.text != nil }
      try check(thread, items.map { ($0.first, $0.text ?? "") }, "\(log)")
      let least = before[thread]?.count ?? 0
      let last = items.last.map(\.last) ?? log.firstKept[thread].map { $0 - 1 } ?? 0
      guard last >= least else {
        throw Violation("\(thread) is read to \(last) of \(least) facts: \(log)")
      }
    }
  }

  /// Holds what a follower was handed against all that was stated: each fact is handed over once.
  private func check(_ following: Following) throws {
    if let gap = following.gaps.first(where: { !isOfLimits($0) }) {
      throw Violation("the follower tells a gap \(gap), and nothing is lost")
    }
    for thread in ReadingHistory.threads {
      let events = following.events[thread] ?? []
      try check(thread, events, "the follower")
      guard events.count == stated[thread]?.count ?? 0 || options.limits.keptBytes != nil else {
        throw Violation("the follower has \(events.count) of \(stated[thread] ?? []) of \(thread)")
      }
    }
  }

  /// Whether a gap tells what the log's limits removed.
  private func isOfLimits(_ gap: Gap) -> Bool {
    options.limits.keptBytes != nil && gap.cause == GapCause.rotated.rawValue
  }

  /// Holds the facts of a thread against what was stated; those that the limits removed may be missing.
  private func check(
    _ thread: String, _ events: [(sequence: UInt64, text: String)], _ told: String
  ) throws {
    let all = stated[thread] ?? []
    var next: UInt64?
    for (sequence, text) in events {
      let mayBeRemoved = options.limits.keptBytes != nil && sequence > next ?? 1
      guard sequence == next ?? 1 || mayBeRemoved else {
        throw Violation("\(thread) goes on with \(sequence), not \(next ?? 1): \(told)")
      }
      guard all.indices.contains(Int(sequence) - 1), all[Int(sequence) - 1] == text else {
        throw Violation("\(thread) \(sequence) reads \(text), stated was \(all): \(told)")
      }
      next = sequence + 1
    }
  }
}

/// What a follower of a log was handed over so far.
private final class Following {
  private let path: String
  private var follower: LogFollower?
  private(set) var events: [String: [(sequence: UInt64, text: String)]] = [:]
  private(set) var gaps: [Gap] = []

  init(_ path: String) { self.path = path }

  func look() throws {
    var follower = try follower ?? LogFollower(path: path)
    let vocabulary = follower.vocabulary
    _ = try follower.look { batch in
      for event in batch {
        if let gap = Gap(event, in: vocabulary) {
          gaps.append(gap)
        } else {
          let fact = (event.sequence, ReadLog.text(of: event, vocabulary))
          events[vocabulary.name(of: event.writer), default: []].append(fact)
        }
      }
    }
    self.follower = follower
  }
}
