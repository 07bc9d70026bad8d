import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

/// Events of several patterns: each is meant by its own conditions.
@Suite struct EventPatternTests {
  /// The lines that a rule finds which forbids `events`.
  private func found(_ events: EventPattern, _ lines: String) throws -> [String] {
    let rule = ActiveRule(
      patternsOf: RuleDescription(
        id: "own-never", number: nil, topic: .own, summary: "", severity: .warning, sources: [],
        why: "", remedy: "", limits: "", patterns: [.never(events, says: "{name} by {writer}")],
        examples: []))
    let trace = try TraceNotation.parse("0s - profile mode=app\n" + lines)
    return Analyzer.analyze(trace, rules: [rule]).findings.map(\.message)
  }

  private let lines = """
    1s main work timer app
    2s w1 work timer app
    3s main work network app
    4s w1 work network app
    """

  @Test func conditionsOfEitherSideAreKept() throws {
    #expect(
      try found(.work(.timer) | .work(.network).onMainThread, lines)
        == ["timer by main", "timer by w1", "network by main"])
    #expect(
      try found(.work(.timer).offMainThread | .work(.network), lines)
        == ["timer by w1", "network by main", "network by w1"])
    #expect(
      try found(.work(.timer).offMainThread | .work(.network).onMainThread, lines)
        == ["timer by w1", "network by main"])
  }

  @Test func aConditionOfAllIsOneOfEach() throws {
    let either = EventPattern.work(.timer) | .work(.network).about(.app)
    #expect(
      try found(either.onMainThread, lines) == ["timer by main", "network by main"])
    #expect(
      try found(
        either.labelled("a"), "1s main work timer app \"b\"\n2s main work network app \"a\"")
        == ["network by main"])
  }

  /// What cannot be found while the process runs is left out, and counted; not where it is another launch.
  @Test func anotherLaunchIsNotChecked() throws {
    func outcome(_ reasons: Set<LaunchReason>, _ line: String) throws -> String {
      let rule = ActiveRule(
        patternsOf: RuleDescription(
          id: "own-never", number: nil, topic: .own, summary: "", severity: .warning, sources: [],
          why: "", remedy: "", limits: "",
          patterns: [
            .never(.work(.network), while: .suspended, says: "{name}").launched(by: reasons)
          ],
          examples: []))
      let trace = try TraceNotation.parse("0s - profile mode=app launch=user\n" + line)
      let outcome = try #require(Analyzer.analyze(trace, rules: [rule]).outcomes.first)
      return "\(outcome.outcome) \(outcome.checks)"
    }

    for line in ["1s main work network app", "1s w1 work network task:1"] {
      #expect(
        try outcome([.push], line)
          == #"notApplicable("not for launches with launch=user") 0"#)
      #expect(try outcome([.user], line) == "satisfied 1")
    }
  }

  @Test func attributesAreAskedFor() throws {
    let lines = """
      1s main acquire file app "a" kind=read
      2s main acquire file app "b" kind=write
      3s main acquire file app "c"
      4s - acquire file app "d"
      """

    func labels(_ events: EventPattern) throws -> [String] {
      try found(events.labelled("a") | events.labelled("b", "c", "d"), lines)
    }
    let file = EventPattern.acquire(.file)
    #expect(try labels(file.where(.kind, is: "read", "gone")) == ["file by main"])
    #expect(try labels(file.where(.kind, isNot: "read")) == ["file by main", "file by main"])
    #expect(try labels(file.saying(.kind)) == ["file by main", "file by main"])
    #expect(try labels(file.notSaying(.kind)) == ["file by main", "file by -"])
    #expect(try labels(file.saying(.kind).where(.kind, isNot: "read")) == ["file by main"])
  }

  @Test func whatIsOneConditionStaysOneBranch() {
    let plain = EventPattern.call(.sceneWillConnect) | .notify(.sceneWillConnect) | .nothing
    #expect(plain.isPlain && plain.alternatives.count == 2)
    #expect((EventPattern.nothing | .nothing).isNothing)
    #expect((EventPattern.nothing | .work(.timer).onMainThread).writer == .main)
  }

  /// What code wants to see inside of observers, and what it wants to see anywhere, in one interest.
  @Test func anInterestMayAskForBoth() {
    let both = EventPattern.work(.timer).insideObserver | .work(.network)
    #expect(both.branches.map(\.isInsideObserver) == [true, false])
  }
}
