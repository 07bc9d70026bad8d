import LifecycleModel

/// The texts and attribute lists of the block that is decoded, which enter the vocabulary when a row
/// asks for them.
///
/// A block may hold many words that only its checkpoint uses, which few readers ask for.
struct BlockWordTable {
  /// Of each word where its bytes begin; with the top bit, its id in the vocabulary.
  private var texts: [UInt32] = []
  private var lists: [UInt32] = []
  private var plain = UnsafeRawBufferPointer(start: nil, count: 0)
  private static let isNamed: UInt32 = 1 << 31
  /// Memory for more words than this is given back.
  private static let keptWords = 1 << 16

  /// Finds and checks the words at the beginning of `plain`, which the caller keeps; returns what
  /// follows them.
  mutating func read(_ plain: UnsafeRawBufferPointer) throws(BlockDamage) -> ByteSource {
    self.plain = plain
    var source = ByteSource(plain)
    try readTexts(&source)
    try readLists(&source)
    return source
  }

  private mutating func readTexts(_ source: inout ByteSource) throws(BlockDamage) {
    let count = try source.getCount(limit: LogFormat.maxTexts, "there are too many texts")
    BlockWordTable.empty(&texts, for: count)
    for _ in 0..<count {
      texts.append(UInt32(plain.count - source.rest.count))
      let length = try source.getCount(
        limit: LogFormat.maxTextBytes, "a text exceeds the limit")
      _ = try source.take(length)
    }
  }

  private mutating func readLists(_ source: inout ByteSource) throws(BlockDamage) {
    let count = try source.getCount(
      limit: LogFormat.maxLists, "there are too many attribute lists")
    var room = LogFormat.maxListedAttributes
    BlockWordTable.empty(&lists, for: count)
    for _ in 0..<count {
      lists.append(UInt32(plain.count - source.rest.count))
      let attributes = try source.getCount(
        limit: min(room, LogFormat.maxAttributes), "a list exceeds the limit")
      room -= attributes
      for _ in 0..<2 * attributes { _ = try source.getTextNumber(limit: texts.count) }
    }
  }

  private static func empty(_ words: inout [UInt32], for count: Int) {
    if words.capacity > keptWords && count < words.capacity { words = [] }
    words.removeAll(keepingCapacity: true)
    words.reserveCapacity(count)
  }

  /// How many texts there are; the first one has the number 1.
  var textCount: Int { texts.count }

  /// The text with this number.
  mutating func symbol(_ number: UInt32, in vocabulary: Vocabulary) -> Symbol {
    guard number > 0 else { return .none }
    let place = texts[Int(number) - 1]
    guard place & BlockWordTable.isNamed == 0 else {
      return Symbol(rawValue: place & ~BlockWordTable.isNamed)
    }
    var source = ByteSource(UnsafeRawBufferPointer(rebasing: plain[Int(place)...]))
    let text = try? source.getText(limit: LogFormat.maxTextBytes)
    let symbol = vocabulary.symbol(text ?? "")
    texts[Int(number) - 1] = symbol.rawValue | BlockWordTable.isNamed
    return symbol
  }

  /// The attribute list with this number; none when there is no such list, which a later minor
  /// version may have meant.
  mutating func attributes(_ number: UInt32, in vocabulary: Vocabulary) -> AttributesID {
    guard number < lists.count else { return .none }
    let place = lists[Int(number)]
    guard place & BlockWordTable.isNamed == 0 else {
      return AttributesID(rawValue: place & ~BlockWordTable.isNamed)
    }

    let id = vocabulary.attributes(list(Int(place), in: vocabulary))
    // The top bit of an id says that it is a line.
    if id.line == nil { lists[Int(number)] = id.rawValue | BlockWordTable.isNamed }
    return id
  }

  private mutating func list(_ place: Int, in vocabulary: Vocabulary) -> [Attribute] {
    var source = ByteSource(UnsafeRawBufferPointer(rebasing: plain[place...]))
    var list: [Attribute] = []
    guard let count = try? source.getVarint() else { return list }
    for _ in 0..<count {
      guard let key = try? source.getTextNumber(limit: texts.count),
        let value = try? source.getTextNumber(limit: texts.count)
      else { break }
      let keyText = vocabulary.text(symbol(key, in: vocabulary))
      // No writer of ours repeats a key, and no text form can say it.
      if list.contains(where: { $0.key == keyText }) { continue }
      list.append(Attribute(keyText, vocabulary.text(symbol(value, in: vocabulary))))
    }
    return list
  }
}

extension ByteSource {
  /// Reads the number of a text, which exists.
  @inline(__always)
  mutating func getTextNumber(limit: Int) throws(BlockDamage) -> UInt32 {
    UInt32(
      truncatingIfNeeded: try getCount(limit: limit, "a text number is out of bounds"))
  }
}
