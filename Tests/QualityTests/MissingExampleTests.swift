import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis

/// Over the violating examples of all rules: what is missing, put where it was due, is what the rule
/// wanted.
@Suite struct MissingExampleTests {
  /// Rules of whose violating examples some, or all, show that something did not come.
  ///
  /// In those of `budget-resign` it came, too late.
  private static let waiting: Set = [
    "audio-location-without-mode", "bgtask-complete-once", "budget-assertion-total",
    "budget-did-enter-background", "budget-exit", "budget-expiration-handler",
    "budget-will-terminate", "completion-handlers-called",
    "data-dirty-at-background", "data-unsaved-after-resign", "work-survives-suspension",
    "data-state-restoration", "notification-promised", "files-open-at-resign", "launch-first-frame",
    "lock-at-suspend", "timer-held-at-suspension", "budget-main-blocked-foreground",
    "foreground-from-background", "foreground-before-active", "order-foreground-implies-active",
    "resign-before-background", "active-alternates",
    "pm-catalyst-end-without-terminate", "pm-recorder-joined-late",
    "recorder-lost-hook", "scene-config-before-connect", "scene-connection", "task-begin-early",
    "task-end-in-expiration", "task-leak-at-suspend", "task-one-end", "task-overwrite-leak",
    "work-alert-presented-at-background", "work-gpu-in-background",
    "work-sensitive-in-snapshot", "work-shared-resource-in-background",
    "work-sockets-in-background",
  ]

  struct Case: CustomTestStringConvertible {
    var rule: ActiveRule
    var example: RuleExample

    var testDescription: String { "\(rule.description.id): \(example.title)" }
  }

  static let cases = RuleRegistry.all.flatMap { rule in
    rule.description.examples.filter(\.isViolating).map { Case(rule: rule, example: $0) }
  }

  @Test func onlyRulesThatWaitForSomethingMissIt() throws {
    var missing: Set<String> = []
    for one in MissingExampleTests.cases {
      let findings = Supplement.findings(try one.example.parse().trace, one.rule)
      if !findings.flatMap(\.missing).isEmpty { missing.insert(one.rule.description.id) }
    }
    #expect(missing.subtracting(MissingExampleTests.waiting).sorted() == [])
    #expect(MissingExampleTests.waiting.subtracting(missing).sorted() == [])
  }

  /// Each kind that would have done, and all that is missing together, makes the finding vanish.
  @Test(arguments: cases) func whatIsMissingWasAwaited(_ one: Case) throws {
    let trace = try one.example.parse().trace
    for finding in Supplement.findings(trace, one.rule) where !finding.missing.isEmpty {
      for choice in Supplement.choices(finding) {
        let left = Supplement.findings(try Supplement.made(trace, [finding], choice), one.rule)
        #expect(
          !left.contains { Supplement.isSame($0, finding) },
          "\(finding.message): \(finding.missing.map(\.words)), \(choice)")
      }
    }
  }
}
