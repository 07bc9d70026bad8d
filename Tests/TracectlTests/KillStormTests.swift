import Foundation
import TestTime
import Testing

/// Wherever a recorder or an app is killed, what was acknowledged is there, and the next process goes on: a
/// sample of what `tools/kill-storm` does; see the program `kill-storm`.
@Suite struct KillStormTests {
  /// How many kills, and other ones each night.
  private static let kills = Nightly.count(60, all: 2000, variable: "KILLS")

  @Test(.tags(.nightly)) func nothingIsLostWhereverAProcessIsKilled() throws {
    let seed = Nightly.isOn ? Int.random(in: 1...1_000_000) : 1
    let run = try CommandRun(
      program: [CommandRun.built("kill-storm"), "all", "\(Self.kills)", "\(seed)", "2"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    guard run.status != 2 else {
      #expect(run.output.hasPrefix("SKIPPED: no process can be steered here: "), "\(run.errors)")
      return print("\n*** KillStormTests: \(run.output)")
    }

    #expect(run.status == 0, "seed \(seed)\n\(run.output)\(run.errors)")
    let sums = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("== ") })
    #expect(sums.contains(" lost: 0, false findings: 0,"), "\(sums)")
    #expect(sums.contains("kills: \(Self.kills)") || sums.contains("kills: \(Self.kills + 1)"))
    print("seed \(seed)\n\(sums)")
  }
}
