import Foundation
import Testing

/// The sample app, in real time: clean as it is, and found out with each of its bugs.
@Suite struct NotesTests {
  private func report(_ bug: String) throws -> (status: Int32, found: [String], text: String) {
    let scratch = try ScratchFolder()
    let log = scratch.path("log.bin")
    let notes = CommandRun.built("Notes")
    let run = try CommandRun(
      "record", "-o", log, "-q", "--", "/usr/bin/env", "NOTES_BUGS=\(bug)", notes)
    let text = try CommandRun("analyze", "--fail-on", "never", log).output
    let found = text.split(separator: "\n").filter {
      $0.hasPrefix("error ") || $0.hasPrefix("warning ")
    }
    return (run.status, found.map { String($0.split(separator: " ")[1]) }, text)
  }

  @Test func asItIsItIsClean() throws {
    let report = try report("none")
    #expect(report.status == 0 && report.found == [], "\(report.text)")
  }

  @Test(arguments: [
    ("timer", "work-timer-while-inactive", Int32(0)), ("gpu", "work-gpu-in-background", 0),
    ("late-save", "data-not-only-on-lifecycle", 0),
    ("lock", "lock-at-suspend", 137), ("slow", "budget-did-enter-background", 137),
  ])
  func eachBugIsFound(bug: String, rule: String, status: Int32) throws {
    let report = try report(bug)
    #expect(report.status == status)
    #expect(report.found.contains { $0.hasPrefix(rule) }, "\(report.text)")
  }
}
