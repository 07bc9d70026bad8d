/// SipHash-2-4: a hash of words that says nothing of them to who does not know the key.
package struct KeyedHash: Sendable {
  private let key: (UInt64, UInt64)

  package init(key: (UInt64, UInt64)) { self.key = key }

  /// A hash by a key that nobody knows.
  package init() { key = (.random(in: .min ... .max), .random(in: .min ... .max)) }

  /// A hash by a key that is made of `salt`: the same salt gives the same hashes.
  package init(salt: String) {
    let bytes = Array(salt.utf8)
    key = (
      KeyedHash(key: (0x6c69_6665, 0x6379_636c)).of(bytes),
      KeyedHash(key: (0x7472_6163, 0x6563_746c)).of(bytes)
    )
  }

  /// The hash of `bytes`.
  package func of(_ bytes: [UInt8]) -> UInt64 {
    var state = State(key)
    var index = 0
    while index + 8 <= bytes.count {
      state.compress(KeyedHash.word(bytes[index..<index + 8]))
      index += 8
    }

    let last = KeyedHash.word(bytes[index...]) | UInt64(truncatingIfNeeded: bytes.count) << 56
    state.compress(last)
    return state.finish()
  }

  /// Up to eight bytes, the lowest first.
  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    init(_ key: (UInt64, UInt64)) {
      v0 = key.0 ^ 0x736f_6d65_7073_6575
      v1 = key.1 ^ 0x646f_7261_6e64_6f6d
      v2 = key.0 ^ 0x6c79_6765_6e65_7261
      v3 = key.1 ^ 0x7465_6462_7974_6573
    }

    mutating func compress(_ word: UInt64) {
      v3 ^= word
      for _ in 0..<2 { round() }
      v0 ^= word
    }

    mutating func finish() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { round() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func round() {
      v0 &+= v1
      v1 = State.turned(v1, 13) ^ v0
      v0 = State.turned(v0, 32)
      v2 &+= v3
      v3 = State.turned(v3, 16) ^ v2

      v0 &+= v3
      v3 = State.turned(v3, 21) ^ v0
      v2 &+= v1
      v1 = State.turned(v1, 17) ^ v2
      v2 = State.turned(v2, 32)
    }

    private static func turned(_ word: UInt64, _ by: UInt64) -> UInt64 {
      word << by | word >> (64 - by)
    }
  }
}
