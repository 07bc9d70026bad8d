import Foundation
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceLog
import Traces

/// What an app of many threads was told is recorded is in the log, whoever is killed: at any instant, or in a
/// call of the system that strace chooses.
///
/// These are real processes; `SimulationTests` go through all calls and all failures.
@Suite struct RealKillTests {
  /// Who is killed.
  enum Victim: CaseIterable {
    case app, recorder, both
    /// The recorder, and later the app, when another recorder has taken the log up.
    case recorderThenApp
  }

  /// What happened in a storm, so that a quiet one is noticed.
  private struct Tally {
    var events = 0
    /// Logs that ended inside of a block, that had events in the ring alone, and that had parts.
    var torn = 0
    var joined = 0
    var rotated = 0
    /// Rings whose lanes were written over at least once.
    var wrapped = 0
  }

  /// How many kills.
  static let kills = Nightly.count(20, all: 200, variable: "RANDOM_KILLS")
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1

  /// One kill: who dies, after how many acknowledged facts of how many threads, and how it is recorded.
  private struct Plan: CustomStringConvertible {
    var number: Int
    var victim: Victim
    var threads: Int
    var facts: Int
    /// Small rings wrap soon; small parts make every drain rotate.
    var options: [String]

    /// Whether the app lives until its ring has wrapped and its log has parts, whatever the timing.
    var isLong: Bool { number % 20 == 0 || number % 20 == 3 }

    init(_ number: Int, using random: inout SeededGenerator) {
      self.number = number
      victim = Victim.allCases[number % 4]
      threads = [1, 2, 8][Int.random(in: 0..<3, using: &random)]
      facts = Int.random(in: 500...30_000, using: &random)
      options =
        [
          [], ["--ring-size", "records=4096"], ["--max-size", "16K"],
          ["--max-size", "16K", "--ring-size", "records=4096", "--sync", "none"],
        ][Int.random(in: 0..<4, using: &random)]

      if isLong {
        victim = number % 20 == 0 ? .app : .recorderThenApp
        options = ["--max-size", "16K", "--ring-size", "records=4096"]
      }
    }

    var ringRecords: UInt64 { options.contains("4096") ? 4096 : 1 << 15 }
    var isInMemory: Bool { number % 8 >= 4 }

    var description: String {
      "kill \(number) of \(victim), seed \(RealKillTests.seed), \(threads) threads, \(options)"
    }
  }

