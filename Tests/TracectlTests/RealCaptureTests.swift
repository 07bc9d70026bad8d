import Foundation
import Testing

/// The whole way from real devices' captures, which lie beside the package and not in it.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: RealCaptures.folder.path),
    "SKIPPED: the captures of real devices are not there: ../shared/data/console"))
struct RealCaptureTests {
  /// The report's findings, and its story.
  private func analyze(_ name: String) throws -> (rules: [String], story: [String], end: [String]) {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let capture = RealCaptures.folder.appendingPathComponent(name).path
    let app = name == "launch-with-system.log" ? ["--app", "MobileJarvisNative"] : []
    let recorded = try CommandRun(["record", "--source", "console", "-o", log, capture] + app)
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(try CommandRun("verify", log).status == 0)

    let json = try CommandRun("analyze", "--format", "json", "--fail-on", "never", log)
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    let object = try #require(report as? [String: Any])
    let findings = try #require(object["findings"] as? [[String: Any]])
    let one = try #require(object["log"] as? [String: Any])
    let milestones = try #require(one["milestones"] as? [[String: Any]])
    let end = try #require((one["end"] as? [String: Any])?["open"] as? [[String: Any]])
    return (
      findings.compactMap { $0["rule"] as? String },
      milestones.compactMap { ($0["state"] ?? $0["kind"]) as? String },
      end.compactMap { ($0["event"] as? [String: Any])?["label"] as? String }
    )
  }

  @Test func aCycleThroughTheBackgroundIsTold() throws {
    let report = try analyze("background-cycle.log")
    #expect(
      report.story == [
        "gap", "inactive", "note", "background", "snapshot", "snapshot", "inactive", "active",
      ])
    // The capture begins in mid-life, and says nothing else against the app.
    #expect(report.rules == ["lost-events"])
  }

  @Test func aSlowLaunchIsTold() throws {
    let report = try analyze("slow-launch.log")
    #expect(report.story == ["process", "inactive", "active", "inactive", "active"])
    #expect(report.rules == [])
  }

  @Test func droppedLinesABounceAndFourOpenTasksAreTold() throws {
    let report = try analyze("disconnect-with-open-tasks.log")
    #expect(
      report.story == [
        "process", "inactive", "gap", "gap", "active", "inactive", "active", "inactive", "note",
        "background", "scene-disconnected",
      ])
    #expect(report.rules == ["lost-events", "lost-events"])
    #expect(report.end.count == 4)
  }

  @Test func aLaunchAsTheSystemSeesItIsTold() throws {
    let report = try analyze("launch-with-system.log")
    #expect(report.story == ["process", "inactive", "active"])
    #expect(report.rules == [])
  }
}

/// Where the captures are, when they are there.
private enum RealCaptures {
  static let folder = CommandRun.root.deletingLastPathComponent()
    .appendingPathComponent("shared/data/console")
}
