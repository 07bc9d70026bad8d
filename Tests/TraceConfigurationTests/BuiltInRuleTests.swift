import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceText

@testable import TraceConfiguration

/// Built-in rules, written by hand in YAML, find the same.
@Suite struct BuiltInRuleTests {
  /// A rule of the catalogue, and what it needs and looks for in YAML; one of each kind of form.
  private static let copies = [
    "launch-order": """
    hooks: [app-delegate]
    parts:
      - order: &will call applicationWillFinishLaunching
        then: &did call applicationDidFinishLaunching
        how: once
      - order: return applicationDidFinishLaunching
        then:
          - call applicationWillEnterForeground|applicationDidBecomeActive
          - call applicationWillResignActive|applicationDidEnterBackground
          - call sceneWillConnect|sceneWillEnterForeground|sceneDidBecomeActive
          - call sceneWillResignActive|sceneDidEnterBackground|sceneDidDisconnect
        how: once
      - never: *will
        between: {from: *will}
        hooks: [process]
      - never: *did
        between: {from: *did}
        hooks: [process]
    """,
    "scene-connection": """
    hooks: [[scene-delegate, scene-notifications]]
    profile: {scenes: possible}
    parts:
      - order: &connection [call sceneWillConnect, notify UIScene.willConnectNotification]
        then:
          - call sceneWillEnterForeground|sceneDidBecomeActive|sceneWillResignActive
          - call sceneDidEnterBackground|sceneDidDisconnect
          - notify UIScene.willEnterForegroundNotification|UIScene.didActivateNotification
          - notify UIScene.willDeactivateNotification|UIScene.didEnterBackgroundNotification
          - notify UIScene.didDisconnectNotification
        how: begins
        profile: {mode: scene}
        per: scene
        milder:
          severity: warning
          after: &end [call sceneDidDisconnect, notify UIScene.didDisconnectNotification]
          within: 1s
      - never: call sceneWillConnect
        between: {from: call sceneWillConnect, until: *end}
        per: scene
      - never: notify UIScene.willConnectNotification
        between: {from: notify UIScene.willConnectNotification, until: *end}
        per: scene
      - never:
          - call sceneWillConnect|sceneWillEnterForeground|sceneDidBecomeActive
          - call sceneWillResignActive|sceneDidEnterBackground
          - notify UIScene.willConnectNotification|UIScene.willEnterForegroundNotification
          - notify UIScene.didActivateNotification|UIScene.willDeactivateNotification
          - notify UIScene.didEnterBackgroundNotification
        between: {from: *end}
        per: scene
      - never: call sceneDidDisconnect
        between: {from: call sceneDidDisconnect}
        per: scene
      - never: notify UIScene.didDisconnectNotification
        between: {from: notify UIScene.didDisconnectNotification}
        per: scene
    """,
    "files-open-at-resign": """
    hooks: [resources, [app-delegate, scene-delegate]]
    never: return applicationWillResignActive|sceneWillResignActive
    while: {open: acquire file kind!=read by!=system, of: leaving}
    """,
    "suspend-from-background": """
    hooks: [system]
    never: suspend
    while: app-in-foreground
    """,
    "task-missing-handler": """
    hooks: [tasks]
    parts:
      - never: task.begin handler=false by!=system
      - never: bgtask.launch * handler=false
    """,
    "budget-resign": """
    hooks: [[app-delegate, scene-delegate, app-notifications, scene-notifications]]
    profile: {debugger: false}
    budget:
      - call applicationWillResignActive|sceneWillResignActive
      - observe UIApplication.willResignActiveNotification|UIScene.willDeactivateNotification
    of: sum
    warning: 1s
    error: 1s
    until:
      - call applicationDidBecomeActive|applicationDidEnterBackground
      - call sceneDidBecomeActive|sceneDidEnterBackground
      - notify UIApplication.didBecomeActiveNotification|UIScene.didActivateNotification
      - notify UIApplication.didEnterBackgroundNotification|UIScene.didEnterBackgroundNotification
    per: subject
    """,
  ]

  private func copy(of rule: ActiveRule) throws -> ActiveRule? {
    guard let text = Self.copies[rule.description.id] else { return nil }
    let rest = text.split(separator: "\n").map { "    \($0)\n" }.joined()
    let result = ConfigurationFiles.readRules(
      text: """
        patterns:
          - id: copy
            summary: s
            severity: \(rule.description.severity.rawValue)
            why: w
            remedy: r
            clean: 0s - note
            violating: 0s - note ◀
        \(rest)
        """)
    #expect(result.errors == [], "\(rule.description.id)")
    return try #require(result.configuration.ownRules.first).active
  }

  /// The culprits and their severities, and whether there is a doubt.
  private func answers(_ trace: Trace, _ rule: ActiveRule) -> [String] {
    let analysis = Analyzer.analyze(trace, rules: [rule])
    return analysis.allFindings.map { "\($0.ordinal) \($0.severity)" }
      + ["doubt \(analysis.hasDoubts), \(analysis.outcomes[0].checks) checks"]
  }

  @Test func aCopyFindsTheSameInExamplesAndTheirChanges() throws {
    let rules = RuleRegistry.all.filter { Self.copies[$0.description.id] != nil }
    #expect(rules.count == Self.copies.count)
    var copies: [String: ActiveRule] = [:]
    for rule in rules {
      let copy = try copy(of: rule)
      copies[rule.description.id] = copy
      #expect(copy?.description.needs.hooks == rule.description.needs.hooks)
      for example in rule.description.examples {
        let trace = try TraceNotation.parse(
          example.notation.replacing("\(RuleExample.mark)", with: ""))
        let found = copy.map { answers(trace, $0) }
        #expect(found == answers(trace, rule), "\(rule.description.id): \(example.title)")
      }
    }

    var violations = 0
    for mutant in try NotationMutants.all() {
      guard let copy = copies[mutant.rule.description.id] else { continue }
      let expected = answers(mutant.mutant.trace, mutant.rule)
      #expect(answers(mutant.mutant.trace, copy) == expected, "\(mutant.rule.description.id)")
      if expected.count > 1 { violations += 1 }
    }
    #expect(violations > 10, "\(violations)")
  }

  @Test func everyRuleSaysWhatItMeans() {
    for rule in RuleRegistry.all {
      let meaning = RuleMeaning(rule)
      #expect(meaning.english.contains(rule.description.summary))
      if rule.description.patterns.isEmpty {
        #expect(meaning.english.contains("All of it is written in code"))
      } else {
        #expect(meaning.automaton.contains("FOUND"), "\(rule.description.id)")
      }
    }
  }
}
