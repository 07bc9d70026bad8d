import LifecycleModel
import LifecycleRules
import Testing
import TraceText

@testable import TraceAnalysis

/// What rules are called, and what they say to do.
@Suite struct RuleWordsTests {
  private static let rules = RuleRegistry.all.map(\.description)

  /// A name that a rule has had means one rule, for ever.
  @Test func everyNameMeansOneRule() {
    for rule in Self.rules {
      for name in rule.names {
        #expect(Self.rules.filter { $0.isCalled(name) }.map(\.id) == [rule.id], "\(name)")
      }
    }
    #expect(Self.rules.first { $0.isCalled("r27") }?.id == "active-alternates")
    #expect(Self.rules.first { $0.isCalled("scene-active-alternates") }?.number == 12)
  }

  /// A finding has the fingerprint that it had when its rule was another one, so that baselines hold.
  @Test(arguments: [
    ("applicationDidBecomeActive app", "applicationDidBecomeActive app", "842d61affbd2a787"),
    ("sceneDidBecomeActive scene:1", "sceneDidBecomeActive scene:1", "e490366aa85d43df"),
  ])
  func aFingerprintOutlivesItsRule(opener: String, culprit: String, print: String) throws {
    let mode = opener.hasPrefix("scene") ? "scene" : "app"
    let trace = try TraceNotation.parse(
      """
      0s - profile mode=\(mode) os=18.2 hooks=app-delegate,scene-delegate,app-notifications,scene-notifications
      1s main call \(opener)
      3s main call \(culprit)
      """)
    #expect(Analyzer.analyze(trace).findings.map(\.fingerprint) == [print])
  }

  private static let bareNames = ["will", "did"].flatMap { when in
    ["ResignActive", "BecomeActive", "EnterBackground", "EnterForeground", "FinishLaunching"]
      .map { " " + when + $0 }
  }

  /// Whoever reads what to do can type it: methods have the names that they have in the app's mode.
  @Test func remediesNameMethods() {
    for rule in Self.rules {
      let remedies = [rule.remedy, rule.remedyWithoutScenes, rule.secondEnd?.remedy]
        .compactMap(\.self)
      for remedy in remedies {
        let bare = Self.bareNames.filter { (" " + remedy).contains($0) }
        #expect(bare.isEmpty && !remedy.contains("{"), "\(rule.id): \(remedy)")
        // The documentation says not to use it.
        #expect(!remedy.contains("applicationDidFinishLaunching"), "\(rule.id)")
      }
      let ofScenes = ["sceneWill", "sceneDid"].filter {
        rule.remedyWithoutScenes?.contains($0) ?? false
      }
      #expect(ofScenes == [], "\(rule.id)")
    }
  }

  private func remedy(mode: String, _ prefix: String) throws -> String? {
    let trace = try TraceNotation.parse(
      """
      0s - profile \(mode) hooks=app-delegate,scene-delegate,work
      1s main call \(prefix)DidBecomeActive \(prefix == "scene" ? "scene:1" : "app")
      2s main return \(prefix)WillResignActive \(prefix == "scene" ? "scene:1" : "app")
      3s main work timer \(prefix == "scene" ? "scene:1" : "app") "poll"
      """)
    let finding = try #require(
      Analyzer.analyze(trace).findings.first { $0.rule == "work-timer-while-inactive" })
    return finding.remedy
  }

  @Test func aFindingNamesTheMethodsOfItsMode() throws {
    #expect(try remedy(mode: "mode=scene", "scene") == nil)
    #expect(try remedy(mode: "", "scene") == nil)
    let words = try #require(try remedy(mode: "mode=app", "application"))
    #expect(words.contains("applicationWillResignActive(_:)") && !words.contains("scene"))
  }

  /// A second end is not a missing one: it has its own reason.
  @Test(arguments: [
    ("task-one-end", "1s main task.begin task:1\n2s main task.end task:1\n3s main task.end task:1"),
    (
      "bgtask-complete-once",
      "1s - bgtask.launch a app\n2s main bgtask.complete a app\n3s main bgtask.complete a app"
    ),
    (
      "completion-handlers-called",
      "1s - deliver fetch app\n2s main complete fetch app\n3s main complete fetch app"
    ),
  ])
  func aSecondEndHasItsOwnReason(id: String, lines: String) throws {
    let rule = try #require(Self.rules.first { $0.id == id })
    let trace = try TraceNotation.parse("0s - profile mode=app hooks=tasks,system\n" + lines)
    let finding = try #require(Analyzer.analyze(trace).findings.first { $0.rule == id })
    #expect(finding.why == rule.secondEnd?.why && finding.why != nil)
    #expect(finding.remedy == rule.secondEnd?.remedy)
  }
}
