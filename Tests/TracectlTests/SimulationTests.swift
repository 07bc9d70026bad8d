import Foundation
import TestTime
import Testing
import Traces

/// What was recorded is read, and nothing else, whatever a simulated machine does, and whatever damages a log:
/// `tools/simulate` runs a million histories.
@Suite struct SimulationTests {
  static let histories = Nightly.count(270, all: 30_000, variable: "HISTORIES")
  private static let damages = Nightly.count(200, all: 2000, variable: "DAMAGES")
  /// Another one each night.
  private static let seed = Nightly.isOn ? UInt64.random(in: 1...1_000_000) : 1

  private func simulate(_ arguments: String..., in folder: URL = CommandRun.root) throws -> String {
    let run = try CommandRun(
      program: [CommandRun.built("simulation")] + arguments, in: folder,
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 0, "\(arguments)\n\(run.output)\(run.errors)")
    return run.output
  }

  @Test(.tags(.nightly)) func historiesByChanceKeepWhatWasPromised() throws {
    let output = try simulate("\(Self.histories)", "1")
    #expect(output.hasPrefix("\(Self.histories) histories"))
  }

  @Test(.tags(.nightly)) func readersBesideARecordingMissNothing() throws {
    let output = try simulate("--readers", "\(Self.histories)", "1")
    #expect(output.hasPrefix("\(Self.histories) histories of readers"))
  }

  @Test func everySingleFaultOfAShortRecordingIsSurvived() throws {
    let output = try simulate("--all", "1")
    #expect(output.split(separator: "\n").count == 3, "\(output)")
  }

  @Test(.tags(.nightly)) func noDamageMakesWrongEventsOrIsKeptSilent() throws {
    let output = try simulate("--damage", "\(Self.damages)", "\(Self.seed)")
    #expect(output.hasPrefix("\(Self.damages) damages of 36 logs"))
  }

  /// The statuses that each command may end with, as `tracectl --help` says them.
  private static let statuses: [(words: [String], allowed: Set<Int32>)] = [
    (["verify", "log.bin"], [0, 1, 3]), (["analyze", "log.bin"], [0, 1, 3]),
    (["analyze", "--strict", "log.bin"], [0, 1, 3, 4]), (["dump", "log.bin"], [0, 3]),
    (["copy", "log.bin", "-o", "copy.bin"], [0, 3]),
    (["report", "log.bin", "-o", "report.html"], [0, 3]),
  ]

  /// Commands end as they promise, and `analyze` says something of a log that `verify` does not call whole.
  @Test(.tags(.nightly), arguments: Array(stride(from: 0, to: 36, by: Nightly.count(8, all: 1))))
  func commandsTellThatALogIsDamaged(log: Int) throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(log))
    let number = Int.random(in: 0..<1_000_000, using: &random)
    let scratch = try ScratchFolder()
    let damage = try simulate("--damage-log", "\(log)", "\(number)", in: scratch.url)
    let told = ["damaged", "missing", "lost", "torn", "middle of a block", "ring", "removed"]
    var verdict: Int32?
    for (words, allowed) in Self.statuses {
      let run = try CommandRun(words, in: scratch.url)
      #expect(allowed.contains(run.status), "\(words) of \(log) \(number): \(damage)")
      if words[0] == "verify" { verdict = run.status }
      guard words.count == 2, words[0] == "analyze", verdict == 1, damage.contains("is told") else {
        continue
      }
      let text = run.output + run.errors
      #expect(told.contains { text.contains($0) }, "\(log) \(number): \(damage)")
    }
  }

  /// Which of them the simulation notices, `tools/simulate --mutants` tells.
  @Test func eachMistakeHasItsPlaceInTheSources() throws {
    let output = try simulate("--check-mutants")
    #expect(Int(output.dropLast()) ?? 0 >= 40, "\(output)")
  }
}
