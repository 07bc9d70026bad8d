import Foundation
import LifecycleModel
import Testing
import TraceLog
import TraceTestSupport

/// What an app was told is recorded is in the log, whoever is killed and when.
@Suite struct KillStormTests {
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
    /// Deaths between the beginning of a part and its taking over the path.
    var halfRotated = 0
    /// Rings whose lanes were written over at least once.
    var wrapped = 0
  }

  /// How many kills; `KILLS` in the environment says otherwise.
  static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 200
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1

  @Test func nothingAcknowledgedIsLost() throws {
    var random = SeededGenerator(seed: Self.seed)
    var tally = Tally()
    for kill in 0..<Self.kills {
      let victim = Victim.allCases[kill % 4]
      let threads = [1, 2, 8][Int.random(in: 0..<3, using: &random)]
      let milliseconds = UInt32.random(in: 3...40, using: &random)
      // Small rings wrap soon; small parts make every drain rotate.
      let options = [
        [], ["--ring-records", "4096"], ["--max-size", "16K"],
        ["--max-size", "16K", "--ring-records", "4096", "--sync", "none"],
      ][Int.random(in: 0..<4, using: &random)]
      try storm(
        victim, threads, milliseconds, options, isInMemory: kill % 8 >= 4, &tally,
        "kill \(kill), seed \(Self.seed)")
    }
    #expect(tally.events > Self.kills)
    if Self.kills >= 200 {
      #expect(tally.joined > Self.kills / 4 && tally.rotated > Self.kills / 10)
      #expect(tally.wrapped > Self.kills / 40)
    }
    print("kill storm: \(Self.kills) kills, \(tally)")
  }

  /// Runs the storm for a while, kills, and holds the log against what was acknowledged.
  private func storm(
    _ victim: Victim, _ threads: Int, _ milliseconds: UInt32, _ options: [String],
    isInMemory: Bool, _ tally: inout Tally, _ context: String
  ) throws {
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let scratch = try ScratchFolder(in: isInMemory && isThere ? memory : nil)
    let log = scratch.path("log.bin")
    let acknowledged = try scratch.file("acknowledged")
    let storm = CommandRun.command.deletingLastPathComponent().appendingPathComponent("storm")
    let output = try FileHandle(forWritingTo: acknowledged)
    try output.seekToEnd()
    let recorder = try run(
      ["record", "-q", "-o", log] + options + ["--", storm.path, "\(threads)"], output)
    let app = try firstWord(acknowledged)
    usleep(milliseconds * 1000)
    if victim != .app { kill(recorder.processIdentifier, SIGKILL) }
    var second: Process?
    if victim == .recorderThenApp {
      waitForEnd(of: recorder.processIdentifier)
      second = try run(["record", "-q", "--attach", log] + options.filter { !$0.isRing }, nil)
      usleep(milliseconds * 1000)
    }
    if victim == .recorder { usleep(3000) }
    kill(app, SIGKILL)
    recorder.waitUntilExit()
    second?.waitUntilExit()
    if let second { #expect(second.terminationStatus == 0, "\(context)") }
    // An app whose parent is gone may stay in the table of processes when nobody asks for it.
    for _ in 0..<40 where kill(app, 0) == 0 { usleep(500) }
    try look(scratch, &tally)
    tally.events += try check(log, try Data(contentsOf: acknowledged), context)
  }

  private func run(_ arguments: [String], _ output: FileHandle?) throws -> Process {
    let process = Process()
    process.executableURL = CommandRun.command
    process.arguments = arguments
    if let output { process.standardOutput = output }
    try process.run()
    return process
  }

  /// Waits until a killed process has given up its files; `Process` waits for its children, too.
  private func waitForEnd(of process: pid_t) {
    for _ in 0..<2000 {
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      guard let status, !status.contains(") Z") else { return }
      usleep(1000)
    }
  }

  private func look(_ scratch: ScratchFolder, _ tally: inout Tally) throws {
    let log = scratch.path("log.bin")
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    let summary = try LogSummary(path: log)
    if summary.isTorn { tally.torn += 1 }
    if summary.ringEvents > 0 { tally.joined += 1 }
    if files.contains("log.bin.1") { tally.rotated += 1 }
    if files.contains("log.bin.next") { tally.halfRotated += 1 }
    if summary.eventCount > 40_000 { tally.wrapped += 1 }
  }

  /// The app's number, which it says first.
  private func firstWord(_ file: URL) throws -> pid_t {
    for _ in 0..<5000 {
      let data = try Data(contentsOf: file)
      if data.count >= 16 {
        return pid_t(
          truncatingIfNeeded: data.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
          })
      }
      usleep(1000)
    }
    throw CocoaError(.fileReadUnknown)
  }

  private func check(_ log: String, _ acknowledged: Data, _ context: String) throws -> Int {
    var last: [UInt32: Int64] = [:]
    acknowledged.withUnsafeBytes { bytes in
      for place in stride(from: 16, to: bytes.count - 15, by: 16) {
        let thread = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        last[UInt32(thread)] = bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)
      }
    }
    var reader = try LogReader(path: log)
    let trace = try reader.readAll()
    var seen: [UInt32: Int64] = [:]
    var writers: [UInt32: String] = [:]
    var refused: [String: Int64] = [:]
    for event in trace.events {
      if let gap = Gap(event, in: trace.vocabulary) {
        refused[gap.writer ?? "", default: 0] += gap.count ?? 0
        #expect(gap.cause == GapCause.ringFull.rawValue, "\(context)")
      } else if event.verb == .work || event.verb == .workBegin {
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
    for event in trace.events where event.verb == .work || event.verb == .workBegin {
      let number = next[event.subjectNumber, default: 0] + 1
      next[event.subjectNumber] = number
      #expect(event.hasValue ? event.rawValue == number : number % 7 == 0, "\(context)")
    }
  }
}

extension String {
  /// Whether it is an option of the ring, or its value.
  fileprivate var isRing: Bool { self == "--ring-records" || self == "4096" }
}
