import LifecycleModel

/// The words of one block while it is encoded: every string, attribute list, unknown verb and
/// writer that it uses, numbered in the order of first use.
///
/// Numbers of symbols and lists are looked up by their ids, which are dense.
struct BlockWords {
  private(set) var texts: [String] = []
  private(set) var lists: [[(key: Int, value: Int)]] = []
  private(set) var unknownVerbs: [Int] = []
  private(set) var writers: [String] = []
  private var textBytes = 0
  /// How many attributes the lists have together.
  private var listedAttributes = 0
  /// Whether the block takes no further word.
  var isFull: Bool {
    textBytes >= LogFormat.fullTextBytes || texts.count >= LogFormat.fullWords
      || listedAttributes >= LogFormat.fullWords
  }
  private var textNumbers: [String: Int] = [:]
  private var symbolNumbers = DenseNumbers()
  /// The number of each attribute list, by its id.
  private(set) var listNumbers = DenseNumbers()
  private var verbNumbers: [UInt8: UInt8] = [:]
  private var writerNumbers = DenseNumbers()
  private let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  // MARK: Events

  /// Numbers the words of an event of a new shape, and returns the number of its writer; `nil` when the
  /// block is full, which it is not before its first event.
  mutating func take(_ event: Event, maxWriters: Int, isFirst: Bool) -> UInt8? {
    guard isFirst || !isFull else { return nil }
    let writer = number(of: event.writer)
    guard writer < maxWriters else {
      dropLastWriter()
      return nil
    }

    _ = number(of: event.name)
    _ = number(of: event.label)
    _ = code(of: event.verb)
    if !event.attributes.isNone, event.attributes.line == nil { _ = number(of: event.attributes) }
    return UInt8(writer)
  }

  /// Numbers an attribute list; false when it is new and the block is full.
  mutating func take(_ list: AttributesID) -> Bool {
    if listNumbers[list.rawValue] != nil { return true }
    guard !isFull else { return false }
    _ = number(of: list)
    return true
  }

  // MARK: Words

  /// The number of `symbol` in the block; 0 stands for none.
  mutating func number(of symbol: Symbol) -> Int {
    if symbol.isNone { return 0 }
    if let number = symbolNumbers[symbol.rawValue] { return number }
    let number = self.number(of: vocabulary.text(symbol))
    symbolNumbers.set(symbol.rawValue, number)
    return number
  }

  private mutating func number(of text: String) -> Int {
    if text.isEmpty { return 0 }
    if let number = textNumbers[text] { return number }
    texts.append(text)
    textBytes += min(text.utf8.count, LogFormat.maxTextBytes)
    textNumbers[text] = texts.count
    return texts.count
  }

  /// The number of an attribute list in the block.
  private mutating func number(of id: AttributesID) -> Int {
    if let number = listNumbers[id.rawValue] { return number }
    let limit = LogFormat.maxAttributeTextBytes
    let list = vocabulary.attributes(id).prefix(LogFormat.maxAttributes)
      .map { (number(of: $0.key.cut(to: limit)), number(of: $0.value.cut(to: limit))) }
    lists.append(list)
    listedAttributes += list.count
    listNumbers.set(id.rawValue, lists.count - 1)
    return lists.count - 1
  }

  /// The code of `verb` in the block: its own, or one from 64 on.
  mutating func code(of verb: Verb) -> UInt8 {
    if verb.isKnown { return verb.code }
    if let code = verbNumbers[verb.code] { return code }
    let code = UInt8(LogFormat.firstUnknownVerb + unknownVerbs.count)
    unknownVerbs.append(number(of: vocabulary.word(of: verb)))
    verbNumbers[verb.code] = code
    return code
  }

  /// The number of `writer` in the block.
  private mutating func number(of writer: WriterID) -> Int {
    let id = UInt32(writer.rawValue)
    if let number = writerNumbers[id] { return number }
    writers.append(vocabulary.name(of: writer).cut(to: LogFormat.maxWriterNameBytes))
    writerNumbers.set(id, writers.count - 1)
    return writers.count - 1
  }

  /// Takes the writer back that was numbered last.
  private mutating func dropLastWriter() {
    writers.removeLast()
    writerNumbers.removeLast()
  }

  /// Forgets all, and keeps the memory.
  mutating func removeAll() {
    texts.removeAll(keepingCapacity: true)
    lists.removeAll(keepingCapacity: true)
    unknownVerbs.removeAll(keepingCapacity: true)
    writers.removeAll(keepingCapacity: true)
    (textBytes, listedAttributes) = (0, 0)
    textNumbers.removeAll(keepingCapacity: true)
    symbolNumbers.removeAll()
    listNumbers.removeAll()
    verbNumbers.removeAll(keepingCapacity: true)
    writerNumbers.removeAll()
  }
}

/// Numbers by dense ids, forgotten in time that grows with the numbers and not with the ids.
struct DenseNumbers {
  /// The number of each id, plus one.
  private var places: [UInt32] = []
  private var ids: [UInt32] = []

  subscript(_ id: UInt32) -> Int? {
    let place = Int(id) < places.count ? Int(places[Int(id)]) : 0
    return place == 0 ? nil : place - 1
  }

  mutating func set(_ id: UInt32, _ number: Int) {
    if Int(id) >= places.count {
      places.append(contentsOf: repeatElement(0, count: Int(id) + 1 - places.count))
    }
    places[Int(id)] = UInt32(number + 1)
    ids.append(id)
  }

  /// Forgets the number that was set last.
  mutating func removeLast() { places[Int(ids.removeLast())] = 0 }

  mutating func removeAll() {
    for id in ids { places[Int(id)] = 0 }
    ids.removeAll(keepingCapacity: true)
  }
}

extension String {
  /// The text, or as much of it as fits `limit` bytes with an ellipsis at its end.
  func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: limit - 3)
    while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(decoding: utf8[..<end], as: UTF8.self) + "…"
  }
}
