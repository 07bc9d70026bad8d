import Foundation
import TestTime
import Testing
import Traces

/// A recorder that is not given the processor loses events, and makes no healthy app look ill.
@Suite struct StalledRecorderTests {
  /// How many recordings.
  static let stalls = Nightly.count(6, all: 101, variable: "STALLS")
  static let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1

  /// One recording, and for how long its recorder stands still.
  private struct Plan: CustomStringConvertible {
    var number: Int
    var threads: Int
    var isSmall: Bool
    var before: UInt32
    var stall: UInt32

    init(_ number: Int, using random: inout SeededGenerator) {
      self.number = number
      threads = [1, 2, 8][number % 3]
      isSmall = number % 2 == 0
      before = UInt32.random(in: 20...150, using: &random)
      // A short run of the suite looks at short stalls.
      let longest: UInt32 = StalledRecorderTests.stalls > 100 ? 2000 : 400
      stall = UInt32.random(in: (longest / 4)...longest, using: &random)
    }

    var description: String {
      "recording \(number), seed \(StalledRecorderTests.seed): \(threads) threads, "
        + "\(isSmall ? "64 records" : "the default ring"), \(stall) ms"
    }
  }

  @Test(.tags(.nightly)) func nothingIsFoundInAHealthyApp() throws {
    var random = SeededGenerator(seed: Self.seed)
    let plans = (0..<Self.stalls).map { Plan($0, using: &random) }
    var lossy = 0
    for plan in plans where try stall(plan) { lossy += 1 }
    #expect(lossy > 0, "no recording lost anything")
    print("stalled recorder: \(Self.stalls) recordings, \(lossy) with losses")
  }

  /// Returns whether events were lost.
  private func stall(_ plan: Plan) throws -> Bool {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let program = StartedProgram(
      [CommandRun.command.path, "record", "-q", "-o", log]
        + (plan.isSmall ? ["--ring-size", "records=64"] : [])
        + [
          "--", CommandRun.built("lively"), "\(plan.threads)", "\(plan.before + plan.stall + 100)",
        ])
    let recorder = program.process
    try program.start()
    letTimePass(milliseconds: Double(plan.before))
    kill(recorder.processIdentifier, SIGSTOP)
    letTimePass(milliseconds: Double(plan.stall))
    kill(recorder.processIdentifier, SIGCONT)
    #expect(program.waitForEnd() == 0, "\(plan)")

    let verified = try CommandRun("verify", log)
    #expect(verified.output.hasSuffix(", whole\n"), "\(plan): \(verified.output)")
    let trace = try CommandRun("dump", log).output
    #expect(try CommandRun("dump", log).output == trace, "\(plan)")
    let report = try CommandRun("analyze", log, "--format", "json").output
    let found = Set(
      report.split(separator: "\n").filter { $0.contains("\"rule\" : ") }
        .compactMap { $0.split(separator: "\"").dropFirst(3).first.map(String.init) })
    #expect(found.isSubset(of: ["lost-events"]), "\(plan): \(found)")
    let isLossy = trace.contains(" gap ")
    #expect(found.contains("lost-events") == isLossy, "\(plan)")
    return isLossy
  }
}
