import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

@Suite struct WhyTextTests {
  /// What `rule` says of the `sequence`th event of a writer.
  private func why(
    _ rule: String, _ sequence: UInt64, of writer: String = "main", _ notation: String
  ) throws -> String {
    let trace = try TraceNotation.parse(notation)
    let type = try #require(RuleRegistry.all.first { $0.description.id == rule })
    var inquiry = Inquiry(trace.vocabulary, rule: type, writer: writer, sequence: sequence)
    inquiry.observe(trace.events)
    let finished = inquiry.finish()
    let answer = try #require(finished)
    return WhyText(answer, of: type.description, trace.vocabulary).text
  }

  private static let life = """
    0s - profile mode=scene hooks=scene-delegate,scene-notifications
    1s main call sceneDidBecomeActive scene:1
    2s main call sceneWillResignActive scene:1
    3s main call sceneDidEnterBackground scene:1
    4s main call sceneWillEnterForeground scene:1
    5s main call sceneDidBecomeActive scene:1
    6s main call sceneDidEnterBackground scene:1
    """

  @Test func aRuleThatWasKeptTellsWhatClosedItsWindow() throws {
    let text = try why("resign-before-background", 3, Self.life)
    #expect(text.hasPrefix("resign-before-background (R11) at main#3: passed: "))
    #expect(text.contains("  needs    met: a profile that does not state mode=app\n"))
    #expect(text.contains("           met: the hook `scene-delegate` or `scene-notifications`\n"))
    #expect(text.contains("  part     culprit\n"))
    #expect(
      text.contains(
        "  then     no window is open: main#2 2s sceneWillResignActive closed the last one\n"))
  }

  @Test func aFindingTellsSinceWhenItsWindowIsOpen() throws {
    let text = try why("resign-before-background", 6, Self.life)
    #expect(
      text.hasPrefix("resign-before-background (R11) at main#6: found, error: scene:1 "))
    #expect(
      text.contains("  then     the window has been open since main#5 5s sceneDidBecomeActive\n"))
    #expect(
      text.contains("scene:1 has been foregroundActive since main#5 5s sceneDidBecomeActive\n"))
  }

  @Test func whatCodeFindsIsNotExplainedByThePattern() throws {
    let leak = """
      0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync"
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      37s - kill app code=0x8badf00d
      """

    let code =
      "  code     besides the patterns, code checks task.granted or task.end or kill or exit\n"
    let culprit = try why("task-leak-at-suspend", 1, leak)
    #expect(culprit.hasPrefix("task-leak-at-suspend (R78) at main#1: found, error: task:1 "))
    #expect(culprit.contains("  missing  task.end task:1 \"sync\", due after main#1 and before "))
    #expect(culprit.contains("  part     none: the pattern concerns other events\n"))
    #expect(!culprit.contains("  then ") && culprit.hasSuffix(code), "\(culprit)")
    let end = try why("task-leak-at-suspend", 2, of: "-", leak)
    #expect(end.contains(" at -#2: part of a finding (closes), error: task:1 "), "\(end)")
  }

  @Test func aHookThatIsNotRecordedIsNamed() throws {
    let text = try why("excl-one-delegate", 1, Self.life)
    #expect(text.contains(" at main#1: not checked: the log does not record app-delegate\n"))
    #expect(
      text.contains("not met, the log does not record app-delegate: the hook `app-delegate`\n"))
    #expect(text.contains("  part     none: the rule is not active\n"))
  }

  @Test func aGapInTheWindowIsNamed() throws {
    let text = try why(
      "resign-before-background", 2,
      """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      2s - gap ring-full 3
      3s main call sceneDidEnterBackground scene:1
      """)

    #expect(text.contains(": cannot tell: events are missing where the evidence would be\n"))
    #expect(
      text.contains("main#1 1s sceneDidBecomeActive, before missing events: cannot tell\n")
    )
  }

  @Test func aMilderSeverityIsTold() throws {
    let text = try why(
      "active-alternates", 2,
      """
      0s - profile mode=app os=12.1 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      3s main call applicationDidBecomeActive app
      """)
    #expect(text.contains("at main#2: found, warning, below the rule's error: the app became"))
    #expect(text.contains("           a finding here is warning, not error\n"))
  }

  @Test func aConditionTellsWhatTheStateWas() throws {
    let clean = """
      0s - profile hooks=system,app-delegate
      1s main call applicationDidBecomeActive app
      1.1s main return applicationDidBecomeActive app
      2s main work timer app "tick"
      """

    let text = try why("order-nothing-while-suspended", 2, clean)
    #expect(
      text.contains("at main#2: passed: ") && text.contains("then     the condition does not hold"))
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
    #expect(words.contains("while the process is suspended, per subject part culprit then"))
  }

  @Test func aBudgetTellsWhatWasSpent() throws {
    let text = try why(
      "budget-did-enter-background", 2,
      """
      0s - profile mode=app hooks=app-delegate
      1s main call applicationDidEnterBackground app
      3.5s main return applicationDidEnterBackground app
      """)

    #expect(text.contains("  then     limits: warning from 3s, error from 5s\n"))
    #expect(
      text.contains("2.5s were spent since main#1 1s applicationDidEnterBackground, 1 open\n"))
    #expect(text.contains("at main#2: passed: "))
  }

  @Test func aFindingThatTheDeadlineMakesIsFoundAtItsCulprit() throws {
    let text = try why(
      "budget-did-enter-background", 1,
      """
      0s - profile mode=app hooks=app-delegate
      1s main call applicationDidEnterBackground app
      8s main return applicationDidEnterBackground app
      """)
    #expect(text.hasPrefix("budget-did-enter-background (R47) at main#1: found, error: "))
  }

  @Test func aRuleInCodeSaysWhetherItWasAsked() throws {
    let asked = try why("order-foreground-implies-active", 4, Self.life)
    #expect(
      asked.contains(
        "  pattern  none: the rule is implemented in code\n  part     the rule checked it\n"))
    let other = try why(
      "scene-discard-only-permanent", 1,
      """
      0s - profile mode=scene hooks=app-delegate,scene-delegate
      1s main call sceneDidBecomeActive scene:1
      """)
    #expect(other.contains("at main#1: not checked: the rule concerns other events\n"))
    #expect(other.contains("  part     the rule did not check it\n"))
  }

  @Test func everyRuleAnswersAtEveryCulpritOfItsExamples() throws {
    for rule in RuleRegistry.all {
      for example in rule.description.examples where example.isViolating {
        let trace = try TraceNotation.parse(example.notation.replacing(" ◀", with: ""))
        for culprit in Analyzer.analyze(trace, rules: [rule]).findings.compactMap(\.culprit)
        where culprit.verb != .gap {
          var inquiry = Inquiry(
            trace.vocabulary, rule: rule, writer: trace.vocabulary.name(of: culprit.writer),
            sequence: culprit.sequence)
          inquiry.observe(trace.events)
          let finished = inquiry.finish()
          let answer = try #require(finished)
          guard case .found(_, .culprit) = answer.outcome else {
            Issue.record("\(rule.description.id): \(example.title): \(answer.outcome)")
            continue
          }
          #expect(answer.needs.allSatisfy { $0.missing == nil }, "\(rule.description.id)")
          #expect(answer.clauses.count == rule.description.patterns.count)
        }
      }
    }
  }

  @Test func anEventThatIsNotThereHasNoAnswer() throws {
    let trace = try TraceNotation.parse(Self.life)
    let rule = try #require(RuleRegistry.all.first)
    var inquiry = Inquiry(trace.vocabulary, rule: rule, writer: "main", sequence: 99)
    inquiry.observe(trace.events)
    let answer = inquiry.finish()
    #expect(answer == nil && inquiry.lastSequence == 6)
  }
}
