import TestTime
import Testing

/// What was recorded is read, and nothing else, whatever a simulated machine does: `tools/simulate` runs
/// a million histories.
@Suite struct SimulationTests {
  static let histories = Nightly.count(270, all: 30_000, variable: "HISTORIES")

  @Test(.tags(.nightly)) func historiesByChanceKeepWhatWasPromised() throws {
    let run = try CommandRun(program: [CommandRun.built("simulation"), "\(Self.histories)", "1"])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasPrefix("\(Self.histories) histories"))
  }

  @Test(.tags(.nightly)) func readersBesideARecordingMissNothing() throws {
    let histories = "\(Self.histories)"
    let run = try CommandRun(
      program: [CommandRun.built("simulation"), "--readers", histories, "1"])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.hasPrefix("\(histories) histories of readers"))
  }

  @Test func everySingleFaultOfAShortRecordingIsSurvived() throws {
    let run = try CommandRun(program: [CommandRun.built("simulation"), "--all", "1"])
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.split(separator: "\n").count == 3, "\(run.output)")
  }

  /// Which of them the simulation notices, `tools/simulate --mutants` tells.
  @Test func eachMistakeHasItsPlaceInTheSources() throws {
    let run = try CommandRun(
      program: [CommandRun.built("simulation"), "--check-mutants"])
    #expect(run.status == 0, "\(run.output)")
    #expect(Int(run.output.dropLast()) ?? 0 >= 40, "\(run.output)")
  }
}
