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

  @Test func statesThatCannotBeAreErrors() {
    #expect(
      ruleProblems(
        "never: work gpu\nwhile: {inside: {scene: applicationDidEnterBackground, app: sceneDidBecomeActive}}"
      ).count
        >= 1)
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
}
