import AppLifecycle
import LifecycleModel
import TestTime
import Testing
import TraceAnalysis
import TraceTestSupport

@testable import TraceUIKit

/// What rules can say of an app that behaves, by how it is recorded: never a false finding, and the less is
/// watched, the less they claim.
@MainActor
@Suite(.serialized)
struct LevelTests {
  /// How a life is recorded.
  enum Level: String, CaseIterable {
    case notifications, methods, requested, system
  }

  /// What rules conclude of lives, in all.
  private struct Tally {
    var kept = 0
    var cannotTell = 0
    var findings: [String] = []
  }

  private func tally(_ mode: Profile.Mode, _ level: Level, _ seeds: Range<UInt64>) throws -> Tally {
    var tally = Tally()
    for seed in seeds {
      var bench = LifeBench(mode, seed: seed)
      bench.isGood = true
      bench.options.watchesMethods = level != .notifications
      bench.options.watchesObservers = level == .requested
      bench.options.watchesTimers = level == .requested
      let life: (LifecycleDriver) -> Void = { driver in
        var life = RandomLife(driver, seed: seed)
        life.runQuietly()
      }

      let trace = try level == .system ? bench.told(life) : bench.recorded(life)
      let analysis = try trace.judged().analysis
      for outcome in analysis.outcomes {
        switch outcome.outcome {
        case .satisfied: tally.kept += 1
        case .cannotTell: tally.cannotTell += 1
        default: break
        }
      }
      tally.findings += analysis.findings.map { "seed \(seed): \($0.rule) \($0.message)" }
    }
    return tally
  }

  @Test(arguments: [Profile.Mode.app, .scene])
  func nothingFalseIsFoundAtAnyLevel(mode: Profile.Mode) throws {
    let seeds = Nightly.seeds(10, all: 100)
    var kept: [Int] = []
    for level in Level.allCases {
      let tally = try tally(mode, level, seeds)
      #expect(tally.findings == [], "\(level.rawValue)")
      kept.append(tally.kept)
      let count = Double(seeds.count)
      print(
        "\(mode) \(level.rawValue): cannot tell \(Double(tally.cannotTell) / count), kept",
        Double(tally.kept) / count)
    }

    #expect(kept == kept.sorted())
    #expect(kept[0] > 0)
  }
}
