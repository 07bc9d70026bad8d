import LifecycleModel

/// The words of one block while it is encoded: every string, attribute list, unknown verb and
/// writer that it uses, numbered in the order of first use.
///
/// It is asked once for a shape, not once for an event, so dictionaries are good enough.
struct BlockWords {
  private(set) var texts: [String] = []
  private(set) var lists: [[(key: Int, value: Int)]] = []
  private(set) var unknownVerbs: [Int] = []
  private(set) var writers: [String] = []
  private(set) var textBytes = 0
  private var textNumbers: [String: Int] = [:]
  private var symbolNumbers: [UInt32: Int] = [:]
  private var listNumbers: [UInt32: Int] = [:]
  private var verbNumbers: [UInt8: UInt8] = [:]
  private var writerNumbers: [UInt16: Int] = [:]
  private let vocabulary: Vocabulary

  init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// The number of `symbol` in the block; 0 stands for none.
  mutating func number(of symbol: Symbol) -> Int {
    if symbol.isNone { return 0 }
    if let number = symbolNumbers[symbol.rawValue] { return number }
    let number = self.number(of: vocabulary.text(symbol))
    symbolNumbers[symbol.rawValue] = number
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
  mutating func number(of id: AttributesID) -> Int {
    if let number = listNumbers[id.rawValue] { return number }
    let limit = LogFormat.maxAttributeTextBytes
    let list = vocabulary.attributes(id).prefix(LogFormat.maxAttributes)
      .map { (number(of: $0.key.cut(to: limit)), number(of: $0.value.cut(to: limit))) }
    lists.append(list)
    listNumbers[id.rawValue] = lists.count - 1
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
  mutating func number(of writer: WriterID) -> Int {
    if let number = writerNumbers[writer.rawValue] { return number }
    writers.append(vocabulary.name(of: writer).cut(to: LogFormat.maxWriterNameBytes))
    writerNumbers[writer.rawValue] = writers.count - 1
    return writers.count - 1
  }

  /// Takes the writer back that was numbered last.
  mutating func dropLastWriter() {
    writers.removeLast()
    let dropped = writers.count
    writerNumbers = writerNumbers.filter { $0.value != dropped }
  }

  /// Forgets all.
  mutating func removeAll() { self = BlockWords(vocabulary) }
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
