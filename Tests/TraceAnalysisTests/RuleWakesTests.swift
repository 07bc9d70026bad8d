import LifecycleModel
import Testing
import Traces

@testable import TraceAnalysis

/// When rules are woken, held against a table of all rules.
@Suite struct RuleWakesTests {
  @Test(arguments: UInt64(1)...20) func theNextIsTheEarliest(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var wakes = RuleWakes()
    var plain = [Nanoseconds](repeating: .max, count: 12)

    for _ in 0..<500 {
      let rule = Int.random(in: 0..<plain.count, using: &random)
      plain[rule] = random.oneIn(3) ? .max : Int64.random(in: .min...40, using: &random)
      wakes.set(rule, plain[rule])
      let next = plain.min() ?? .max
      #expect(wakes.next == next, "seed \(seed)")
      #expect(wakes.rule == (next == .max ? nil : plain.firstIndex(of: next)), "seed \(seed)")
    }

    wakes.removeAll()
    #expect(wakes.next == .max && wakes.rule == nil)
  }
}
