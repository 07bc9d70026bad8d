import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText
import Traces

/// What the documents leave open, point by point, and the clean example that shows it.
struct UnspecifiedPoint: CustomTestStringConvertible, Sendable {
  let number: Int
  let what: String
  let rule: String
  let example: String

  var testDescription: String { "\(number) \(what): \(rule)" }

  init(_ number: Int, _ what: String, _ rule: String, _ example: String) {
    self.number = number
    self.what = what
    self.rule = rule
    self.example = example
  }

  static let all = [
    UnspecifiedPoint(
      1, "delegate against notification", "ident-delegate-scene-match",
      "the same scene, the call first and the notification first"),
    UnspecifiedPoint(
      1, "delegate against notification", "foreground-before-active",
      "the notification before the call, or alone"),
    UnspecifiedPoint(
      2, "the app's notification against the scene's", "excl-double-observer",
      "both are observed, in either order, and the effect does not repeat"),
    UnspecifiedPoint(
      2, "the app's notification against the scene's", "agg-foreground-once",
      "before the scene's callback, between two scenes, and after the activation"),
    UnspecifiedPoint(
      3, "two scenes in one user action", "ident-delegate-scene-match",
      "two scenes resign together, in any order"),
    UnspecifiedPoint(
      4, "disconnect against discard", "scene-discard-only-permanent",
      "the discard before the disconnect, and after it"),
    UnspecifiedPoint(
      5, "whether the configuration is asked for", "scene-config-before-connect",
      "no request for a known session, one for a new session"),
    UnspecifiedPoint(
      6, "didEnterBackground in a background launch", "order-background-launch-background-call",
      "the event alone, as real devices show it"),
    UnspecifiedPoint(
      6, "didEnterBackground in a background resume", "order-background-launch-background-call",
      "resumed in the background, with and without the call"),
    UnspecifiedPoint(
      7, "how many snapshots, and when", "order-snapshot-after-return",
      "one in light, one in dark, and one more later"),
    UnspecifiedPoint(
      8, "where memory warning, time change and protected data stand", "launch-order",
      "a memory warning, a time change and protected data may come at any time"),
    UnspecifiedPoint(
      9, "onAppear against the scene's phase", "launch-order",
      "views appear before the scene is in the foreground"),
    UnspecifiedPoint(
      10, "the order of expiration handlers", "task-end-in-expiration",
      "the handlers of several tasks come in any order"),
    UnspecifiedPoint(
      11, "protected data against the background", "foreground-from-background",
      "protected data goes before or after the background, the notification before the call"),
  ]
}

@Suite struct UnspecifiedOrderTests {
  @Test func everyPointIsCovered() {
    #expect(Set(UnspecifiedPoint.all.map(\.number)) == Set(1...11))
  }

  @Test(arguments: UnspecifiedPoint.all) func noRuleSpeaksOfIt(_ point: UnspecifiedPoint) throws {
    let rule = try #require(RuleRegistry.all.first { $0.description.id == point.rule })
    let example = try #require(rule.description.examples.first { $0.title == point.example })
    #expect(!example.isViolating && example.problems(under: rule) == [])
    let analysis = Analyzer.analyze(try TraceNotation.parse(example.notation))
    let findings = analysis.findings.filter { !OtherRulesTests.ofWholeLogs.contains($0.rule) }
    #expect(findings.map { "\($0.rule): \($0.message)" } == [])
  }

  /// Lives without scenes, with one, and with several, in all that is not specified drawn by lot.
  @Test(arguments: [0, 1, 2, 3], ["12.1", "18.2", "26.1"])
  func noRuleSpeaksOfWhateverOrder(scenes: Int, os: String) throws {
    if scenes > 0 && os == "12.1" { return }
    for seed in 0..<12 as Range<UInt64> {
      var life = UnspecifiedLife(seed: seed, scenes: scenes, os: os)
      let notation = life.notation()
      var stream = TraceStream(try TraceNotation.parse(notation))
      let analysis = try Analyzer.analyze(&stream)
      let found = analysis.allFindings.map { "\($0.rule): \($0.message)" }
      #expect(found == [], "seed \(seed)\n\(notation)")
      if !found.isEmpty { break }
      // The rules of order had something to look at.
      let satisfied = analysis.outcomes.filter { $0.outcome == .satisfied }.count
      #expect(satisfied > 10)
    }
  }
}
