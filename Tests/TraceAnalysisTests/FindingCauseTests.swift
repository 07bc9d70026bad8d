import LifecycleModel
import Testing
import TraceText
import Traces

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct FindingCauseTests {
  private func findings(_ notation: String) throws -> [Finding] {
    Analyzer.analyze(try TraceNotation.parse(notation)).findings
  }

  @Test func theRulesOfACauseAreRanked() {
    let shares = RuleRegistry.all.compactMap(\.description.cause)
    for cause in FindingCause.allCases {
      let ranks = shares.filter { $0.cause == cause }.map(\.rank).sorted()
      #expect(ranks.count > 1 && ranks == Array(1...ranks.count), "\(cause)")
    }
  }

  private static let leak = """
    0s - profile mode=app os=18.2 background-modes=none hooks=app-delegate,tasks,system
    1s main task.begin task:1 "sync" handler=true
    2s main call applicationDidEnterBackground app
    2.1s main return applicationDidEnterBackground app
    30s main task.expire task:1
    30.1s main task.expired task:1
    36s - kill app code=0x8badf00d

    """

  @Test func oneLeakedTaskIsOneFinding() throws {
    let findings = try findings(Self.leak)
    let leak = try #require(findings.first { $0.rule == "task-leak-at-suspend" })
    #expect(
      leak.dependents.map(\.rule)
        == ["task-one-end", "task-end-in-expiration", "budget-assertion-total"])
    let dependents = Set(leak.dependents.map(\.rule))
    #expect(findings.allSatisfy { !dependents.contains($0.rule) })
    #expect(leak.dependents.allSatisfy { $0.dependents.isEmpty && $0.severity <= leak.severity })
  }

  @Test func twoLeakedTasksAreTwo() throws {
    let notation = Self.leak.replacing(
      "2s main call", with: "1.5s main task.begin task:2 \"upload\" handler=true\n2s main call")
    let leaks = try findings(notation).filter { $0.rule == "task-leak-at-suspend" }
    #expect(leaks.map(\.subject) == [.task(1), .task(2)])
    #expect(leaks.map { $0.dependents.contains { $0.rule == "task-one-end" } } == [true, true])
  }

  @Test func oneUpdateOfTheInterfaceIsOneFinding() throws {
    let findings = try findings(
      """
      0s - profile mode=app hooks=app-delegate,work,system
      0s - process.start app launch=user
      0.5s main call applicationDidBecomeActive app
      0.6s main return applicationDidBecomeActive app
      1s main call applicationWillResignActive app
      1.1s main return applicationWillResignActive app
      2s main call applicationDidEnterBackground app
      2.1s main return applicationDidEnterBackground app
      2.2s - snapshot.begin app
      2.3s - snapshot.end app
      8s main work ui app "hidePassword"
      """)

    let late = findings.filter { $0.culprit?.name == WorkCategory.ui.symbol }
    #expect(late.count == 1)
    let rules = late.flatMap { [$0.rule] + $0.dependents.map(\.rule) }
    #expect(Set(rules).isSubset(of: ["work-ui-adjust-in-time", "work-ui-in-background"]))
  }

  @Test func rulesThatNameOtherCausesStandAlone() throws {
    let findings = try findings(Self.leak.replacing("handler=true", with: "handler=false"))
    #expect(findings.contains { $0.rule == "task-missing-handler" && $0.dependents.isEmpty })
  }

  /// Joining takes nothing away and adds nothing.
  @Test(arguments: 0..<40) func everyFindingIsStillThere(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let rules = RuleRegistry.all.map(\.description)
      .filter { $0.cause != nil || ["lost-events", "ident-main-thread"].contains($0.id) }
    let findings = (0..<60).map { index in
      let event = Event(
        sequence: UInt64(Int.random(in: 0..<6, using: &generator)) + 1,
        instant: Instant(nanoseconds: .seconds(Int64(Int.random(in: 0..<4, using: &generator)))),
        writer: .main,
        verb: Int.random(in: 0..<2, using: &generator) == 0 ? .taskBegin : .acquire,
        subject: .task(UInt32(Int.random(in: 0..<3, using: &generator))))
      let rule = rules[Int.random(in: 0..<rules.count, using: &generator)]
      var finding = Finding(
        rule: rule.id,
        severity: Severity.allCases[Int.random(in: 0..<3, using: &generator)],
        subject: event.subject,
        message: "\(index)", witnesses: [Finding.Witness(role: .culprit, event: event)],
        elapsed: nil, allowed: nil, profile: Profile(), occurrences: 1, fingerprint: "",
        ordinal: UInt64(index))
      finding.cause = rule.cause
      return finding
    }

    let joined = FindingCause.join(findings)
    let flat = joined.flatMap { [$0] + $0.dependents }
    #expect(flat.map(\.message).sorted() == findings.map(\.message).sorted(), "seed \(seed)")
    for finding in joined {
      let rules = [finding.rule] + finding.dependents.map(\.rule)
      #expect(Set(rules).count == rules.count, "seed \(seed)")
      #expect(finding.dependents.allSatisfy { $0.severity <= finding.severity }, "seed \(seed)")
    }
  }
}
