import Foundation
import Testing
import TraceAnalysis

@testable import TraceConfiguration

/// What a rule of one's own may not say: every mistake, where it stands, and what would be right.
@Suite struct RuleErrorTests {
  private func problems(
    _ pattern: String, _ examples: String = "clean: 0s - note\nviolating: 0s - note ◀",
    id: String = "mine"
  ) -> [String] {
    let body = (pattern + "\n" + examples).split(separator: "\n").map { "    \($0)" }
      .joined(separator: "\n")
    let head = "patterns:\n  - id: \(id)\n    summary: s\n    why: w\n    remedy: r\n"
    return ConfigurationFiles.readRules(text: head + body, name: "r.yml").problems
      .map { String($0.description.dropFirst("r.yml:".count)) }
  }

  /// Each block of the file is a pattern, perhaps with examples, and the problems that it has.
  @Test func everyMistakeIsReportedWhereItStands() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Inputs/rule-errors.txt")
    let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n")
    #expect(blocks.count > 50)

    for block in blocks.dropFirst() {
      let lines = block.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("# ") }
      let rule = lines.filter { !$0.hasPrefix("-> ") && !$0.hasPrefix("~> ") }
      let parts = rule.split(separator: "---").map { $0.joined(separator: "\n") }
      let found =
        parts.count > 1 ? problems(parts[0], parts[1]) : problems(parts.first ?? "")

