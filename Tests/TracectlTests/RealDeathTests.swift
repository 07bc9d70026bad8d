import Foundation
import Testing

/// The story of a death as a system's console told it, which lies beside the package and not in it.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: RealDeath.story.path),
    "SKIPPED: the story of a real death is not there: ../shared/data/termination"))
struct RealDeathTests {
  /// The verdict on the last death, and the report that begins with it.
  private func analyze() throws -> (verdict: [String: Any], report: String) {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let recorded = try CommandRun(
      "record", "--source", "console", "-o", log, "-q", input: try RealDeath.capture())
    #expect(recorded.status == 0, "\(recorded.errors)")

    let json = try CommandRun("analyze", "--format", "json", "--fail-on", "never", log)
    let report = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
    let verdicts = (report as? [String: Any])?["verdicts"] as? [[String: Any]]
    return (
      try #require(verdicts?.last),
      try CommandRun("analyze", "-v", "--fail-on", "never", log).output
    )
  }

  @Test func leakedBackgroundWorkIsToldForWhatItIs() throws {
    let (verdict, report) = try analyze()
    #expect(verdict["manner"] as? String == "kill")
    #expect(verdict["exitReason"] as? String == "backgroundTaskAssertionTimeout")
    #expect(verdict["normal"] as? Bool == false)
    #expect(verdict["audience"] as? String == "not-visible")
    #expect(report.contains(": The system killed the app: "))

    let text = try #require(verdict["text"] as? String)
    #expect(text.contains("the app held background tasks beyond their time limit"))
    #expect(
      report.hasPrefix(
        "2 processes ended: 2 × killed: the app held background tasks beyond their time limit"))
  }
}

/// The story, when it is there.
private enum RealDeath {
  static let story = CommandRun.root.deletingLastPathComponent()
    .appendingPathComponent("shared/data/termination/leaked-background-work.txt")

  /// The story's lines, `time process message`, as a device's syslog prints them; the bundle's name
  /// was taken out of them and stands here again.
  static func capture() throws -> String {
    let text = try String(contentsOf: story, encoding: .utf8)
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return lines.map { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let message = parts[2].replacing("<bundle>", with: "com.example.BackgroundDemo")
      return "Mar  1 \(parts[0]) iPhone \(parts[1])[33] <Notice>: \(message)\n"
    }.joined()
  }
}
