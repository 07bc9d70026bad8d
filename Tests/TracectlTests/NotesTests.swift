import Foundation
import Testing

/// The sample app, in real time: clean as it is, and found out with each of its bugs.
@Suite struct NotesTests {
  private static let bugs: [(name: String, rule: String?, status: Int32)] = [
    ("none", nil, 0),
    ("timer", "work-timer-while-inactive", 0), ("gpu", "work-gpu-in-background", 0),
    ("late-save", "data-not-only-on-lifecycle", 0),
    ("lock", "lock-at-suspend", 137), ("slow", "budget-did-enter-background", 137),
  ]

  @Test func eachBugIsFoundAndNothingWithout() throws {
    let scratch = try ScratchFolder()
    let runs = try CommandRun.together(
      Self.bugs.map { bug in
        let app = ["/usr/bin/env", "NOTES_BUGS=\(bug.name)", CommandRun.built("Notes")]
        let log = scratch.path(bug.name)
        return [CommandRun.command.path, "record", "-o", log, "-q", "--"] + app
      })
    for (bug, run) in zip(Self.bugs, runs) {
      #expect(run.status == bug.status, "\(bug.name)")
      let text = try CommandRun("analyze", "-v", "--fail-on", "never", scratch.path(bug.name))
        .output
      let found = text.split(separator: "\n").filter {
        $0.hasPrefix("error ") || $0.hasPrefix("warning ")
      }.map { $0.split(separator: " ")[1] }
      let isRight = bug.rule.map { rule in found.contains { $0.hasPrefix(rule) } } ?? found.isEmpty
      #expect(isRight, "\(bug.name): \(text)")
    }
  }
}