  @Test(.tags(.nightly)) func nothingAcknowledgedIsLost() throws {
    var random = SeededGenerator(seed: Self.seed)
    var tally = Tally()
    let plans = (0..<Self.kills).map { Plan($0, using: &random) }
    for plan in plans { try storm(plan, &tally) }
    let long = plans.count { $0.isLong }
    #expect(tally.events > Self.kills)
    #expect(tally.wrapped >= long && tally.rotated >= long, "\(long) long of \(tally)")
    if Self.kills >= 200 { #expect(tally.joined > Self.kills / 10, "\(tally)") }
    print("random kills: \(Self.kills), \(tally)")
  }

  /// Runs the storm for a while, kills, and holds the log against what was acknowledged.
  private func storm(_ plan: Plan, _ tally: inout Tally) throws {
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let scratch = try ScratchFolder(in: plan.isInMemory && isThere ? memory : nil)
    let log = scratch.path("log.bin")
    let acknowledged = try scratch.file("acknowledged")
    let output = try FileHandle(forWritingTo: acknowledged)

    let recorder = try record(
      ["-o", log] + plan.options + ["--", Self.storm, "\(plan.threads)"], output)
    let app = try firstWord(acknowledged)
    defer { kill(app, SIGKILL) }
    try wait(for: plan.facts, acknowledged)
    if plan.victim != .app { kill(recorder.process.processIdentifier, SIGKILL) }
    var second: StartedProgram?

    if plan.victim == .recorderThenApp {
      try waitForEnd(of: recorder.process.processIdentifier)
      let options = plan.options.filter { !$0.isRing }
      second = try record(["--attach", log] + options)
      try wait(for: 2 * plan.facts, acknowledged)
    }

    if plan.isLong {
      try TestTime.wait("a wrapped ring and a second part") {
        isWrapped(log, plan) && isRotated(log)
      }
    }

    // The app goes on after its recorder has died.
    if plan.victim == .recorder { try wait(for: plan.facts + 500, acknowledged) }
    kill(app, SIGKILL)
    _ = recorder.waitForEnd()
    if let second { #expect(second.waitForEnd() == 0, "\(plan)") }
    try waitForEnd(of: app)
    try look(log, plan, &tally)
    tally.events += try check(log, try Data(contentsOf: acknowledged), "\(plan)")
  }

  // MARK: In a call

  /// A call of the system before which a process is killed, when a thread makes it for the so manieth time.
  struct Call: CustomTestStringConvertible {
    let name: String
    let number: Int

    var testDescription: String { "\(name) \(number)" }

    /// strace, which kills what it runs there; of an app all threads are looked at.
    func words(followsThreads: Bool) -> [String] {
      ["strace"] + (followsThreads ? ["-f"] : [])
        + ["-o", "/dev/null", "-e", "trace=\(name)"]
        + ["-e", "inject=\(name):signal=KILL:when=\(number)"]
    }

    /// Of each name so many; which of some names there are differs between machines.
    static func all(_ names: [String], from first: Int = 1) -> [Call] {
      names.flatMap { name in
        (first...first + Nightly.count(1, all: 8)).map { Call(name: name, number: $0) }
      }
    }
  }

  private static let canBeTraced: ConditionTrait = .enabled(
    if: CommandRun.machineHas("strace")
      && (try? CommandRun(program: ["strace", "-o", "/dev/null", "true"]))?.status == 0,
    "SKIPPED: there is no strace that can kill in a call")

  /// A recorder is killed where it syncs, writes or begins a part, and the next one, too; a third one ends the
  /// log with its app.
  @Test(
    canBeTraced, .tags(.nightly),
    arguments: Call.all(["msync", "fsync", "flock", "write"], from: 2))
  func nothingIsLostWhenRecordersAreKilledInACall(call: Call) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let acknowledged = try scratch.file("acknowledged")
    let limits = ["--max-age", "1ms", "--sync", "20ms"]
    let recorder = try record(
      ["-o", log, "--ring-size", "records=4096"] + limits + ["--", Self.storm, "2"],
      FileHandle(forWritingTo: acknowledged), killedIn: call)
    let app = try firstWord(acknowledged)
    defer { kill(app, SIGKILL) }
    try waitForEnd(of: recorder.process.processIdentifier)
    let second = try record(["--attach", log] + limits, killedIn: call)
    try waitForEnd(of: second.process.processIdentifier)

    let last = try record(["--attach", log] + limits)
    try wait(for: facts(acknowledged) + 500, acknowledged)
    kill(app, SIGKILL)
    #expect(last.waitForEnd() == 0)
    _ = try check(log, Data(contentsOf: acknowledged), "\(call)")
    #expect(try VerifyReport(path: log).isWhole)
    try checkFindings(log)
  }

  /// An app with a log of its own is killed where that is made, synced, rotated or taken up; started again, in
  /// the same call, if it makes it; and once more, at some instant.
  @Test(
    canBeTraced, .tags(.nightly),
    arguments: Call.all([
      "fallocate", "msync", "fsync", "/^ftruncate", "/^unlink", "flock",
    ]))
  func nothingIsLostWhenAnAppIsKilledInACallOfItsRecorder(call: Call) throws {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let acknowledged = try scratch.file("acknowledged")
    let output = try FileHandle(forWritingTo: acknowledged)
    for launch in 0..<3 {
      let before = facts(acknowledged)
      let app = StartedProgram(
        (launch < 2 ? call.words(followsThreads: true) : [])
          + [Self.storm, "2", "\(100 * launch)", log])
      app.process.standardOutput = output
      try app.start()
      try TestTime.wait("a killed app, or many facts") {
        !app.process.isRunning || facts(acknowledged) > before + 10_000
      }
      if app.process.isRunning { try kill(#require(processes(acknowledged).last), SIGKILL) }
      #expect(app.waitForEnd() == 128 + SIGKILL)
    }
    _ = try check(log, Data(contentsOf: acknowledged), "\(call)")
    try checkFindings(log)
  }

  /// Nothing is found in a healthy app but that it is gone, and what its ring refused.
  private func checkFindings(_ log: String) throws {
    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    var analyzer = RuleProgram.catalogue.analyzer(trace.vocabulary)
    analyzer.observe(trace.events)
    let found = Set(analyzer.finish().allFindings.map { $0.rule })
    #expect(found.isSubset(of: ["death", "lost-events"]))
  }

  // MARK: Processes

  private static let storm = CommandRun.built("storm")

  private func record(
    _ arguments: [String], _ output: FileHandle? = nil, killedIn call: Call? = nil
  ) throws -> StartedProgram {
    let program = StartedProgram(
      (call?.words(followsThreads: false) ?? []) + [CommandRun.command.path, "record", "-q"]
        + arguments)
    if let output { program.process.standardOutput = output }
    try program.start()
    return program
  }

  /// How many facts are acknowledged, with the number of each process.
  private func facts(_ acknowledged: URL) -> Int {
    var status = stat()
    return stat(acknowledged.path, &status) == 0 ? Int(status.st_size) / 16 : 0
  }

  private func wait(for count: Int, _ acknowledged: URL) throws {
    try TestTime.wait("\(count) facts") { facts(acknowledged) >= count }
  }

  /// Waits until a killed process has given up its files; `Process` waits for its children, too.
  ///
  /// An app whose parent is gone may stay in the table of processes when nobody asks for it.
  private func waitForEnd(of process: pid_t) throws {
    try TestTime.wait("the end of process \(process)") {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return status?.contains(") Z") ?? true
    }
  }

  /// The app's number, which it says first.
  private func firstWord(_ acknowledged: URL) throws -> pid_t {
    try wait(for: 1, acknowledged)
    return try #require(processes(acknowledged).first)
  }

  /// The apps that have begun, one after the other.
  private func processes(_ acknowledged: URL) throws -> [pid_t] {
    try words(Data(contentsOf: acknowledged)).filter { $0.thread == .max }
      .map { pid_t(truncatingIfNeeded: $0.number) }
  }

  /// What was acknowledged: of each thread the number of its last fact, of no thread a process.
  private func words(_ acknowledged: Data) -> [(thread: UInt32, number: Int64)] {
    acknowledged.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 15, by: 16).map { place in
        let thread = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let number = bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)
        return (UInt32(truncatingIfNeeded: thread), number)
      }
    }
  }

