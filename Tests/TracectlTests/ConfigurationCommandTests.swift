import Foundation
import Testing

/// The configuration, as the command uses it.
@Suite struct ConfigurationCommandTests {
  private static let sample = CommandRun.root.appendingPathComponent("samples/config")

  @Test func theSampleIsUnderstoodAndItsRulesHold() throws {
    let check = try CommandRun("config", "check", in: Self.sample)
    #expect(check.status == 0)
    #expect(check.errors.isEmpty, "\(check.errors)")
    #expect(
      check.output.hasSuffix(
        """
        of your own
        ok   no-analytics-in-background: 1 clean, 1 violating
        ok   save-soon-after-edit: 2 clean, 1 violating

        """), "\(check.output)")
  }

  @Test func theSamplesReportIsAsReviewed() throws {
    let run = try CommandRun("analyze", "-v", "traces/editing.trace", in: Self.sample)
    #expect(run.status == 1)
    try Snapshot.expect(
      run.output, at: Self.sample.appendingPathComponent("traces/editing.report.txt"))
    let bare = try CommandRun(
      "analyze", "-v", "--config", "none", "traces/editing.trace", in: Self.sample)
    #expect(bare.status == 0)
    #expect(!bare.output.contains("save-soon-after-edit"))

    let json = try CommandRun(
      "analyze", "--format", "json", "traces/editing.trace", in: Self.sample)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let suppressions = try #require(report["suppressions"] as? [[String: Any]])
    #expect(suppressions.map { $0["state"] as? String } == ["unused", "used"])
    #expect(suppressions.map { $0["findings"] as? Int } == [0, 1])
    #expect(suppressions[0]["place"] as? String == ".tracectl.yml:25")
  }

  @Test func theFileIsFoundFromBelowAndNamedByHand() throws {
    let below = Self.sample.appendingPathComponent("traces")
    let found = try CommandRun("analyze", "-v", "editing.trace", in: below)
    #expect(found.status == 1)

    #expect(found.output.contains("(../.tracectl.yml:27)"))
    let named = try CommandRun(
      "analyze", "-v", "--config", "samples/config/.tracectl.yml",
      "samples/config/traces/editing.trace")
    #expect(named.output.contains("(samples/config/.tracectl.yml:27)"))
    let none = try CommandRun("config", "check", "--config", "no.yml")
    #expect(none.status == 2)
    #expect(none.errors == "tracectl: no.yml: cannot be read: No such file or directory\n")
  }

  @Test func theLongerEndingIsReadToo() throws {
    let scratch = try ScratchFolder()
    try scratch.file(".tracectl.yaml", "strict: true\n")
    let rules = scratch.url.appendingPathComponent("rules")
    try FileManager.default.copyItem(
      at: Self.sample.appendingPathComponent("rules"), to: rules)
    try FileManager.default.moveItem(
      at: rules.appendingPathComponent("documents.yml"),
      to: rules.appendingPathComponent("documents.yaml"))
    let show = try CommandRun("config", "show", in: scratch.url)
    #expect(
      show.output.hasPrefix("files: .tracectl.yaml, rules/documents.yaml\n"), "\(show.output)")

    try scratch.file(".tracectl.yml", "strict: false\n")
    let both = try CommandRun("config", "show", in: scratch.url)
    #expect(both.status == 2)
    #expect(
      both.errors.hasPrefix(
        ".tracectl.yml:1:1: error: .tracectl.yaml lies beside it, and only one of them can hold"))
  }

  @Test func aDirectoryIsNoConfiguration() throws {
    let scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent(".tracectl.yml"), withIntermediateDirectories: true)
    let run = try CommandRun("config", "check", in: scratch.url)
    #expect(run.status == 2)
    #expect(
      run.errors == "tracectl: .tracectl.yml: is a directory; expected a file; rename it, or pass "
        + "--config FILE or --config none\n")
  }

  @Test func whatIsSaidOnTheCommandLineHolds() throws {
    let run = try CommandRun(
      "analyze", "-v", "--fail-on", "never", "traces/editing.trace", in: Self.sample)
    #expect(run.status == 0)
  }

  /// The path of a baseline begins where the configuration lies.
  @Test func theBaselineOfTheConfigurationHolds() throws {
    let folder = try ScratchFolder()
    let below = folder.url.appendingPathComponent("below")
    try FileManager.default.createDirectory(at: below, withIntermediateDirectories: false)
    try folder.file(".tracectl.yml", "baseline: known.jsonl\n")
    try folder.file(
      "below/a.trace",
      """
      0s - profile mode=app hooks=app-delegate,work
      10s main call applicationDidBecomeActive app
      11s main return applicationWillResignActive app
      12s main work timer app "poll"

      """)
    let missing = try CommandRun("analyze", "-v", "a.trace", in: below)
    #expect(missing.status == 2)
    #expect(
      missing.errors.hasPrefix("tracectl: ../known.jsonl: no such baseline; create it with "))
    #expect(try CommandRun("analyze", "-v", "a.trace", "--baseline", "none", in: below).status == 1)
    let written = try CommandRun("baseline", "write", "a.trace", in: below)
    #expect(written.output == "../known.jsonl: 1 finding known, 1 added, 0 removed\n")
    let known = try CommandRun("analyze", "-v", "a.trace", in: below)
    #expect(known.status == 0 && known.output.contains("0 new, 1 known, 0 fixed"))
    #expect(try CommandRun("analyze", "-v", "a.trace", "--config", "none", in: below).status == 1)
    // Nothing replaces it, although nobody named it.
    let replaced = try CommandRun(
      "analyze", "a.trace", "--format", "json=../known.jsonl", in: below)
    #expect(replaced.status == 2 && replaced.errors.contains("would overwrite one"))
    try folder.file("other.jsonl", "{\"schema\":\"tracectl-baseline\",\"version\":1}\n")
    let other = try CommandRun(
      "analyze", "-v", "a.trace", "--baseline", "../other.jsonl", in: below)
    #expect(other.status == 1 && other.output.contains("1 new, 0 known"))
    let none = try CommandRun("baseline", "write", "a.trace", "--baseline", "none", in: below)
    #expect(none.status == 2 && none.errors.contains("name the baseline to change"))
    func line(_ arguments: String...) throws -> String? {
      try CommandRun(["config", "show"] + arguments, in: below).output.split(separator: "\n")
        .first { $0.hasPrefix("baseline:") }.map {
          $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
    }
    #expect(try line() == "baseline: ../known.jsonl ../.tracectl.yml:1")
    #expect(try line("--config", "none") == "baseline: none default")
  }

  @Test func strictOfTheConfigurationHolds() throws {
    let folder = try ScratchFolder()
    try folder.file(".tracectl.yml", "strict: true\n")
    try folder.file("a.trace", "0s - profile mode=app hooks=app-delegate\n1s main note\n")
    #expect(try CommandRun("analyze", "-v", "a.trace", in: folder.url).status == 4)
    #expect(try CommandRun("analyze", "-v", "a.trace", "a.trace", in: folder.url).status == 4)
    #expect(try CommandRun("analyze", "-v", "a.trace", "--no-strict", in: folder.url).status == 0)
    #expect(
      try CommandRun("analyze", "-v", "a.trace", "--config", "none", in: folder.url).status == 0)

    // What it records is judged, and what is required is more.
    let full =
      "0s - profile mode=app hooks=app-delegate\n1s main call applicationDidBecomeActive app\n"
    try folder.file("full.trace", full)
    #expect(try CommandRun("analyze", "-v", "full.trace", in: folder.url).status == 0)
    try folder.file(".tracectl.yml", "strict: true\nrequires-hooks: [app-delegate, tasks]\n")

    let lacking = try CommandRun("analyze", "-v", "full.trace", in: folder.url)
    #expect(lacking.status == 4)
    #expect(
      lacking.errors == "tracectl: full.trace: the configuration requires the hook tasks, "
        + "which the log does not record\n")
    try folder.file(".tracectl.yml", "strict: sometimes\nbaseline: [a]\n")

    let wrong = try CommandRun("config", "check", in: folder.url)
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains(".tracectl.yml:1:9: error: expected true or false"))
    #expect(wrong.errors.contains(".tracectl.yml:2:11: error: expected a path"))
  }

  @Test func aCheckLooksAtTheBaselineAndTheDaysOfSuppressions() throws {
    let folder = try ScratchFolder()
    try folder.file(
      ".tracectl.yml",
      """
      baseline: known.jsonl
      suppressions:
        - rule: task-count
          reason: x
          expires: 2020-01-31

      """)
    let missing = try CommandRun("config", "check", in: folder.url)
    #expect(missing.status == 2)
    #expect(
      missing.errors == """
        .tracectl.yml:3:5: warning: this suppression of task-count expired on 2020-01-31 and suppresses nothing; remove it, or set a later day
        .tracectl.yml:1:11: error: known.jsonl: no such baseline; create it with tracectl baseline write --baseline known.jsonl LOG…
        tracectl: the configuration has 1 error

        """)

    try folder.file("known.jsonl", "{\"schema\":\"tracectl-baseline\",\"version\":1}\n{}\n")
    let broken = try CommandRun("config", "check", in: folder.url)
    #expect(broken.status == 2)
    #expect(broken.errors.contains(".tracectl.yml:1:11: error: known.jsonl:2: "))
    try folder.file(
      "known.jsonl",
      """
      {"schema":"tracectl-baseline","version":1}
      {"rule":"R80","fingerprint":"0123456789abcdef","count":1,"severity":"error","subject":"app","message":"m"}

      """)
    let old = try CommandRun("config", "check", in: folder.url)
    #expect(old.status == 0)
    #expect(
      old.errors.contains(
        ".tracectl.yml:1:11: warning: known.jsonl: 1 entry names the rule R80, the number of "))

    try folder.file(".tracectl.yml", "output: {format: [jsn, text, json]}\nbaseline: no.jsonl\n")
    let forms = try CommandRun("config", "check", in: folder.url)
    let lines = forms.errors.split(separator: "\n").map(String.init)
    #expect(forms.status == 2 && lines.count == 4, "\(lines)")
    #expect(lines[0].hasPrefix(".tracectl.yml:1:19: error: "))
    let told = ".tracectl.yml:1:19: error: jsn is not a report format; did you mean json?"
    #expect(lines.contains { $0.hasPrefix(told) })
    #expect(lines[2].hasPrefix(".tracectl.yml:2:11: error: no.jsonl: no such baseline"))
  }

  /// An end that no rule explains is one thing with all rules, another with those that find such ends off.
  @Test func rulesThatAreOffAreSaid() throws {
    let scratch = try ScratchFolder()
    let trace = CommandRun.root.appendingPathComponent("samples/traces/slow-background.trace").path
    let off = [
      "death", "task-leak-at-suspend", "task-one-end", "task-end-in-expiration",
      "budget-assertion-total", "work-timer-while-inactive", "budget-did-enter-background",
    ]
    let settings = off.map { "  \($0): off\n" }.joined()
    try scratch.file(".tracectl.yml", "rules:\n" + settings)

    let one = try CommandRun("analyze", "-v", trace, in: scratch.url)
    #expect(
      one.output.hasPrefix("killed by the watchdog (0x8badf00d); no rule that is on explains it ("),
      "\(one.output)")
    let line =
      "  7 rules turned off by the configuration: budget-assertion-total, "
      + "budget-did-enter-background, death, task-end-in-expiration, task-leak-at-suspend and 2 more\n"
    #expect(one.output.contains(line), "\(one.output)")
    let many = try CommandRun("analyze", "-v", trace, trace + "x", in: scratch.url)
    #expect(many.output.contains("; no rule that is on explains it"), "\(many.output)")
    #expect(many.output.contains(line))
    let json = try CommandRun("analyze", trace, "--format", "json", in: scratch.url)
    #expect(json.output.contains("\"rulesOff\""))
  }

  @Test func errorsEndEveryCommandThatReadsIt() throws {
    let folder = try ScratchFolder()
    try folder.file(".tracectl.yml", "rules: {tsk-count: off}\nfail-on: x\n")
    try folder.file("empty.trace", "")
    for command in [
      ["config", "check"], ["config", "show"], ["analyze", "empty.trace"], ["explain"],
      ["explain", "task-count"], ["explain", "R80", "--format", "english"],
    ] {
      let run = try CommandRun(command, in: folder.url)
      #expect(run.status == 2, "\(command)")
      #expect(
        run.errors == """
          .tracectl.yml:1:9: error: expected a rule, found "tsk-count"; did you mean "task-count"?
          .tracectl.yml:2:10: error: expected a severity, or never, found "x"; known: info, warning, error, never
          tracectl: the configuration has 2 errors

          """, "\(command)")
    }
  }

  @Test func ownRulesAreKnownEverywhere() throws {
    for command in [
      ["explain"], ["explain", "--format", "english"], ["explain", "--format", "automaton"],
    ] {
      let run = try CommandRun(command + ["save-soon-after-edit"], in: Self.sample)
      #expect(run.status == 0)
      #expect(run.output.contains("an edited document is saved within ten seconds"))
    }

    let list = try CommandRun("explain", in: Self.sample)
    #expect(list.output.contains("no-analytics-in-background"))
    let why = try CommandRun(
      "why", "traces/editing.trace", "save-soon-after-edit@main#10", in: Self.sample)
    #expect(why.output.contains("\"letter\" was edited and not saved within 10s"))

    let scratch = try ScratchFolder()
    let reduced = try CommandRun(
      "analyze", "-v", "traces/editing.trace", "--reduce", scratch.path("out"), in: Self.sample)
    #expect(reduced.status == 1)
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
    #expect(files.contains { $0.hasPrefix("save-soon-after-edit") }, "\(files)")
  }

  @Test func aWrongExampleFailsTheCheck() throws {
    let folder = try ScratchFolder()
    try folder.file(
      "rules.yml",
      """
      patterns:
        - id: never-suspended
          summary: the process is never suspended
          why: a test
          remedy: none
          never: suspend
          clean: |
            0s - profile hooks=system
            1s - suspend app
          violating: |
            0s - profile hooks=system
            1s - suspend app ◀
      """)

    for (arguments, place) in [
      (["rules.yml"], "rules.yml:7:"), (["--config", "rules.yml"], "rules.yml:7:"),
    ] {
      let run = try CommandRun(["config", "check"] + arguments, in: folder.url)
      #expect(run.status == 1)
      #expect(run.output.contains("FAIL never-suspended: 1 clean, 1 violating\n\(place)"))
      #expect(run.output.contains("found, but not marked: 1s"))
    }
  }

  @Test func aFileWithoutARuleIsNotChecked() throws {
    let folder = try ScratchFolder()
    try folder.file("none.yml", "patterns: []\n")
    let run = try CommandRun("config", "check", "none.yml", in: folder.url)
    #expect(run.status == 2 && run.errors.contains("there are no rules to check"), "\(run.errors)")
  }

  @Test func aConfigurationCanBeBegun() throws {
    let folder = try ScratchFolder()
    let none = try CommandRun("config", "check", in: folder.url)
    #expect(none.status == 2 && none.errors.contains("create one with tracectl config init"))
    #expect(try CommandRun("config", "init", in: folder.url).status == 0)
    let check = try CommandRun("config", "check", in: folder.url)
    #expect(check.status == 0 && check.output.hasPrefix(".tracectl.yml: 0 settings, 0 budgets"))
    let again = try CommandRun("config", "init", in: folder.url)
    #expect(again.status == 2 && again.errors.contains("already exists"), "\(again.errors)")
  }

  // MARK: The schema

  @Test func theSchemaTakesTheSamplesAndRefusesErrors() throws {
    let folder = try ScratchFolder()
    let schema = try folder.file("schema.json", try CommandRun("config", "schema").output)
    let good = [
      Self.sample.appendingPathComponent(".tracectl.yml"),
      Self.sample.appendingPathComponent("rules/documents.yml"),
      try folder.file("numbers.yml", "rules: {R78: off}"),
    ]

    guard let told = try SchemaValidator.complaints(about: good, jsonSchema: schema) else { return }
    #expect(told == "")
    for bad in [
      "ruls: {}", "rules: {task-count: loud}", "budgets: [{callback: x, error: 1s}]",
      "suppressions: [{rule: task-count}]", "patterns: [{id: a}]", "fail-on: often",
    ] {
      let file = try folder.file("bad.yml", bad)
      let complaint = try SchemaValidator.complaints(about: [file], jsonSchema: schema)
      #expect(complaint?.contains("bad.yml") == true, "\(bad)")
    }
  }
}
