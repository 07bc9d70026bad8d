import Foundation
import Testing

/// `tracectl baseline`, and `analyze --baseline`.
@Suite struct BaselineCommandTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Timers of these labels fire in the background.
  private func log(_ name: String, _ labels: String..., from second: Int = 0) throws {
    var lines = ["0s - profile mode=app hooks=app-delegate,work"]
    for (cycle, label) in labels.enumerated() {
      lines.append("\(second + cycle + 1)0s main call applicationDidBecomeActive app")
      lines.append("\(second + cycle + 1)0s main return applicationDidBecomeActive app")
      lines.append("\(second + cycle + 1)1s main return applicationWillResignActive app")
      lines.append("\(second + cycle + 1)2s main work timer app \"\(label)\"")
    }
    try scratch.file(name, lines.joined(separator: "\n") + "\n")
  }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments, in: scratch.url)
  }

  /// Analyzes logs by the baseline that `baseline write` makes.
  private func compare(_ arguments: String...) throws -> CommandRun {
    try CommandRun(
      ["analyze", "-v", "--baseline", "tracectl-baseline.jsonl"] + arguments, in: scratch.url)
  }

  private func baseline() throws -> String {
    try String(
      contentsOf: scratch.url.appendingPathComponent("tracectl-baseline.jsonl"), encoding: .utf8)
  }

  @Test func onlyWhatIsNewFails() throws {
    try log("a.trace", "poll", "poll")
    let written = try run("baseline", "write", "a.trace")
    #expect(written.status == 0)
    #expect(written.output == "tracectl-baseline.jsonl: 2 findings known, 2 added, 0 removed\n")
    let same = try run("analyze", "-v", "a.trace", "--baseline", "tracectl-baseline.jsonl")
    #expect(same.status == 0)
    #expect(same.output.hasPrefix("no new findings\n\nBaseline\n  0 new, 2 known, 0 fixed\n"))
    try log("a.trace", "poll", "sync", "poll-7", from: 20)

    let more = try run("analyze", "-v", "a.trace", "--baseline", "tracectl-baseline.jsonl")
    #expect(more.status == 1)
    #expect(more.output.hasPrefix("2 warnings\n"), "\(more.output)")
    #expect(more.output.contains("the timer \"sync\" of app fired"))
    #expect(more.output.contains("  2 new, 1 known, 1 fixed\n  known, not reported again:\n"))
  }

  @Test func namesThatAreNoRuleAreTold() throws {
    try log("a.trace", "poll")
    _ = try run("baseline", "write", "a.trace")
    let file = "tracectl-baseline.jsonl"
    try scratch.file(
      file, try baseline().replacing("work-timer-while-inactive", with: "work-timer-while-active"))
    let told =
      "\(file): warning: 1 entry names the rule work-timer-while-active, which does not exist; did "
      + "you mean work-timer-while-inactive? Correct the name, or remove the line\n"
    let check = try compare("a.trace")

    #expect(check.status == 0 && check.errors == told)
    let prune = try run("baseline", "prune", "a.trace")
    #expect(prune.status == 0 && prune.errors == told)
    #expect(try run("analyze", "-v", "a.trace", "--baseline", file).errors == told)
  }

  /// Logs that show nothing of a baseline are most likely not those that it was written of.
  @Test func otherLogsPruneNothing() throws {
    try log("a.trace", "poll")
    try log("b.trace", "sync")
    _ = try run("baseline", "write", "a.trace")
    let before = try baseline()
    let other = try run("baseline", "prune", "b.trace")
    #expect(other.status == 2 && other.errors.contains("name all of those logs, or pass --all"))
    #expect(try baseline() == before)

    let all = try run("baseline", "prune", "b.trace", "--all")
    #expect(all.status == 0 && all.output.hasPrefix("removed 1 × work-timer-while-inactive: "))
    #expect(try baseline() != before)
  }

  @Test func fixedEntriesFailWhenThatIsAskedFor() throws {
    try log("a.trace", "poll", "sync")
    _ = try run("baseline", "write", "a.trace")
    try log("a.trace", "poll")
    let file = "tracectl-baseline.jsonl"
    let run1 = try run("analyze", "-v", "a.trace", "--baseline", file)
    #expect(run1.status == 0)

    let told =
      "fixed; run tracectl baseline prune with all the logs to remove them:\n    work-timer"
    #expect(run1.output.contains(told))
    #expect(
      try run("analyze", "-v", "a.trace", "--baseline", file, "--strict-baseline").status == 1)
    let check = try compare("a.trace")
    #expect(check.status == 0 && check.output.contains("0 new, 1 known, 1 fixed"))
    #expect(try compare("a.trace", "--strict-baseline").status == 1)

    let before = try baseline()
    let dry = try run("baseline", "prune", "a.trace", "--dry-run")
    #expect(dry.status == 0 && dry.output.hasPrefix("would remove 1 × work-timer-while-inactive: "))
    #expect(
      dry.output.hasSuffix(
        "tracectl-baseline.jsonl would have: 1 finding known, 0 added, 1 removed\n"))
    #expect(try baseline() == before)
    #expect(try run("baseline", "prune", "a.trace").output.contains("1 finding known, 0 added, 1"))
    #expect(try baseline() != before)
    #expect(try compare("a.trace").status == 0)
    #expect(
      try run("analyze", "-v", "a.trace", "--baseline", file, "--strict-baseline").status == 0)

    // What no rule could judge is nobody's to call fixed.
    try scratch.file("blind.trace", "0s - profile mode=app hooks=tasks\n1s main note\n")
    let blind = try run("analyze", "-v", "blind.trace", "--baseline", file, "--strict-baseline")
    #expect(blind.status == 0 && blind.output.contains("not checked, state unknown:"))
    #expect(try run("baseline", "prune", "blind.trace").output.contains("0 removed"))
  }

  /// A log that shows nothing of what a rule is about proves nothing.
  @Test func aLogThatShowsNothingFixesNothing() throws {
    try log("a.trace", "poll", "sync")
    _ = try run("baseline", "write", "a.trace")
    let before = try baseline()
    try scratch.file("idle.trace", "0s - profile mode=app hooks=app-delegate,work\n1s main note\n")
    let check = try compare("idle.trace", "--strict-baseline")
    #expect(
      check.status == 0 && check.output.contains("0 new, 0 known, 0 fixed"), "\(check.output)")
    #expect(check.output.contains("not checked, state unknown:"))
    #expect(try run("baseline", "prune", "idle.trace").output.contains("0 removed"))
    #expect(try baseline() == before)
    // Other timers that stop in time are something to judge.
    try log("clean.trace")
    try scratch.file(
      "clean.trace",
      """
      0s - profile mode=app hooks=app-delegate,work
      10s main call applicationDidBecomeActive app
      10.5s main work timer app "poll"
      11s main return applicationWillResignActive app

      """)
    let clean = try compare("clean.trace", "idle.trace")
    #expect(clean.output.contains("0 new, 0 known, 2 fixed"), "\(clean.output)")
    // A number stands for the rule.
    let numbered = before.replacing("\"work-timer-while-inactive\"", with: "\"R57\"")
    try scratch.file("tracectl-baseline.jsonl", numbered)
    let other = try compare("clean.trace")
    #expect(other.output.contains("0 new, 0 known, 2 fixed"), "\(other.output)")
  }

  @Test func manyLogsShareABaseline() throws {
    try log("runs-a.trace", "poll")
    try log("runs-b.trace", "poll", "sync")
    #expect(try run("baseline", "write", "runs-*.trace").output.contains("3 findings known"))
    let same = try run(
      "analyze", "-v", "runs-a.trace", "runs-b.trace", "--baseline", "tracectl-baseline.jsonl")
    #expect(same.status == 0 && same.output.contains("0 new, 3 known, 0 fixed"), "\(same.output)")
    try log("runs-a.trace", "poll", "poll")

    let more = try run("analyze", "-v", "runs-*.trace", "--baseline", "tracectl-baseline.jsonl")
    #expect(more.status == 1 && more.output.contains("1 new, 3 known, 0 fixed"))
  }

  /// What the lines call new is what the report counts, and what each form and the status say.
  @Test func aBaselineIsSharedOutAmongLogs() throws {
    try log("old.trace", "poll", "poll", "sync")
    _ = try run("baseline", "write", "old.trace")
    try log("runs-a.trace", "poll", "poll")
    try log("runs-b.trace", "sync")
    try log("runs-c.trace", "poll", "sync", "other")
    try log("runs-d.trace")
    let arguments = ["analyze", "-v", "runs-*.trace", "--baseline", "tracectl-baseline.jsonl"]
    let run = try CommandRun(
      arguments + ["--format", "json=all.json", "--format", "text", "--format", "junit=out.xml"],
      in: scratch.url)
    // Of three polls and two syncs one is new each, the first; another one is not known at all.
    #expect(
      run.output.hasPrefix(
        """
        runs-a.trace: 1 warning (work-timer-while-inactive); 1 known
        runs-b.trace: 1 warning (work-timer-while-inactive)
        runs-c.trace: 1 warning (work-timer-while-inactive); 2 known
        runs-d.trace: no findings; inconclusive

        4 logs: 3 with findings (3 new, 3 known), 1 without findings; 1 inconclusive
        """), "\(run.output)")
    #expect(run.status == 1 && run.output.contains("  3 new, 3 known, 0 fixed\n"))
    let one = try CommandRun(arguments + ["--jobs", "1"], in: scratch.url)
    #expect(one.output == run.output)
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: scratch.url.appendingPathComponent("all.json")))
    let findings = try #require((json as? [String: Any])?["findings"] as? [[String: Any]])
    let new =
      findings
      .filter { $0["baselineState"] as? String == "new" }.compactMap { $0["log"] as? String }
    #expect(new.sorted() == ["runs-a.trace", "runs-b.trace", "runs-c.trace"])
    let junit = try String(
      contentsOf: scratch.url.appendingPathComponent("out.xml"), encoding: .utf8)
    #expect(junit.components(separatedBy: "  log     runs-").count == 7)
    #expect(
      junit.components(separatedBy: "<failure ")[1].components(separatedBy: "</failure>")[0]
        .components(separatedBy: "  log     runs-").count == 4)
    // All of it is known, and the lines say so too.
    _ = try CommandRun(["baseline", "write", "runs-*.trace"], in: scratch.url)
    let same = try CommandRun(arguments, in: scratch.url)
    #expect(same.status == 0)
    #expect(
      same.output.hasPrefix(
        "runs-a.trace: no new findings; 2 known\nruns-b.trace: no new findings; 1 known\n"))
  }

  @Test func theJSONSaysWhatIsNew() throws {
    try log("a.trace", "poll", "sync")
    _ = try run("baseline", "write", "a.trace")
    try log("a.trace", "poll", "other")
    let run = try run(
      "analyze", "a.trace", "--baseline", "tracectl-baseline.jsonl", "--format", "json")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.map { $0["baselineState"] as? String } == ["known", "new"])

    let baseline = try #require(json["baseline"] as? [String: Any])
    #expect(baseline["new"] as? Int == 1 && baseline["known"] as? Int == 1)
    let fixed = try #require(baseline["fixed"] as? [[String: Any]])
    #expect(fixed.map { $0["rule"] as? String } == ["work-timer-while-inactive"])
  }

  @Test func writingAgainChangesOnlyWhatChanged() throws {
    try log("a.trace", "poll", "sync")
    _ = try run("baseline", "write", "a.trace")
    let first = try baseline()
    #expect(first.split(separator: "\n").count == 3)

    // Later, with other numbers: the same file.
    try log("a.trace", "poll", "sync", from: 500)
    #expect(try run("baseline", "write", "a.trace").output.contains("0 added, 0 removed"))
    #expect(try baseline() == first)
    try log("a.trace", "poll", "sync", "sync", from: 900)
    _ = try run("baseline", "write", "a.trace")
    let changed = zip(first.split(separator: "\n"), try baseline().split(separator: "\n"))
      .filter { $0 != $1 }
    #expect(changed.count == 1 && changed[0].1.contains("\"count\":2"))
  }

  @Test func whatIsNoBaselineIsTwo() throws {
    try log("a.trace", "poll")
    let missing = try run("analyze", "-v", "a.trace", "--baseline", "none.jsonl")
    #expect(missing.status == 2)
    #expect(
      missing.errors
        == "tracectl: none.jsonl: no such baseline; create it with tracectl baseline write "
        + "--baseline none.jsonl LOG…\n")
    _ = try run("baseline", "write", "a.trace")

    let text = try baseline()
    try scratch.file("cut.jsonl", String(text.dropLast(20)))
    try scratch.file("newer.jsonl", text.replacing("\"version\":1", with: "\"version\":2"))
    for (name, words) in [
      ("cut.jsonl", "cut.jsonl:2: expected "), ("newer.jsonl", "newer.jsonl:1: version 2 is newer"),
      ("a.trace", "a.trace:1: expected a JSON object"),
    ] {
      for command in [["analyze", "-v", "a.trace"], ["baseline", "prune", "a.trace"]] {
        let run = try CommandRun(command + ["--baseline", name], in: scratch.url)
        #expect(run.status == 2, "\(name)")
        #expect(run.errors.hasPrefix("tracectl: \(words)"), "\(run.errors)")
        #expect(run.output == "")
      }
    }

    // A file that is no baseline is not written over.
    #expect(try run("baseline", "write", "a.trace", "--baseline", "cut.jsonl").status == 2)
    #expect(try run("baseline", "write", "a.trace", "--baseline", "a.trace").status == 2)
    #expect(try run("analyze", "-v", "a.trace", "--strict-baseline").status == 2)
    #expect(try run("baseline", "write", "a.trace", "gone.trace").status == 3)
  }
}
