import Testing
import TraceAnalysis

@testable import TraceConfiguration

/// What a configuration may not say, and what it is told: every error, with its place and the nearest
/// word that is known.
@Suite struct ConfigurationErrorTests {
  private func problems(_ text: String) -> [String] {
    ConfigurationFiles.read(text: text, name: "c.yml").problems.map(\.description)
  }

  @Test func nothingIsAConfiguration() {
    for text in ["", "\n", "# a comment\n", "---\n", "~", "rules:\nbudgets:\nsuppressions:\n"] {
      #expect(problems(text) == [], "\(text)")
    }
  }

  @Test func wordsThatAreNotKnownAreToldWithTheNearest() {
    #expect(
      problems("ruls: {}")
        == [
          "c.yml:1:1: error: expected a key of a configuration, found \"ruls\"; did you mean \"rules\"?"
        ])

    #expect(
      problems("rules:\n  tsk-count: off")
        == ["c.yml:2:3: error: expected a rule, found \"tsk-count\"; did you mean \"task-count\"?"])
    #expect(
      problems("rules:\n  task-count: eror")
        == ["c.yml:2:15: error: expected a setting, found \"eror\"; did you mean \"error\"?"])
    #expect(
      problems("fail-on: warnings")
        == [
          "c.yml:1:10: error: expected a severity, or never, found \"warnings\"; did you mean \"warning\"?"
        ])

    #expect(
      problems("profile:\n  background-modes: [audio, vopi]")
        == [
          "c.yml:2:29: error: expected a background mode, or none, found \"vopi\"; "
            + "did you mean \"voip\"?"
        ])
    #expect(
      problems("budgets:\n  - callback: sceneDidEnterBackgrund\n    error: 1s")
        == [
          "c.yml:2:15: error: expected a callback, found \"sceneDidEnterBackgrund\"; "
            + "did you mean \"sceneDidEnterBackground\"?"
        ])
  }

  @Test func allErrorsAreToldAtOnce() {
    let told = problems(
      """
      rules:
        tsk-count: off
      colour: red
      fail-on: often
      suppressions:
        - rule: task-count
        - rule: task-count
          reason: x
          expires: 2027-02-30
      budgets:
        - error: 1s
        - callback: sceneDidBecomeActive
          warning: 3s
          error: 2s
      """)

    let lines = told.map { $0.split(separator: ":")[1] }
    #expect(lines == ["2", "3", "4", "6", "9", "11", "14"], "\(told)")
    #expect(told[3] == "c.yml:6:5: error: expected the key \"reason\" in a suppression")
    #expect(
      told[4] == "c.yml:9:14: error: expected a day such as 2027-01-31, found \"2027-02-30\"")
    #expect(
      told[6] == "c.yml:14:12: error: expected at least the 3s of \"warning\"")
  }

  @Test func keysThatStandTwiceAreToldAndTheRestIsRead() {
    #expect(
      problems("fail-on: info\nrules: {}\nfail-on: error\ncolour: x")
        == [
          "c.yml:3:1: error: \"fail-on\" is a duplicate; line 1 already has it",
          "c.yml:4:1: error: expected a key of a configuration, found \"colour\"; known: rules, "
            + "budgets, suppressions, fail-on, strict, requires-hooks, baseline, profile, output, patterns, "
            + "rule-files",
        ])

    #expect(
      problems("rules:\n  \"task-count\": off\n  'task-count': info")
        == ["c.yml:3:3: error: \"task-count\" is a duplicate; line 2 already has it"])
  }

  @Test func whatIsNoYAMLIsToldWithItsPlace() {
    #expect(
      problems("rules:\n\ttask-count: off")
        == ["c.yml:2:1: error: expected spaces at the beginning of the line, found a tab"])
    #expect(
      problems("rules: [").first?.hasPrefix("c.yml:2:1: error: invalid YAML") ?? false
        || problems("rules: [").first?.hasPrefix("c.yml:1:9: error: invalid YAML") ?? false)
    #expect(
      problems("- a\n- b") == [
        "c.yml:1:1: error: expected a configuration, as {rules: …, budgets: …, suppressions: …}, "
          + "found a list"
      ])

    #expect(problems("a: 1\n---\nb: 2").count == 1)
    #expect(problems("rules: *unknown").count == 1)
    let result = ConfigurationFiles.read(
      text: String(repeating: "#", count: 2 << 20), name: "c.yml")
    #expect(result.errors.count == 1)
  }

  @Test(.timeLimit(.minutes(1))) func whatGrowsWithoutEndIsRefusedAtOnce() {
    var bomb = "a0: &a0 [x, x]\n"
    for level in 1..<40 { bomb += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    #expect(problems(bomb).first?.contains("more than 16 aliases") ?? false)
    // As a key it would be hashed.
    #expect(!problems(bomb + "? *a39\n: x\n").isEmpty)
    #expect(!problems(String(repeating: "[", count: 100_000)).isEmpty)
    #expect(!problems(String(repeating: "- ", count: 20_000) + "x").isEmpty)
    let few = "rules: &r {task-count: off}\nbudgets: []\nsuppressions: []\n"
    #expect(problems(few) == [])
    var wide = "patterns: [a"
    for index in 0..<20_000 { wide += ", {k\(index): v}" }
    #expect(!problems(wide + "]").isEmpty)
  }

  @Test(arguments: 0..<300) func noBytesAreTooStrange(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }

    let blocks = PatternsArticleTests.blocks
    var bytes = Array(blocks[random(blocks.count)].utf8)
    for _ in 0..<8 {
      let place = random(bytes.count)
      switch random(3) {
      case 0: bytes[place] = UInt8(random(256))
      case 1: bytes.remove(at: place)
      default:
        bytes.insert(
          contentsOf: "\n\t:-[{*&'\"#|>%@".utf8.dropFirst(random(14)).prefix(1), at: place)
      }
    }

    let text = String(decoding: bytes, as: UTF8.self)
    let result = ConfigurationFiles.readRules(text: text)
    // What is read is a rule that can be tried, and what is not has a place.
    #expect(!result.configuration.ownRules.isEmpty || !result.problems.isEmpty, "seed \(seed)")
    #expect(result.problems.allSatisfy { $0.place.line >= 1 && !$0.message.isEmpty })
    for rule in result.configuration.ownRules where result.errors.isEmpty {
      #expect(rule.failures.allSatisfy { !"\($0)".isEmpty }, "seed \(seed)")
    }
  }

  // MARK: Rules

  private func ruleProblems(_ pattern: String, _ examples: String? = nil) -> [String] {
    let usual = "clean: 0s - note\nviolating: 0s - note ◀"
    let body = (pattern + "\n" + (examples ?? usual)).split(separator: "\n")
      .map { "    \($0)" }.joined(separator: "\n")
    let head = "patterns:\n  - id: mine\n    summary: s\n    why: w\n    remedy: r\n"
    return ConfigurationFiles.readRules(text: head + body, name: "r.yml").problems
      .map(\.description)
  }

  @Test func eventsThatNoLogHasAreErrors() {
    #expect(
      ruleProblems("never: cal sceneDidBecomeActive")
        == ["r.yml:6:12: error: expected a verb, found \"cal\"; did you mean \"call\"?"])
    #expect(
      ruleProblems("never: call sceneDidBecomeActve scene")
        == [
          "r.yml:6:12: error: expected a name of call, found \"sceneDidBecomeActve\"; "
            + "did you mean \"sceneDidBecomeActive\"?"
        ])

    #expect(
      ruleProblems("never: work timer scen")
        == [
          "r.yml:6:12: error: expected a kind of subject, found \"scen\"; did you mean \"scene\"?"
        ])

    #expect(
      ruleProblems("never: state active->gone").first?.contains("expected a name of state") ?? false
    )
    #expect(
      ruleProblems("never: suspend app thread=mian")
        == ["r.yml:6:12: error: expected a thread, found \"mian\"; did you mean \"main\"?"])
    #expect(
      ruleProblems("never: task.begin task hander=false")
        == [
          "r.yml:6:12: error: expected an attribute, found \"hander\"; did you mean \"handler\"?"
        ])

    #expect(
      ruleProblems("never: task.begin task handler=")
        == [
          "r.yml:6:12: error: expected a value of handler, as in handler=…; * is any, found nothing"
        ])

    #expect(
      ruleProblems("never: {verb: suspend, with: [hnadler!=true]}")
        == [
          "r.yml:6:35: error: expected an attribute, found \"hnadler\"; did you mean \"handler\"?"
        ])

    #expect(
      ruleProblems("never: {verb: work, name: tmer}")
        == [
          "r.yml:6:31: error: expected a name of work, found \"tmer\"; did you mean \"timer\"?"
        ])
    #expect(
      ruleProblems("never: work timer \"open").first?.contains("unterminated label") ?? false)
  }

  @Test func timesThatCannotBeAreErrors() {
    #expect(
      ruleProblems("every: data.dirty\nthen: data.save\nbefore: suspend\nwarning: 3s")
        == ["r.yml:9:14: error: expected the key \"within\": this is a time before it"])
    #expect(
      ruleProblems("every: data.dirty\nthen: data.save\nwithin: 3s\nwarning: 3s")
        == ["r.yml:9:14: error: expected less than the 3s of \"within\""])

    #expect(
      ruleProblems("count: resume\nwithin: 1m")
        == ["r.yml:2:5: error: expected the keys \"times\" and \"within\" beside \"count\""])
    #expect(
      ruleProblems("count: resume\ntimes: 1\nwithin: 1m")
        == [
          "r.yml:7:12: error: expected a number from 2 to 1000, which is how many are too many, "
            + "found \"1\""
        ])
  }

  @Test func statesThatCannotBeAreErrors() {
    #expect(
      ruleProblems("never: work gpu\nwhile: in-backgrund")
        == [
          "r.yml:7:12: error: expected a state, found \"in-backgrund\"; "
            + "did you mean \"in-background\"?"
        ])

    #expect(
      ruleProblems("never: work gpu\nwhile: [suspended, app-active]")
        == ["r.yml:7:24: error: app-active and suspended never hold at the same time"])
    #expect(
      ruleProblems("never: work gpu\nwhile: inactive\nunless: inactive")
        == ["r.yml:8:13: error: \"while\" requires inactive: the rule can never find anything"])
    #expect(
      ruleProblems(
        "never: work gpu\nwhile: {inside: {scene: applicationDidEnterBackground, app: sceneDidBecomeActive}}"
      ).count
        >= 1)
  }

  @Test func whatIsOpenMustHaveAnEnd() {
    #expect(
      ruleProblems("never: work gpu\nwhile: {open: suspend}").first?
        .contains("the state \"open\" needs events that begin and end") ?? false)
    #expect(
      ruleProblems("never: work gpu\nwhile: {of: leaving}").first?
        .contains("\"of\" goes with \"open\"") ?? false)

    #expect(
      ruleProblems("never: work gpu\nwhile: {open: acquire file, of: all}").first?
        .contains("whose it must be") ?? false)
    #expect(
      ruleProblems("never: work gpu\nwhile: {declares: audio}\nunless: {open: work save}") == [])
  }

  @Test func aRuleNeedsBothKindsOfExample() {
    #expect(
      ruleProblems("never: work gpu", "clean: 0s - note")
        == [
          "r.yml:2:5: error: a rule needs a violating example, to show that it finds something"
        ])
    #expect(
      ruleProblems("never: work gpu", "violating: 0s - work gpu ◀")
        == [
          "r.yml:2:5: error: a rule needs a clean example, to show that it accepts the rest"
        ])
  }

  @Test func wordsInExamplesAreChecked() {
    let told = ruleProblems(
      "never: work gpu",
      "clean: |\n  0s - note\n  1s main call sceneDidBecomActive scene:1\nviolating: 0s - work gpu ◀"
    )
    #expect(
      told == [
        "r.yml:9:7: error: there is no name of call \"sceneDidBecomActive\"; "
          + "did you mean \"sceneDidBecomeActive\"?"
      ])
  }

  @Test func whatNeverEndsIsAWarningWithItsMemory() {
    #expect(
      ruleProblems("never: work gpu\nbetween: {from: suspend}\nper: label")
        == [
          "r.yml:7:14: warning: this window closes only at the end of its process, and holds one "
            + "event for each of up to 4096 labels; if you mean that, add until: process-end"
        ])

    #expect(ruleProblems("never: work gpu\nbetween: {from: suspend, until: process-end}") == [])
    #expect(ruleProblems("never: work gpu\nbetween: {from: suspend}\nwithin: 5s") == [])
    #expect(
      ruleProblems("every: data.dirty\nthen: data.save").first?
        .contains("without a limit the rule never finds anything") ?? false)
  }

  /// The nearest legal trace is made of such patterns: one that it does not know would be broken by it.
  @Test func morePatternsAboutOrderThanAnAnalysisHoldsAreAnError() {
    func problems(_ count: Int) -> [String] {
      let rules = (1...count).map { number in
        """
          - id: mine-\(number)
            summary: s
            why: w
            remedy: r
            never: call sceneDidBecomeActive
            between: {from: call sceneDidDisconnect, until: call sceneWillConnect}
            per: scene
            clean: 0s - note
            violating: 0s - note ◀
        """
      }
      let text = "patterns:\n" + rules.joined(separator: "\n")
      return ConfigurationFiles.readRules(text: text, name: "r.yml").problems.map(\.description)
    }

    #expect(problems(10) == [])
    let told = problems(70)
    #expect(told.count == 1)
    #expect(
      told.first?.hasSuffix(
        "error: the rules have more than 64 patterns about the order of callbacks, which is all "
          + "that an analysis holds; turn off rules that you do not need") ?? false, "\(told)")
  }

  @Test func aBudgetAboveTheSystemsIsAWarning() {
    let told = ruleProblems("budget: call sceneDidEnterBackground\nwarning: 3s\nerror: 8s")
    #expect(told.count == 1)
    #expect(
      told.first?.hasPrefix("r.yml:8:12: warning: 8s is longer than the 5s that the system allows")
        ?? false)
    #expect(ruleProblems("budget: call sceneDidEnterBackground\nerror: 4s") == [])
  }

  @Test func keysThatDoNotGoTogetherAreErrors() {
    #expect(
      ruleProblems("never: work gpu\nevery: suspend").first?
        .contains("found never and every") ?? false)
    #expect(ruleProblems("").first?.contains("expected one of the keys never, every") ?? false)
    #expect(
      ruleProblems("never: work gpu\nwithin: 5s").first?.contains("\"within\" needs a window")
        ?? false)

    #expect(
      ruleProblems("order: suspend\nthen: resume\nwithin: 5s").first?
        .contains("\"within\" cannot be used with \"order\"") ?? false)
    #expect(
      ruleProblems("budget: suspend\nerror: 1s").first?.contains("events that begin and end")
        ?? false)
    #expect(
      ruleProblems("never: work gpu\nwhile: inactive\nsays: 'at {sinc}'")
        .first?.contains("there is no {sinc}; did you mean {since}?") ?? false)
  }
}
