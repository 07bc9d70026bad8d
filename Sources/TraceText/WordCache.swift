import LifecycleModel

/// Remembers which ids short texts were interned as, by their bytes, so that no string is made of a
/// word that comes again and again.
///
/// Memory: 128 KiB. A text that is not remembered costs what interning it costs.
struct WordCache {
  private static let slots = 1 << 11
  private static let longest = 56

  /// What the id is of; the same text may be of several kinds.
  enum Kind: UInt8 {
    case writer, verb, symbol, attributes
  }

  private struct Slot {
    var id: UInt32 = 0
    var count: UInt8 = 0
    var kind: UInt8 = .max
    var word0, word1, word2, word3, word4, word5, word6: UInt64

    init() {
      (word0, word1, word2, word3, word4, word5, word6) = (0, 0, 0, 0, 0, 0, 0)
    }
  }

  /// The words of a text, with zeros after its end.
  struct Key {
    fileprivate var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    fileprivate var count: UInt8
    fileprivate var kind: UInt8
    fileprivate var slot: Int
  }

  private var table = [Slot](repeating: Slot(), count: WordCache.slots)
  /// The vocabulary forgets words, and then other words get their ids.
  private var generation = 0

  /// The key of a text; `nil` when it is too long to be remembered.
  @inline(__always)
  static func key(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ kind: Kind
  ) -> Key? {
    guard range.count <= longest else { return nil }
    var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)
    var hash = UInt64(range.count) &+ UInt64(kind.rawValue) << 8
    withUnsafeMutableBytes(of: &words) { buffer in
      let target = buffer.baseAddress.unsafelyUnwrapped
      target.copyMemory(
        from: UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped) + range.lowerBound,
        byteCount: range.count)
      var offset = 0
      while offset < range.count {
        let word = target.load(fromByteOffset: offset, as: UInt64.self)
        hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 29
        offset += 8
      }
    }

    return Key(
      words: words, count: UInt8(range.count), kind: kind.rawValue,
      slot: Int(hash >> 40) & (slots - 1))
  }

  /// The id that was remembered for a key.
  @inline(__always)
  func id(_ key: Key) -> UInt32? {
    let slot = table[key.slot]
    guard slot.kind == key.kind, slot.count == key.count, slot.word0 == key.words.0,
      slot.word1 == key.words.1, slot.word2 == key.words.2, slot.word3 == key.words.3,
      slot.word4 == key.words.4, slot.word5 == key.words.5, slot.word6 == key.words.6
    else { return nil }
    return slot.id
  }

  /// Remembers the id of a key, in the place of another.
  mutating func remember(_ id: UInt32, for key: Key) {
    var slot = Slot()
    (slot.id, slot.count, slot.kind) = (id, key.count, key.kind)
    (slot.word0, slot.word1, slot.word2, slot.word3) =
      (key.words.0, key.words.1, key.words.2, key.words.3)
    (slot.word4, slot.word5, slot.word6) = (key.words.4, key.words.5, key.words.6)
    table[key.slot] = slot
  }

  /// Forgets all when `vocabulary` has forgotten words since.
  @inline(__always)
  mutating func follow(_ vocabulary: Vocabulary) {
    if generation == vocabulary.generation { return }
    generation = vocabulary.generation
    for index in table.indices { table[index] = Slot() }
  }
}
