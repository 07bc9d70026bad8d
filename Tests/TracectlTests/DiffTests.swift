import Foundation
import Testing
import TraceText

/// `tracectl diff`, from logs to exit status.
@Suite struct DiffTests {
  /// Runs of an app before and after a change, each of four days.
  private static let logs = Result {
    let scratch = try ScratchFolder()
    for (name, seeds) in [("before", 1...3), ("after", 4...6)] {
      let scenario = CommandRun.root.appendingPathComponent("samples/comparison/\(name).yml").path
      for seed in seeds {
        let run = try CommandRun(
          "simulate", scenario, "--days", "4", "--vary", "--seed", "\(seed)", "-q", "-o",
          scratch.path("\(name)-\(seed).bin"))
        try #require(run.status == 0, "\(run.errors)")
      }
    }
    return scratch
  }

  private let scratch: ScratchFolder

  init() throws { scratch = try Self.logs.get() }

  private func diff(_ arguments: String...) throws -> CommandRun {
    try CommandRun(["diff"] + arguments, in: scratch.url)
  }

  private func section(_ title: String, of text: String) -> [String] {
    text.components(separatedBy: "\n\n").first { $0.hasPrefix(title) }?
      .components(separatedBy: "\n").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
      ?? []
  }

  // MARK: What it says

  @Test func aRunIsTheSameAsItself() throws {
    let run = try diff("before-1.bin", "before-1.bin")
    #expect(run.status == 0 && run.errors == "")
    #expect(run.output.hasPrefix("no difference\n"))
    #expect(!run.output.contains("chance"))
  }

