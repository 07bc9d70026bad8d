import LifecycleModel

/// Remembers which ids short texts were interned as, by their bytes, so that no string is made of a
/// word that comes again and again.
///
/// Memory: 128 KiB, once some words came. A text that is not remembered costs what interning it costs.
final class WordCache {
  private static let slots = 1 << 11
  private static let longest = 56
  /// So many words come before there is a table: who reads one line needs none.
  private static let few = 16

  /// What the id is of; the same text may be of several kinds.
  enum Kind: UInt8 {
    case writer, verb, symbol, attributes

    /// The id that a text is interned as.
    func id(of text: String, in vocabulary: Vocabulary) throws(Vocabulary.Overflow) -> UInt32 {
      switch self {
      case .writer: UInt32(try vocabulary.writer(text).rawValue)
      case .verb: UInt32(try vocabulary.verb(text).code)
      case .symbol, .attributes: vocabulary.symbol(text).rawValue
      }
    }
  }

  /// A text, with zeros after its end; as long as a line of the processor's cache.
  private struct Slot {
    typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    static let empty = Slot(words: (0, 0, 0, 0, 0, 0, 0), id: 0, count: 0, kind: .max)

    var words: Words
    var id: UInt32
    var count: UInt8
    var kind: UInt8
  }

  /// A text in a line, and its place in the table.
  struct Key {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    fileprivate let range: Range<Int>
    fileprivate let kind: UInt8
    fileprivate let slot: Int

    /// Eight bytes of the text, or what is left of it and zeros.
    @inline(__always)
    fileprivate func word(_ index: Int) -> UInt64 {
      bytes.word(of: range.lowerBound + 8 * index..<range.upperBound)
    }
  }

  private var table: UnsafeMutablePointer<Slot>?
  private var misses = 0
  /// The vocabulary forgets words, and then other words get their ids.
  private var generation = 0

  deinit { table?.deallocate() }

  /// The key of a text; `nil` when it is too long to be remembered.
  @inline(__always)
  static func key(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ kind: Kind
  ) -> Key? {
    guard range.count <= longest else { return nil }
    var hash = UInt64(range.count) &+ UInt64(kind.rawValue) << 8
    for index in 0..<(range.count + 7) >> 3 {
      let word = bytes.word(of: range.lowerBound + 8 * index..<range.upperBound)
      hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }

    return Key(
      bytes: bytes, range: range, kind: kind.rawValue, slot: Int(hash >> 40) & (slots - 1))
  }

  /// The id that was remembered for a key.
  @inline(__always)
  func id(_ key: Key) -> UInt32? {
    guard let slot = table.map({ $0 + key.slot }), slot.pointee.kind == key.kind,
      Int(slot.pointee.count) == key.range.count
    else { return nil }
    let words = UnsafeRawPointer(slot)
    for index in 0..<(key.range.count + 7) >> 3
    where words.load(fromByteOffset: 8 * index, as: UInt64.self) != key.word(index) {
      return nil
    }
    return slot.pointee.id
  }

  /// Remembers the id of a key, in the place of another.
  func remember(_ id: UInt32, for key: Key) {
    misses += 1
    if misses < WordCache.few { return }
    let table = self.table ?? makeTable()
    let slot = table + key.slot
    let words = UnsafeMutableRawPointer(slot)
    for index in 0..<(key.range.count + 7) >> 3 {
      words.storeBytes(of: key.word(index), toByteOffset: 8 * index, as: UInt64.self)
    }
    (slot.pointee.id, slot.pointee.count) = (id, UInt8(key.range.count))
    slot.pointee.kind = key.kind
  }

  private func makeTable() -> UnsafeMutablePointer<Slot> {
    let table = UnsafeMutablePointer<Slot>.allocate(capacity: WordCache.slots)
    table.initialize(repeating: .empty, count: WordCache.slots)
    self.table = table
    return table
  }

  /// Forgets all when `vocabulary` has forgotten words since.
  @inline(__always)
  func follow(_ vocabulary: Vocabulary) {
    if generation == vocabulary.generation { return }
    generation = vocabulary.generation
    table?.update(repeating: .empty, count: WordCache.slots)
  }
}
