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
  }

  /// How many kills; `KILLS` in the environment says otherwise.
  static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 200
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1

  @Test func nothingAcknowledgedIsLost() throws {
    var random = SeededGenerator(seed: Self.seed)
    var events = 0
    for kill in 0..<Self.kills {
      let victim = Victim.allCases[kill % 3]
      let threads = [1, 2, 8][Int.random(in: 0..<3, using: &random)]
      let milliseconds = UInt32.random(in: 3...40, using: &random)
      events += try storm(victim, threads, milliseconds, "kill \(kill), seed \(Self.seed)")
    }
    #expect(events > Self.kills)
    print("kill storm: \(Self.kills) kills, \(events) acknowledged events")
  }

  /// Runs the storm for a while, kills, and holds the log against what was acknowledged.
  private func storm(
    _ victim: Victim, _ threads: Int, _ milliseconds: UInt32, _ context: String
  ) throws -> Int {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let acknowledged = try scratch.file("acknowledged")
    let process = Process()
    process.executableURL = CommandRun.command
    let storm = CommandRun.command.deletingLastPathComponent().appendingPathComponent("storm")
    process.arguments = ["record", "-q", "-o", log, "--", storm.path, "\(threads)"]
    let output = try FileHandle(forWritingTo: acknowledged)
    try output.seekToEnd()
    process.standardOutput = output
    try process.run()
    let app = try firstWord(acknowledged)
    usleep(milliseconds * 1000)
    if victim != .app { kill(process.processIdentifier, SIGKILL) }
    if victim == .recorder { usleep(3000) }
    kill(app, SIGKILL)
    process.waitUntilExit()
    // An app whose parent is gone may stay in the table of processes when nobody asks for it.
    for _ in 0..<40 where kill(app, 0) == 0 { usleep(500) }
    return try check(log, try Data(contentsOf: acknowledged), context)
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
