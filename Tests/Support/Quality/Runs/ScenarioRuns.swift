import Foundation
import LifecycleModel
import LifecycleRules
import Scenarios
import TraceAnalysis
import TraceLog
import TraceReport

/// Runs of the sample scenarios in virtual time: some days each, in which all varies that documents
/// leave open.
@MainActor
public final class ScenarioRuns {
  /// The scenarios: with scenes and without, with one and with two, in order and with a forgotten timer.
  public static let names = [
    "launch-and-leave", "forgotten-timer", "two-scenes", "app-without-scenes",
  ]

  /// The orders that are compared.
  package nonisolated static let orders = DocumentedOrders(RuleRegistry.all)

  private struct Key: Hashable {
    var name: String
    var seed: UInt64
  }

  private let days: Int
  private var traces: [Key: Trace] = [:]

  /// Makes runs of so many days, as they are asked for.
  public init(days: Int) { self.days = days }

  /// The run of a scenario with a seed.
  public func trace(_ name: String, seed: UInt64) throws -> Trace {
    let key = Key(name: name, seed: seed)
    if let trace = traces[key] { return trace }
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let files = ["samples", "Tests/Inputs"].map {
      root.appendingPathComponent("\($0)/scenarios/\(name).yml")
    }
    let file = files.first { FileManager.default.fileExists(atPath: $0.path) } ?? files[0]
    var scenario = try Scenario(yaml: String(contentsOf: file, encoding: .utf8))
    scenario.options.seed = seed
    scenario.options.varies = true

    let driver = try scenario.run(to: .memory, days: days)
    var reader = try LogReader(bytes: driver.bytes)
    let trace = try reader.readAll()
    traces[key] = trace
    return trace
  }

  /// A side of these runs.
  package nonisolated static func side(_ traces: [Trace]) -> EpisodeCounts {
    var side = EpisodeCounts()
    for trace in traces {
      var collector = EpisodeCollector(trace.vocabulary, orders, into: side)
      collector.observe(trace.events)
      side = collector.finish()
    }
    return side
  }
}