  @Test func thePlantedChangesComeFirst() throws {
    let run = try diff("before-1.bin", "after-4.bin")
    #expect(run.status == 0)
    let certain = section("Chance does not explain", of: run.output)
    #expect(
      certain.contains { $0.hasPrefix("new") && $0.contains("work timer") && $0.contains("sync") })
    #expect(
      certain.contains { $0.hasPrefix("slower") && $0.contains("call sceneDidEnterBackground") })
    #expect(certain.contains { $0.contains("% of its 5s") })
    #expect(
      section("Findings", of: run.output).contains { $0.contains("work-timer-while-inactive") })
  }

  @Test func twoSeedsWithoutAChangeHaveNoCertainDifference() throws {
    let run = try diff("before-1.bin", "before-2.bin", "--fail-on-regression")
    #expect(run.status == 0)
    #expect(!run.output.contains("Chance does not explain"))
    #expect(run.output.contains("one run each: take more") || run.output.contains("no difference"))
  }

  @Test func manyRunsAreComparedWithMany() throws {
    let run = try diff("before-*.bin", "--against", "after-*.bin")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("A  3 runs: ") && run.output.contains("B  3 runs: "))
    #expect(run.output.contains("in 0 of 3 runs → in 3 of 3"))
    #expect(!run.output.contains("one run each"))
  }

  @Test func theOtherWayRoundTheWordsAreExchanged() throws {
    let there = try diff("before-1.bin", "after-4.bin").output
    let back = try diff("after-4.bin", "before-1.bin").output
    func changes(_ text: String) -> [String] {
      section("Chance does not explain", of: text).map { String($0.prefix { $0 != " " }) }
    }
    let mirrored = [
      "new": "gone", "gone": "new", "more": "fewer", "fewer": "more", "slower": "faster",
      "faster": "slower",
    ]
    #expect(changes(back) == changes(there).map { mirrored[$0] ?? $0 })
  }

  @Test func anEpisodeOfEachIsShownSideBySide() throws {
    let run = try diff(
      "before-1.bin", "after-4.bin", "--episodes", "turn active->inactive->background")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("turn active→inactive→background\nA  the first at "))
    #expect(run.output.contains("call sceneDidEnterBackground scene\n"))
    let other = try diff("before-1.bin", "after-4.bin", "--episodes", "stay activ")
    #expect(other.status == 2 && other.errors.contains("did you mean 'stay active'?"))
    let wrong = try diff("before-1.bin", "after-4.bin", "--episodes", "nonsense")
    #expect(
      wrong.status == 2 && wrong.errors.contains("of the kind nonsense. They have: stay active, "))
  }

  // MARK: Forms

  @Test func jsonHasWhatTextHas() throws {
    let run = try diff("before-1.bin", "after-4.bin", "--format", "json")
    let read = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let object = try #require(read as? [String: Any])
    #expect(object["schema"] as? String == "tracectl-diff" && object["version"] as? Int == 1)

    let rows = try #require(object["rows"] as? [[String: Any]])
    let first = try #require(rows.first)
    #expect(first["certain"] as? Bool == true)
    let p = try #require(first["rawP"] as? Double)
    let adjusted = try #require(first["adjustedP"] as? Double)
    #expect(p > 0 && p <= adjusted && adjusted < 0.05)
    #expect(rows.contains { $0["label"] as? String == "sync" })
  }

  @Test func markdownAndAnnotationsAreMade() throws {
    let markdown = try diff("before-1.bin", "after-4.bin", "--format", "markdown").output
    #expect(markdown.hasPrefix("### tracectl: "))
    #expect(markdown.contains("**Chance does not explain**\n\n| | what |\n|---|---|\n"))
    let github = try diff("before-1.bin", "after-4.bin", "--format", "github").output
    #expect(github.contains("::warning title=tracectl%3A slower::"))
    #expect(github.split(separator: "\n").allSatisfy { $0.hasPrefix("::") })
  }

  @Test func aReportGoesToItsFile() throws {
    let run = try diff(
      "before-1.bin", "after-4.bin", "--format", "json=out.json", "--format", "text")
    #expect(run.status == 0 && run.output.contains("Chance does not explain"), "\(run.errors)")
    let printed = try diff("before-1.bin", "after-4.bin", "--format", "json").output
    let written = scratch.url.appendingPathComponent("out.json")
    #expect(try String(contentsOf: written, encoding: .utf8) == printed)

    for (formats, words) in [
      (["text", "json"], "only one of text and json can go to standard output"),
      (["jsno"], "did you mean json"), (["json=before-1.bin"], "would overwrite"),
    ] {
      let run = try CommandRun(
        ["diff", "before-1.bin", "after-4.bin"] + formats.flatMap { ["--format", $0] },
        in: scratch.url)
      #expect(run.status == 2 && run.errors.contains(words), "\(formats): \(run.errors)")
    }
  }

  // MARK: Exit status

  @Test func aRegressionFailsWhereThatIsAsked() throws {
    #expect(try diff("before-1.bin", "after-4.bin", "--fail-on-regression").status == 1)
    #expect(
      try diff(
        "before-1.bin", "after-4.bin", "--fail-on-regression=20%", "--fail-on", "never"
      ).status == 1)

    // It is slower, but not by ten times, and findings do not count.
    #expect(
      try diff(
        "before-1.bin", "after-4.bin", "--fail-on-regression=1000%", "--fail-on", "never"
      ).status == 0)
    // The other way round it is faster, and findings are gone.
    #expect(try diff("after-4.bin", "before-1.bin", "--fail-on-regression").status == 0)
  }

  @Test func whatABaselineHasIsNotNew() throws {
    let made = try CommandRun(
      ["baseline", "write", "--baseline", "known.jsonl", "after-4.bin"], in: scratch.url)
    #expect(made.status == 0, "\(made.errors)")
    let run = try diff("before-1.bin", "after-4.bin", "--baseline", "known.jsonl")
    let findings = section("Findings", of: run.output)
    #expect(
      findings.count { $0.hasPrefix("known ") } >= 2 && !findings.contains { $0.hasPrefix("new") })
    #expect(!run.output.hasPrefix("3 new findings"))
    // It is slower all the same.
    #expect(
      try diff(
        "before-1.bin", "after-4.bin", "--baseline", "known.jsonl", "--fail-on-regression=1000%"
      ).status == 0)

    // More of them than the baseline has are new.
    let half = try String(
      contentsOf: scratch.url.appendingPathComponent("known.jsonl"), encoding: .utf8
    )
    .replacing(#/"count":\d+/#) { _ in "\"count\":1" }
    try scratch.file("half.jsonl", half)
    let more = try diff("before-1.bin", "after-4.bin", "--baseline", "half.jsonl")
    #expect(section("Findings", of: more.output).contains { $0.hasPrefix("new") })
    let missing = try diff("before-1.bin", "after-4.bin", "--baseline", "nowhere.jsonl")
    #expect(missing.status == 2 && missing.errors.contains("no such baseline"))
  }

  @Test func aJSONReportIsNoRun() throws {
    let saved = try CommandRun(
      ["analyze", "before-1.bin", "--format", "json=results.json", "--fail-on", "never"],
      in: scratch.url)
    #expect(saved.status == 0, "\(saved.errors)")
    let run = try diff("before-1.bin", "results.json")
    #expect(run.status == 3 && run.errors.contains("which contains no events; name the log itself"))
  }

  @Test func wrongUsageSaysWhatToDo() throws {
    for (arguments, words) in [
      (["before-1.bin"], "diff takes two logs, A and B"),
      (["before-1.bin", "after-4.bin", "--fail-on", "error"], "--fail-on needs"),
      (
        ["before-1.bin", "after-4.bin", "--episodes", "x", "--format", "json"], "--episodes is text"
      ),
      (["--against", "after-4.bin"], "name the logs of A before --against"),
      (["-", "-"], "- is standard input"),
      (["before-1.bin", "after-4.bin", "--fail-on-regression=x"], "x is no percentage; write"),
      (["--fail-on-regression", "before-1.bin", "after-4.bin"], "put the option behind the logs"),
    ] {
      let run = try CommandRun(["diff"] + arguments, in: scratch.url)
      #expect(run.status == 2 && run.errors.contains(words), "\(arguments): \(run.errors)")
    }

    let missing = try diff("before-1.bin", "nowhere.bin")
    #expect(missing.status == 3 && missing.errors.contains("nowhere.bin"))
  }

  // MARK: What is not recorded

  @Test func aRunThatRecordsLessIsNotToldAsAChange() throws {
    try scratch.file("full.trace", Self.life(hooks: "app-delegate,work,tasks", withWork: true))
    try scratch.file("poor.trace", Self.life(hooks: "app-delegate,tasks", withWork: false))
    let run = try diff("full.trace", "poor.trace")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("work is not compared: B does not record it"))
    #expect(!run.output.contains("gone"))
  }

  @Test func aDeathIsTheFirstThing() throws {
    try scratch.file(
      "alive.trace", Self.life(hooks: "app-delegate,work,tasks,system", withWork: true))
    let end = "\n900s - kill app code=0x8badf00d namespace=SPRINGBOARD\n"
    try scratch.file(
      "dead.trace", Self.life(hooks: "app-delegate,work,tasks,system", withWork: true) + end)

    let open = try diff("alive.trace", "dead.trace", "--fail-on-regression")
    #expect(open.status == 0 && open.errors.contains("cannot tell: A's end is not in its log\n"))
    #expect(open.output.hasPrefix("B died: killed by the watchdog (0x8badf00d)"))

    try scratch.file(
      "alive.trace",
      Self.life(hooks: "app-delegate,work,tasks,system", withWork: true)
        + "\n900s - exit app status=0\n")
    let run = try diff("alive.trace", "dead.trace", "--fail-on-regression", "--fail-on", "never")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("B died, A did not: killed by the watchdog (0x8badf00d)"))
    #expect(
      try diff("dead.trace", "alive.trace").output.hasPrefix("A died, B did not: killed by"))
    #expect(try diff("dead.trace", "dead.trace").output.contains("both: killed by the watchdog"))
  }

  /// An app without scenes that becomes active and leaves eight times.
  private static func life(hooks: String, withWork: Bool) -> String {
    var lines = ["0s - profile mode=app os=18.2 hooks=\(hooks)"]

    for cycle in 0..<8 {
      let start = cycle * 100 + 1
      for (second, name) in [
        (0, "applicationDidBecomeActive"), (20, "applicationWillResignActive"),
        (21, "applicationDidEnterBackground"),
      ] {
        lines.append("\(start + second)s main call \(name) app")
        lines.append("\(start + second)s main return \(name) app")
        if second == 0 && withWork { lines.append("\(start + 5)s main work frame app") }
      }
    }
    return lines.joined(separator: "\n")
  }
}
