import Foundation
import LifecycleModel
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceConfiguration

/// What a configuration does.
@Suite struct ConfigurationTests {
  private func configuration(_ text: String) throws -> Configuration {
    let result = ConfigurationFiles.read(text: text)
    try #require(result.errors == [])
    return result.configuration
  }

  private func analysis(
    _ notation: String, _ configuration: Configuration, today: String = "2026-06-15"
  ) throws -> Analysis {
    let trace = try TraceNotation.parse(notation)
    var analysis = Analyzer.analyze(trace, rules: configuration.activeRules)
    let day = try #require(CalendarDay(today))
    configuration.suppress(&analysis, trace.vocabulary, today: day)
    return analysis
  }

  private static let gap = "1s - gap ring-full 3"

  @Test func rulesAreSwitchedAndGraded() throws {
    #expect(try analysis(Self.gap, Configuration()).findings.map(\.rule) == ["lost-events"])
    let off = try configuration("rules: {lost-events: off}")
    #expect(try analysis(Self.gap, off).findings.isEmpty)
    #expect(off.activeRules.count == RuleRegistry.all.count - 1)
    #expect(off.knownRules.count == RuleRegistry.all.count)
    for severity in Severity.allCases {
      let graded = try configuration("rules: {lost-events: {severity: \(severity.rawValue)}}")
      #expect(try analysis(Self.gap, graded).worst == severity)
    }
  }

