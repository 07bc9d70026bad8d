import LifecycleModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Takes a file away.
func removeFile(_ path: String) { unlink(path) }

/// Chance that depends on a seed alone, on every platform: SplitMix64, and what workloads draw from it.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// True in one case of `count`.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// The seconds to the next of what happens so many times a second.
  mutating func exponential(_ rate: Double) -> Double {
    -log(Double.random(in: .ulpOfOne..<1, using: &self)) / rate
  }

  mutating func logNormal(median: Double) -> Double {
    let radius = (-2 * log(Double.random(in: .ulpOfOne..<1, using: &self))).squareRoot()
    let angle = Double.random(in: 0..<(2 * .pi), using: &self)
    return median * exp(0.8 * radius * cos(angle))
  }

  /// A period that is up to a fiftieth late.
  mutating func jittered(_ period: Nanoseconds) -> Nanoseconds {
    period + Nanoseconds.random(in: 0...period / 50, using: &self)
  }

  mutating func pick(_ symbols: [Symbol]) -> Symbol {
    symbols[Int.random(in: symbols.indices, using: &self)]
  }
}

/// A span of so many seconds.
func nanoseconds(_ seconds: Double) -> Nanoseconds { Nanoseconds(seconds * 1_000_000_000) }
