import Foundation
import LifecycleModel
import Testing
import TraceLog

/// The wall clock at the origin of a log: nanoseconds since 1970, wherever the log comes from.
@Suite struct WallOriginTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func origin(_ arguments: String...) throws -> Nanoseconds {
    let run = try CommandRun(arguments + ["-q", "-o", "log.bin"], in: scratch.url)
    #expect(run.status == 0, "\(run.errors)")
    defer { try? FileManager.default.removeItem(atPath: scratch.path("log.bin")) }
    return try #require(try LogReader(path: scratch.path("log.bin")).identity).originWall
  }

  private func sample(_ name: String) -> String {
    CommandRun.root.appendingPathComponent("samples/\(name)").path
  }

  @Test func aSimulationBeginsAtMidnight() throws {
    let log = try origin("simulate", sample("scenarios/leaked-task.yml"))
    #expect(log == 1_767_225_600_000_000_000)
  }

  /// Its first line is of 09:41:03.118204+0200.
  @Test func aCaptureBeginsWithItsFirstLineIfTheDayIsKnown() throws {
    let capture = sample("console/healthy-cycle.log")
    let dated = try origin("record", "--source", "console", "--date", "2026-11-21", capture)
    #expect(dated == 1_795_246_863_118_204_000)
    #expect(try origin("record", "--source", "console", capture) == 0)
  }

  @Test func notationKnowsNoWallClock() throws {
    let trace = try scratch.file("a.trace", "1s main note \"a\"\n")
    #expect(try origin("record", "--source", "trace", trace.path) == 0)
  }

  @Test func aReportBeginsWithTheLaunch() throws {
    let report = sample("reports/Notes-2026-11-21-173054.ips")
    let start = "select datetime((origin + ts) / 1000000000, 'unixepoch') as start from logs"
    let run = try CommandRun("query", report, start)
    #expect(run.output.contains("2026-11-21 16:30:31"), "\(run.output)")
  }
}