  private func look(_ log: String, _ plan: Plan, _ tally: inout Tally) throws {
    let summary = try LogSummary(path: log)
    if summary.isTorn { tally.torn += 1 }
    if summary.ringEvents > 0 { tally.joined += 1 }
    if isRotated(log) { tally.rotated += 1 }
    if isWrapped(log, plan) { tally.wrapped += 1 }
  }

  private func isRotated(_ log: String) -> Bool {
    FileManager.default.fileExists(atPath: log + ".2")
  }

  /// Also of a log that is being written, between whose parts there may be none to read.
  private func isWrapped(_ log: String, _ plan: Plan) -> Bool {
    let writers = (try? LogSummary(path: log))?.writers ?? []
    return writers.contains { $0.last > plan.ringRecords }
  }

  private func check(_ log: String, _ acknowledged: Data, _ context: String) throws -> Int {
    var last: [UInt32: Int64] = [:]
    for (thread, number) in words(acknowledged) where thread != .max { last[thread] = number }

    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    var seen: [UInt32: Int64] = [:]
    var writers: [UInt32: String] = [:]
    var refused: [String: Int64] = [:]

    for event in trace.events {
      if let gap = Gap(event, in: trace.vocabulary) {
        refused[gap.writer ?? "", default: 0] += gap.count ?? 0
        #expect(gap.cause == GapCause.ringFull.rawValue, "\(context)")
      } else if event.verb == .work {
        seen[event.subjectNumber, default: 0] += 1
        writers[event.subjectNumber] = trace.vocabulary.name(of: event.writer)
      }
    }

    // Refused events were never recorded; they are told, and counted here with those of their thread.
    for (thread, number) in last {
      let told = refused[writers[thread] ?? "none", default: 0]
      #expect(seen[thread, default: 0] + told >= number, "\(context): thread \(thread)")
    }

    if refused.isEmpty { checkOrder(trace, context) }
    return last.values.reduce(0) { $0 + Int($1) }
  }

  /// Each thread's values rise by one, but for the events that carry none.
  private func checkOrder(_ trace: Trace, _ context: String) {
    var next: [UInt32: Int64] = [:]
    for event in trace.events where event.verb == .work {
      let number = next[event.subjectNumber, default: 0] + 1
      next[event.subjectNumber] = number
      #expect(event.hasValue ? event.rawValue == number : number % 7 == 0, "\(context)")
    }
  }
}

extension String {
  /// Whether it is an option of the ring, or its value.
  fileprivate var isRing: Bool { self == "--ring-size" || self == "records=4096" }
}
