import TraceLog
import Traces

/// Changes a ring where it holds something: in numbers of its header, of its lanes and of their records.
struct RingMutator {
  private static let numbers: [UInt64] = [
    0, 1, 2, 7, 63, 64, 65, 4095, 4096, 1 << 31, 1 << 32, 1 << 63, .max, .max - 1,
  ]

  private var random: SeededGenerator

  /// Makes a mutator; equal seeds choose equally.
  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A ring that differs from `bytes`, and is as long.
  mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    let places = stride(from: 0, to: bytes.count - 7, by: 8).filter { place in
      // Pages begin with headers; what is zero behind them was never written.
      place % RingFormat.page < 320 || bytes[place..<place + 8].contains { $0 != 0 }
    }
    var ring = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let place = places.randomElement(using: &random) else { break }
      change(&ring, at: place)
    }
    return ring
  }

  private mutating func change(_ ring: inout [UInt8], at place: Int) {
    var number = (0..<8).reduce(UInt64(0)) { $0 | UInt64(ring[place + $1]) << UInt64(8 * $1) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: number = RingMutator.numbers.randomElement(using: &random) ?? 0
    case 1: number &+= UInt64.random(in: 0...8, using: &random) &- 4
    case 2: number ^= 1 << UInt64.random(in: 0..<64, using: &random)
    default: number = random.next() >> UInt64.random(in: 0..<64, using: &random)
    }
    for index in 0..<8 { ring[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  }
}
