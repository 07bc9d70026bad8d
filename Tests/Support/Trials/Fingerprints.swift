import AnalysisTestSupport
import Traces

/// Prints whether fingerprints tell the same bug again, and different bugs apart.
@MainActor
enum Fingerprints {
  static func run(cases: Int?) throws {
    let wanted = cases ?? 10_000
    var trial = FingerprintTrial()
    var seed: UInt64 = 2_000_000
    while trial.cases < wanted {
      var session = try RandomSession(seed: seed)
      session.run()
      var generator = SeededGenerator(seed: seed)
      trial.run(try session.trace(), &generator)
      seed += 1
    }

    print("fingerprints: \(trial.cases) findings in disguise, of \(seed - 2_000_000) sessions")
    for disguise in Disguise.allCases {
      guard let tally = trial.stability[disguise] else { continue }
      print(
        "  \(disguise.rawValue): the same \(RuleQuality.percent(tally.kept, tally.cases)); "
          + "not found again: \(tally.gone)")
    }

    for line in trial.changed { print("    changed: \(line)") }
    let collisions = trial.collisions()
    print("different bugs: \(collisions.bugs)")
    print(
      "  pairs with a fingerprint in common: "
        + RuleQuality.percent(collisions.shared, collisions.pairs))
    print(
      "  of the pairs that one rule finds: "
        + RuleQuality.percent(collisions.shared, collisions.pairsOfOneRule))
    for line in collisions.examples { print("    \(line)") }
  }
}
