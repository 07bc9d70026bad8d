/// The positions of the entries of a table, found by keys of 64 bits.
///
/// An open hash table with linear probing. Its hash is seeded, so that no log can be made of keys that
/// collide. Cost: about a dozen instructions a question.
@usableFromInline
package struct KeyIndex: Sendable {
  private static let vacant = -1

  /// Keys with the positions of their entries; a power of two of them, at most half of them in use.
  private var slots: [(key: UInt64, position: Int)] = []
  private var count = 0
  private var mask = -1
  private var seed: UInt64 = 0

  @usableFromInline
  package init() {}

  /// The position of a key's entry.
  @usableFromInline
  package func position(_ key: UInt64) -> Int? {
    if count == 0 { return nil }
    return slots.withUnsafeBufferPointer { slots in
      let position = slots[KeyIndex.place(key, slots, mask, seed)].position
      return position == KeyIndex.vacant ? nil : position
    }
  }

  /// Says where a key's entry is.
  @usableFromInline
  package mutating func update(_ key: UInt64, _ position: Int) {
    if 2 * (count + 1) > slots.count { grow() }
    let (mask, seed) = (mask, seed)
    slots.withUnsafeMutableBufferPointer { slots in
      let place = KeyIndex.place(key, UnsafeBufferPointer(slots), mask, seed)
      if slots[place].position == KeyIndex.vacant { count += 1 }
      slots[place] = (key, position)
    }
  }

  /// Forgets a key, if it is there.
  @usableFromInline
  package mutating func remove(_ key: UInt64) {
    if count == 0 { return }
    let (mask, seed) = (mask, seed)
    slots.withUnsafeMutableBufferPointer { slots in
      var hole = KeyIndex.place(key, UnsafeBufferPointer(slots), mask, seed)
      guard slots[hole].position != KeyIndex.vacant else { return }
      count -= 1

      // Whoever was pushed on by what goes moves up.
      var next = (hole + 1) & mask
      while slots[next].position != KeyIndex.vacant {
        let home = KeyIndex.hash(slots[next].key, seed) & mask
        if (next - home) & mask >= (next - hole) & mask {
          slots[hole] = slots[next]
          hole = next
        }
        next = (next + 1) & mask
      }
      slots[hole].position = KeyIndex.vacant
    }
  }

  @usableFromInline
  package mutating func removeAll() { self = KeyIndex() }

  /// Where a key is, or would be.
  @inline(__always)
  private static func place(
    _ key: UInt64, _ slots: UnsafeBufferPointer<(key: UInt64, position: Int)>, _ mask: Int,
    _ seed: UInt64
  ) -> Int {
    var place = hash(key, seed) & mask
    while slots[place].position != vacant && slots[place].key != key { place = (place + 1) & mask }
    return place
  }

  @inline(__always)
  private static func hash(_ key: UInt64, _ seed: UInt64) -> Int {
    var hash = key ^ seed
    hash = (hash ^ hash >> 32) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private mutating func grow() {
    if slots.isEmpty { seed = UInt64.random(in: .min ... .max) }
    let old = slots
    slots = Array(repeating: (0, KeyIndex.vacant), count: max(64, 2 * old.count))
    mask = slots.count - 1
    count = 0
    for slot in old where slot.position != KeyIndex.vacant { update(slot.key, slot.position) }
  }
}