  /// R12 and the like are what reports print.
  @Test func rulesAreNamedByTheirNumbersToo() throws {
    let off = try configuration("rules: {R78: off, r83: info}")
    #expect(!off.activeRules.contains { $0.description.number == 78 })
    #expect(off.rules["lock-at-suspend"]?.severity == .info)
    let accepted = try configuration("suppressions: [{rule: R78, reason: known}]")
    #expect(accepted.suppressions.map(\.rule) == ["task-leak-at-suspend"])

    let twice = ConfigurationFiles.read(text: "rules:\n  R78: off\n  task-leak-at-suspend: on\n")
    #expect(
      twice.errors.map(\.description)
        == [".tracectl.yml:3:3: error: task-leak-at-suspend is already set at .tracectl.yml:2"])
    let unknown = ConfigurationFiles.read(text: "rules: {R999: off}")
    #expect(unknown.errors.map(\.message) == ["expected a rule, found \"R999\""])
  }

  /// What `config init` writes says nothing, and every part of it is right.
  @Test func theTemplateIsRight() throws {
    #expect(try configuration(ConfigurationTemplate.text).rules.isEmpty)
    let lines = ConfigurationTemplate.text.split(separator: "\n", omittingEmptySubsequences: false)
    let prose = /#( [A-Z][a-z]+[ ,].*| tracectl (explain|analyze) .*| above\. .*|)/
    let yaml = lines.filter { $0.wholeMatch(of: prose) == nil }
      .map { $0.hasPrefix("# ") ? String($0.dropFirst(2)) : String($0) }
    let all = try configuration(yaml.joined(separator: "\n"))
    #expect(all.rules.count == 3 && all.budgetCount == 1 && all.suppressions.count == 1)
    #expect(all.failOn?.value == "warning" && all.strict?.value == false)
    #expect(all.baseline?.value == "tracectl-baseline.jsonl" && all.formats.count == 1)
    #expect(all.ownRules.count == 2)
    for rule in all.ownRules { #expect(rule.failures.isEmpty, "\(rule.failures)") }
    for key in ConfigurationKeys.names where key != "rule-files" {
      #expect(yaml.contains { $0.hasPrefix("\(key):") }, "\(key) is not in the template")
    }
  }

  @Test func suppressionsHoldUntilTheirLastDay() throws {
    let accepted = try configuration(
      "suppressions: [{rule: lost-events, reason: known, expires: 2026-06-15}]")
    let then = try analysis(Self.gap, accepted, today: "2026-06-15")
    #expect(then.worst == nil)
    #expect(then.findings.first?.suppression?.reason == "known")
    #expect(then.suppressions.map(\.state) == [.used])

    let later = try analysis(Self.gap, accepted, today: "2026-06-16")
    #expect(later.worst == .warning)
    #expect(later.findings.first?.suppression == nil)
    #expect(later.suppressions.map(\.state) == [.expired])
    #expect(later.suppressions.map(\.count) == [1])
  }

  @Test func whatASuppressionAsksForMustBeSo() throws {
    let text = """
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidEnterBackground scene:1
      """

    let rule = "resign-before-background"
    let plain = try analysis(text, Configuration())
    let found = try #require(plain.findings.first { $0.rule == rule })
    func state(_ more: String) throws -> SuppressionUse.State? {
      let configuration = try configuration("suppressions: [{rule: \(rule), reason: x, \(more)}]")
      return try analysis(text, configuration).suppressions.first?.state
    }
    #expect(try state("subject: 'scene:1'") == .used)
    #expect(try state("subject: scene") == .used)
    #expect(try state("subject: 'scene:2'") == .unused)
    #expect(try state("subject: app") == .unused)
    #expect(try state("label: x") == .unused)
    #expect(try state("fingerprint: '\(found.fingerprint)'") == .used)
    #expect(try state("fingerprint: '0123456789abcdef'") == .unused)
  }

  @Test func budgetsAreRules() throws {
    let configuration = try configuration(
      """
      budgets:
        - {callback: sceneDidBecomeActive, role: window, warning: 100ms, error: 1s}
        - {label: sync, error: 1m, clock: wall}
      """)

    let ids = configuration.ownRules.map(\.description.id)
    #expect(ids == ["own-budget-scene-did-become-active-window", "own-budget-sync"])
    let analysis = try analysis(
      """
      0s - profile mode=scene hooks=scene-delegate,work,resources,tasks,system,scene-notifications,app-notifications
      0s - process.start app
      1s main call sceneWillConnect scene:1 role=window
      1s main call sceneWillConnect scene:2 role=external
      2s main call sceneDidBecomeActive scene:1
      2.5s main return sceneDidBecomeActive scene:1
      3s main call sceneDidBecomeActive scene:2
      3.5s main return sceneDidBecomeActive scene:2
      10s main work.begin network app "sync"
      11s - suspend app
      80s - resume app
      81s main work.end network app "sync"
      """, configuration)

    let own = analysis.allFindings.filter { ids.contains($0.rule) }
    #expect(own.map(\.ordinal) == [5, 9])
    #expect(own.map(\.severity) == [.warning, .error])
    #expect(own.first?.subject == .scene(1))
  }

  @Test func theNearestFileAboveHolds() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tracectl-configuration-\(UUID().uuidString)")
    let inner = folder.appendingPathComponent("a/b")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let upper = folder.appendingPathComponent(".tracectl.yml")
    try Data("fail-on: error\n".utf8).write(to: upper)
    #expect(
      ConfigurationFiles.find(from: inner.path) == upper.standardizedFileURL.path)

    let lower = folder.appendingPathComponent("a/.tracectl.yml")
    try Data("rule-files: ['../r*.yaml']\n".utf8).write(to: lower)
    #expect(ConfigurationFiles.find(from: inner.path) == lower.standardizedFileURL.path)
    let rules = try #require(PatternsArticleTests.blocks.first)
    try Data(rules.utf8).write(to: folder.appendingPathComponent("rules.yaml"))

    let result = try ConfigurationFiles.read(lower.path, told: "a/.tracectl.yml")
    #expect(result.errors == [])
    #expect(result.configuration.files == ["a/.tracectl.yml", "a/../rules.yaml"])
    #expect(
      result.configuration.ownRules.map(\.description.id) == ["analytics-quiet-in-background"])
    #expect(throws: ConfigurationFiles.Unreadable.self) {
      try ConfigurationFiles.read(folder.appendingPathComponent("no.yml").path)
    }
  }

  @Test func hooksCanBeRequired() throws {
    let configuration = try configuration("requires-hooks: [tasks, scene-delegate]\nstrict: true\n")
    #expect(configuration.requiredHooks.map(\.value) == [.tasks, .sceneDelegate])
    func missing(_ hooks: String) throws -> (hooks: [Hook], isInconclusive: Bool) {
      let trace = try TraceNotation.parse(
        "0s - profile mode=scene \(hooks)\n1s main call sceneDidBecomeActive scene:1")
      var analysis = Analyzer.analyze(trace)
      configuration.annotate(&analysis)
      return (analysis.missingHooks, analysis.isInconclusive)
    }

    #expect(try missing("hooks=scene-delegate,tasks").hooks == [])
    // That many rules have no hooks makes a log of what it claims no worse.
    #expect(try missing("hooks=scene-delegate,tasks").isInconclusive == false)
    #expect(try missing("hooks=scene-delegate") == ([.tasks], true))
    #expect(try missing("").hooks == [.tasks, .sceneDelegate])
  }

  @Test func theOverviewSaysWhereEachValueCameFrom() throws {
    let configuration = try configuration(
      "fail-on: error\nrules:\n  lost-events: info\noutput: {color: never}\nstrict: true\n"
        + "baseline: known.jsonl\nprofile:\n  mode: scene\n  background-modes: [audio, voip]\n")
    let day = try #require(CalendarDay("2026-06-15"))
    let lines = ConfigurationOverview(configuration, today: day).text.split(separator: "\n")
    func origin(_ what: String) -> String? {
      lines.first { $0.hasPrefix(what + " ") }.map {
        String($0.dropFirst(what.count).drop { $0 == " " })
      }
    }

    #expect(origin("fail-on: error") == ".tracectl.yml:1")
    #expect(origin("rules.lost-events: info") == ".tracectl.yml:3")
    #expect(origin("output.color: never") == ".tracectl.yml:4")
    #expect(origin("output.format: text") == "default")
    #expect(origin("strict: true") == ".tracectl.yml:5")
    #expect(origin("baseline: known.jsonl") == ".tracectl.yml:6")
    #expect(origin("profile.mode: scene") == ".tracectl.yml:8")
    #expect(origin("profile.background-modes: audio,voip") == ".tracectl.yml:9")
    #expect(origin("rules.task-count: error") == "default")
  }

  @Test func daysAreDays() {
    #expect(CalendarDay("2028-02-29")?.description == "2028-02-29")
    for text in ["2027-02-29", "2027-13-01", "2027-00-10", "27-01-01", "2027-1-1", "2100-02-29"] {
      #expect(CalendarDay(text) == nil, "\(text)")
    }
  }
}
