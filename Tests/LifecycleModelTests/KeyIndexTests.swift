import Testing
import Traces

@testable import LifecycleModel

/// The index of a table, held against a dictionary.
@Suite struct KeyIndexTests {
  /// Few keys come again and again, so that places are taken and given up; some are equal in their low or
  /// high bits.
  @Test(arguments: UInt64(1)...20) func theIndexIsTheDictionary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = KeyIndex()
    var plain: [UInt64: Int] = [:]

    for step in 0..<2_000 {
      let low = UInt64.random(in: 0..<90, using: &random)
      let key = low << UInt64([0, 32, 57].randomElement(using: &random) ?? 0)
      if random.oneIn(3) {
        index.remove(key)
        plain[key] = nil
      } else {
        index.update(key, step)
        plain[key] = step
      }
      #expect(index.position(key) == plain[key], "seed \(seed), step \(step)")
    }

    for (key, position) in plain { #expect(index.position(key) == position, "seed \(seed)") }
    index.removeAll()
    #expect(plain.keys.allSatisfy { index.position($0) == nil }, "seed \(seed)")
  }
}