      let expected = lines.filter { $0.hasPrefix("-> ") }.map { String($0.dropFirst(3)) }
      if let part = lines.first(where: { $0.hasPrefix("~> ") })?.dropFirst(3) {
        #expect(found.first?.contains(part) ?? false, "\(block)\n\(found)")
      } else {
        #expect(found == (expected == ["none"] ? [] : expected), "\(block)")
      }
    }
  }

  // MARK: Events

  @Test func conditionsThatNeverHoldTogetherAreAnError() {
    let pairs = [
      ("handler=true", "handler=false"), ("handler=true", "handler!=true"),
      ("handler=true", "handler!=*"), ("handler=*", "handler!=*"),
    ]
    for (one, other) in pairs {
      #expect(
        problems("never: task.begin task \(one) \(other)")
          == ["6:12: error: \(one) and \(other) never hold at the same time"])
    }
    #expect(problems("never: task.begin task handler!=true handler!=*") == [])
  }

  @Test func twoLabelsNeedABar() {
    for good in ["\"a\"|\"b\"", "\"a\" | \"b\"", "\"a\"|\"b\"|\"c\" by=system"] {
      #expect(problems("never: work network \(good)") == [], "\(good)")
    }
    #expect(problems("never: work network \"a\"|").count == 1)
  }

  @Test func aListWithoutAHookIsAnError() {
    let told = problems("never: work gpu\nhooks: []")
    #expect(
      told == [
        "7:12: error: expected a hook: without work nobody records these events; name a hook, or "
          + "remove \"hooks\""
      ])
    #expect(problems("never: work gpu\nhooks: [[]]").first?.contains("expected a hook") ?? false)
    #expect(problems("never: note\nhooks: []") == [])
  }

  // MARK: What can never be found

  @Test(arguments: [
    (
      "never: work gpu\nbetween: {from: call applicationDidEnterBackground, until: resume}", "scene"
    ),
    (
      "never: work gpu\nbetween: {from: call applicationDidEnterBackground, until: resume}",
      "session"
    ),
    (
      "never: work gpu\nbetween: {from: call applicationDidEnterBackground, until: resume}", "value"
    ),
    ("never: suspend\nbetween: {from: call sceneDidBecomeActive, until: resume}", "scene"),
    ("every: suspend\nthen: work gpu\nwithin: 1s", "scene"),
    ("budget: call applicationDidFinishLaunching\nerror: 1s", "session"),
    ("count: resume\ntimes: 3\nwithin: 1m", "value"),
    ("order: suspend\nthen: resume", "task"),
    ("balance: acquire lock\nclosed-by: release lock", "task"),
  ])
  func aScopeThatItsEventsNeverHaveIsAnError(pattern: String, scope: String) {
    let told = problems("\(pattern)\nper: \(scope)")
    #expect(
      told.first?.contains("never has a \(scope): the rule can never find") ?? false, "\(told)")
    #expect(problems(pattern) == [])
  }

  @Test func aScopeThatSomeEventsHaveIsNone() {
    let good = [
      "never: work gpu\nbetween: {from: [suspend, call sceneDidBecomeActive], until: resume}\nper: scene",
      "never: work gpu\nbetween: {from: call sceneDidBecomeActive, until: suspend}\nper: session",
      "order: note\nthen: note session\nper: session",
      "every: deliver push\nthen: complete push\n"
        + "within: 1s\nper: value",
    ]
    for pattern in good { #expect(problems(pattern) == [], "\(pattern)") }
  }

  /// A thread holds several things, and a variable may get another task before the end of the first.
  @Test(arguments: [
    "balance: acquire lock\nclosed-by: release lock",
    "every: task.begin\nthen: task.end\nwithin: 5s",
    "budget: task.begin\nerror: 5s",
    "order: task.granted\nthen: task.end\nhow: begins",
  ])
  func aFormThatFollowsOneThingAtATimeRefusesHolders(pattern: String) {
    let told = problems("\(pattern)\nper: holder")
    #expect(told.count == 1)
    #expect(told.first?.contains("cannot follow holders: a thread holds several things") ?? false)
    #expect(problems("\(pattern)\nper: \(pattern.contains("task") ? "task" : "label")") == [])
  }

  // MARK: All at once

  @Test func everyMistakeOfARuleIsTold() {
    #expect(
      problems("never: cal scene\nwhile: in-backgrund\nrole: windw\nsays: '{'").map { $0.prefix(2) }
        == ["6:", "7:", "8:", "9:"])
    #expect(
      problems("never: call sceneDidBecomeActve scen hander=true").count == 3)
    #expect(
      problems("never: {verb: work, name: tmer, subject: scen, thread: mian, with: [hander=x]}")
        .count
        == 4)

    #expect(
      problems("budget: call nobody\nerror: 0s\ninfo: x\nof: eech\nclock: wal").map {
        $0.prefix(3)
      } == ["6:1", "7:1", "8:1", "9:9", "10:"])
    #expect(
      problems("never: work gpu\nmilder: {severity: x, after: cal, within: 0s}").count == 3)
    #expect(
      problems("never: work gpu\nbetween: {from: cal, until: cal}").count == 2)
  }

  // MARK: Sentences

  @Test func aSentenceAsksOnlyForWhatItsFormFills() {
    let refused = [
      ("never: work gpu", "since"), ("never: work gpu", "elapsed"),
      ("never: work gpu\nwhile: inactive", "elapsed"),
      ("count: resume\ntimes: 2\nwithin: 1m", "elapsed"),
      ("every: data.dirty\nthen: data.save\nbefore: suspend", "allowed"),
      ("every: data.dirty\nthen: data.save\nbefore: suspend\nwithin: 1s", "elapsed"),
      ("order: suspend\nthen: resume", "opener"), ("budget: work.begin save\nerror: 1s", "held"),
    ]
    for (pattern, word) in refused {
      let told = problems(pattern + "\nsays: 'so {\(word)}'")
      #expect(told.count == 1 && told[0].contains("cannot fill {\(word)} here; known: {name}, "))
    }

    let filled = [
      ("never: work gpu\nwhile: inactive", "since"),
      ("budget: work.begin save\nerror: 1s", "elapsed"),
      ("count: resume\ntimes: 2\nwithin: 1m", "since"),
      ("every: data.dirty\nthen: data.save\nwithin: 1s", "elapsed"),
    ]
    for (pattern, word) in filled {
      #expect(problems(pattern + "\nsays: 'so {\(word)}'") == [], "\(pattern)")
    }
  }

  @Test func placeholdersThatNobodyKnowsAreErrors() {
    #expect(
      problems("balance: acquire lock\nclosed-by: release lock\nclosed-again: 'so {elapsed}'").count
        == 1)
  }

  // MARK: Names

  @Test func anIdThatMeansABuiltInRuleIsTaken() {
    #expect(
      problems("never: work gpu", id: "task-count")
        == ["2:9: error: task-count is the id of a built-in rule; choose another"])
    #expect(
      problems("never: work gpu", id: "pm-background-death-is-normal")
        == [
          "2:9: error: pm-background-death-is-normal is the former id of the built-in rule "
            + "pm-memory-held-in-background; choose another"
        ])
    let numbered = problems("never: work gpu", id: "r51")
    #expect(numbered.count == 1)
    #expect(numbered.first?.contains("r51 is the number of the built-in rule ") ?? false)

    let budget = ConfigurationFiles.read(
      text: "budgets:\n  - id: r51\n    work: save\n    error: 1s\n", name: "c.yml")
    #expect(budget.errors.map(\.place.line) == [2])
  }

  // MARK: Examples

  @Test func aLineOfAnExampleIsToldWhereItStands() {
    #expect(
      problems("never: work gpu", "clean: 1x - note\nviolating: 0s - work gpu ◀").first?
        .hasPrefix("7:12: error: expected a time") ?? false)
  }

  @Test func wordsThatNoLogHasAreErrorsInExamples() {
    func told(_ line: String) -> [String] {
      problems("never: work gpu", "clean: |\n  \(line)\nviolating: 0s - work gpu ◀")
    }
    #expect(
      told("0s - profile hooks=worc")
        == ["8:7: error: unknown hook worc; did you mean work?"])
    #expect(
      told("0s - profile mod=app") == ["8:7: error: unknown key mod in profile; did you mean mode?"]
    )

    #expect(
      told("0s main task.begin task:1 handler=maybe")
        == ["8:7: error: there is no value of handler \"maybe\""])
    #expect(
      told("0s main task.begin task:1 hnadler=true")
        == ["8:7: error: there is no attribute \"hnadler\"; did you mean \"handler\"?"])
    #expect(told("0s main note elapsed=3s") == [])
  }

  // MARK: What is out of date

  @Test func whatHasExpiredOrHasAnOldNameIsTold() throws {
    let text = """
      suppressions:
        - rule: task-count
          reason: x
          expires: 2020-01-31
        - rule: task-count
          reason: y
          expires: 2020-02-02
      """
    let configuration = ConfigurationFiles.read(text: text, name: "c.yml").configuration
    let today = try #require(CalendarDay("2020-02-01"))
    #expect(
      configuration.expiredSuppressions(on: today).map(\.description) == [
        "c.yml:2:5: warning: this suppression of task-count expired on 2020-01-31 and suppresses "
          + "nothing; remove it, or set a later day"
      ])

    let names = ["task-count", "tsk-count", "pm-background-death-is-normal", "tsk-count"]
    let baseline = Baseline(
      names.enumerated().map { index, name in
        Baseline.Entry(
          rule: name, fingerprint: "000000000000000\(index)", count: 1, severity: "error",
          subject: "app", message: "m")
      })
    #expect(
      configuration.namesOfNoRule(in: baseline) == [
        "1 entry names the rule pm-background-death-is-normal, the former id of "
          + "pm-memory-held-in-background; write pm-memory-held-in-background there",
        "2 entries name the rule tsk-count, which does not exist; did you mean task-count? Correct "
          + "the name, or remove the lines",
      ])
  }

  // MARK: Meaning

  @Test func aRulesMeaningIsPlain() throws {
    let text = """
      patterns:
        - id: mine
          summary: s
          why: w
          remedy: r
          profile: {debugger: false, mode: app, says: [os]}
          count: resume
          times: 3
          within: 1m
          clean: 0s - note
          violating: 0s - note ◀
      """
    let result = ConfigurationFiles.readRules(text: text)

    let rule = try #require(result.configuration.ownRules.first)
    let english = RuleMeaning(rule.active).english
    #expect(english.contains("\nIt does not apply if the profile states debugger=true.\n"))
    #expect(english.contains("\nIt applies only if the profile states mode=app.\n"))
    #expect(english.contains("\nIt cannot tell if the profile does not state os.\n"))
    #expect(RuleMeaning(rule.active).automaton.contains("the last of 3 within "))
  }
}
