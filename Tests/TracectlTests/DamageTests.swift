import Foundation
import TestTime
import Testing

/// Small logs that are damaged, a sample of what `tools/damage` tries; see the program `damage`.
@Suite struct DamageTests {
  /// One in so many cases, and another sample each night.
  private static let share = Nightly.count(6000, all: 600, variable: "DAMAGE")

  @Test func noDamageMakesWrongEventsOrIsKeptSilent() throws {
    let seed = Nightly.isOn ? Int.random(in: 1...1_000_000) : 1
    print("seed \(seed)")
    let run = try CommandRun(
      program: [CommandRun.built("damage"), "all", "\(Self.share)", "\(seed)", "1"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 0, "seed \(seed)\n\(run.output)\(run.errors)")

    let total = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("| all ") })
    let cells = total.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells.suffix(3) == ["0", "0", "0"], "\(total)")
    #expect((cells.dropLast(5).last.flatMap { Int($0) } ?? 0) > 100, "\(total)")
  }
}
