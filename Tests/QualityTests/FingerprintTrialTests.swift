import AnalysisTestSupport
import Foundation
import TestTime
import Testing
import Traces

/// Fingerprints tell the same bug again, and different bugs apart; `tools/quality fingerprints` looks at
/// ten thousand findings.
@Suite struct FingerprintTrialTests {
  @MainActor @Test(.tags(.nightly)) func theyKeepWhatIsTheSameAndTellApartWhatIsNot() throws {
    let wanted = Nightly.count(250, all: 700)
    var trial = FingerprintTrial()
    var seed: UInt64 = 7_000_000
    while trial.cases < wanted {
      var session = try RandomSession(seed: seed)
      session.run()
      var generator = SeededGenerator(seed: seed)
      trial.run(try session.trace(), &generator)
      seed += 1
    }
    for disguise in Disguise.allCases {
      let tally = try #require(trial.stability[disguise])
      #expect(tally.cases * 7 > wanted, "\(disguise)")
      #expect(Double(tally.kept) >= 0.999 * Double(tally.cases), "\(disguise)")
      #expect(tally.gone * 10 < tally.cases, "\(disguise)")
    }
    #expect(trial.changed == [])
    let collisions = trial.collisions()
    #expect(collisions.bugs * 17 > wanted)
    #expect(
      Double(collisions.shared) <= 0.005 * Double(collisions.pairs),
      "\(collisions.shared) of \(collisions.pairs): \(collisions.examples)")
  }

  /// The trial sees when a fingerprint changes: a finding of another label is none of the same.
  @Test func aDisguiseChangesTheTrace() throws {
    var generator = SeededGenerator(seed: 1)
    var maker = ArbitraryLife(seed: 1)
    let trace = maker.trace(count: 60)
    for disguise in Disguise.allCases {
      let original = disguise.original(trace)
      let disguised = disguise.apply(original, &generator)
      #expect(disguised.trace != original, "\(disguise)")
      #expect(disguised.places.count == original.events.count)
      for (index, place) in disguised.places.enumerated() {
        #expect(disguised.trace.events[place].verb == original.events[index].verb)
      }
    }
  }
}
