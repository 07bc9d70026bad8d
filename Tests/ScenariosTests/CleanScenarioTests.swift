import AppLifecycle
import Foundation
import LifecycleModel
import LifecycleRules
import Scenarios
import TestTime
import Testing
import TraceAnalysis
import TraceLog

/// A clean scenario, played on one system by an app of one mode.
private struct CleanLife: CustomTestStringConvertible, Sendable {
  static let scenarios = [
    "app-without-scenes", "background-launch", "interruption", "launch-and-leave", "prewarmed",
    "swipe-away", "two-scenes",
  ]
  static let systems = ["12.4", "13.7", "16.7", "18.2", "26.1", "27.0"]

  let scenario: String
  let system: String
  let mode: Profile.Mode

  var testDescription: String { "\(scenario), \(system), \(mode.rawValue)" }
  var major: Int { system.split(separator: ".").first.flatMap { Int($0) } ?? 0 }

  /// Every life that a system has: scenes came with iOS 13, and an app without them opens none.
  static let all: [CleanLife] = {
    var lives: [CleanLife] = []
    for scenario in scenarios {
      for system in systems {
        let app = CleanLife(scenario: scenario, system: system, mode: .app)
        if scenario != "two-scenes" { lives.append(app) }
        let scene = CleanLife(scenario: scenario, system: system, mode: .scene)
        if scene.major >= 13 { lives.append(scene) }
      }
    }
    return lives
  }()

  private static let folders = ["samples/scenarios", "Tests/Inputs/scenarios"].map {
    URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent($0)
  }
  private static let turns = [
    "DidBecomeActive", "WillResignActive", "DidEnterBackground", "WillEnterForeground",
  ]

  /// The scenario's text with the callbacks of the mode.
  private func text() throws -> String {
    let files = CleanLife.folders.map { $0.appendingPathComponent("\(scenario).yml") }
    let file = files.first { FileManager.default.fileExists(atPath: $0.path) } ?? files[0]
    var text = try String(contentsOf: file, encoding: .utf8)
    let (own, other) = mode == .app ? ("application", "scene") : ("scene", "application")
    for turn in CleanLife.turns {
      text = text.replacingOccurrences(of: other + turn, with: own + turn)
    }
    for known in [Profile.Mode.app, .scene] {
      text = text.replacingOccurrences(
        of: "mode: \(known.rawValue)", with: "mode: \(mode.rawValue)")
    }
    return text.contains("mode:") ? text : "app: {mode: \(mode.rawValue)}\n" + text
  }

  /// What is found in the life of a seed.
  @MainActor
  func findings(seed: UInt64) throws -> [Finding] {
    var scenario = try Scenario(yaml: try text())
    scenario.options.os = system
    scenario.options.limits = SystemLimits(osMajor: major)
    (scenario.options.seed, scenario.options.varies) = (seed, true)
    return Analyzer.analyze(try Trace(log: scenario.run(to: .memory).bytes)).findings
  }
}

/// UIKit's own order is never accused, on no system, in no mode, however its times vary.
@MainActor @Suite struct CleanScenarioTests {
  @Test(.tags(.nightly), arguments: CleanLife.all)
  fileprivate func nothingIsFoundInACleanLife(_ life: CleanLife) throws {
    for seed in Nightly.seeds(2, all: 25) {
      let found = try life.findings(seed: seed).map { "\($0.severity) \($0.rule): \($0.message)" }
      #expect(found.isEmpty, "\(life.testDescription), seed \(seed): \(found)")
    }
  }
}
