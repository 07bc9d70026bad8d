/// The words of one trace: its strings, writers, unknown verbs and attribute lists.
///
/// A vocabulary grows by what is distinct in a trace. Who reads a long one tells it from time to time
/// what is still in use, see ``forget(except:)``. It belongs to the thread that reads or makes the
/// trace: it is not `Sendable`.
public final class Vocabulary {
  /// A vocabulary is full: the trace has more distinct words of one kind than ids.
  public struct Overflow: Error, Hashable, CustomStringConvertible {
    /// What there is too much of, with the limit.
    public let description: String
  }

  private var texts = WellKnownWords.texts
  private var symbols: [String: Symbol] = [:]
  private var writerNames = [Vocabulary.systemWriter, Vocabulary.mainWriter]
  private var writers: [String: WriterID] = [
    Vocabulary.systemWriter: .system, Vocabulary.mainWriter: .main,
  ]
  private var unknownVerbs: [String] = []
  private var holders: [String: UInt64] = [:]
  private var holderBytes = 0
  private var attributeLists: [[Attribute]] = [[]]
  private var attributeIDs: [[Attribute]: AttributesID] = [:]
  /// Ids that were forgotten and may be given to other words.
  private var freeSymbols: [UInt32] = []
  private var freeAttributes: [UInt32] = []
  /// How often words were forgotten: who remembers ids of words compares it.
  package private(set) var generation = 0
  /// What the source holds back of the trace, which no reader has seen: its words are never forgotten.
  package var heldBack = VocabularyUse()
  /// From this many words on, or this many bytes, it is worth while to forget some.
  private var limit = Vocabulary.smallLimit
  private var byteLimit = Vocabulary.smallByteLimit

  private static let smallLimit = 1 << 16
  /// What a log takes from a block goes into it many times.
  private static let smallByteLimit = 8 << 20
  private static let mostHolders = 1 << 16

  /// How the notation writes the system.
  public static let systemWriter = "-"
  /// How the notation writes the main thread.
  public static let mainWriter = "main"

  /// Whether it is the name of the system or of the main thread, which every log has.
  package static func isRole(_ writer: String) -> Bool {
    writer == systemWriter || writer == mainWriter
  }

  /// Makes a vocabulary that knows the words of the article `Events`.
  public init() {}

  /// The symbol of `text`, which is interned at the first call.
  ///
  /// Cost: a dictionary look-up.
  public func symbol(_ text: String) -> Symbol {
    if let symbol = WellKnownWords.symbol(text) ?? symbols[text] { return symbol }
    let symbol = Symbol(rawValue: freeSymbols.popLast() ?? UInt32(texts.count))
    if symbol.rawValue < UInt32(texts.count) {
      texts[Int(symbol.rawValue)] = text
    } else {
      texts.append(text)
    }
    symbols[text] = symbol
    heldBytes += text.utf8.count
    return symbol
  }

  /// The number of a variable that keeps tasks, which is never another one's; `nil` of more than any
  /// app has.
  package func number(ofHolder name: String) -> UInt64? {
    if let number = holders[name] { return number }
    holderBytes += name.utf8.count
    if holders.count >= Vocabulary.mostHolders || holderBytes > Vocabulary.smallByteLimit {
      return nil
    }
    let number = UInt64(holders.count)
    holders[name] = number
    return number
  }

  /// The text of `symbol`; empty when it is not of this vocabulary.
  public func text(_ symbol: Symbol) -> String {
    symbol.rawValue < UInt32(texts.count) ? texts[Int(symbol.rawValue)] : ""
  }

  /// The writer with this name, which gets a number at the first call.
  public func writer(_ name: String) throws(Overflow) -> WriterID {
    if let writer = writers[name] { return writer }
    guard writerNames.count <= Int(UInt16.max) else {
      throw Overflow(description: "more than 65,536 writers in one trace")
    }
    let writer = WriterID(rawValue: UInt16(writerNames.count))
    writerNames.append(name)
    writers[name] = writer
    return writer
  }

  /// The name of `writer`; empty when it is not of this vocabulary.
  public func name(of writer: WriterID) -> String {
    Int(writer.rawValue) < writerNames.count ? writerNames[Int(writer.rawValue)] : ""
  }

  /// The number of writers: raw values below it are in use.
  public var writerCount: Int { writerNames.count }

  /// The verb that is written as `word`; one that is not known gets a code of its own.
  public func verb(_ word: String) throws(Overflow) -> Verb {
    if let verb = Verb(word: word) { return verb }
    if let index = unknownVerbs.firstIndex(of: word) {
      return Verb(code: UInt8(Verb.knownCodes + index))
    }
    guard Verb.knownCodes + unknownVerbs.count <= Int(UInt8.max) else {
      throw Overflow(description: "more than 192 unknown verbs in one trace")
    }
    unknownVerbs.append(word)
    return Verb(code: UInt8(Verb.knownCodes + unknownVerbs.count - 1))
  }

  /// How the notation writes `verb`; empty when it is not of this vocabulary.
  public func word(of verb: Verb) -> String {
    if let word = verb.word { return word }
    let index = Int(verb.code) - Verb.knownCodes
    return unknownVerbs.indices.contains(index) ? unknownVerbs[index] : ""
  }

  /// The id of a list of attributes with distinct keys, which is interned at the first call.
  public func attributes(_ list: [Attribute]) -> AttributesID {
    if list.isEmpty { return .none }
    if let id = AttributesID(onlyLine: list) ?? attributeIDs[list] { return id }
    let id = AttributesID(rawValue: freeAttributes.popLast() ?? UInt32(attributeLists.count))
    if id.rawValue < UInt32(attributeLists.count) {
      attributeLists[Int(id.rawValue)] = list
    } else {
      attributeLists.append(list)
    }
    attributeIDs[list] = id
    heldBytes += Vocabulary.bytes(of: list)
    return id
  }

  /// The list of attributes with this id; empty when it is not of this vocabulary.
  public func attributes(_ id: AttributesID) -> [Attribute] {
    if let line = id.line { return [Attribute(.line, String(line))] }
    return id.rawValue < UInt32(attributeLists.count) ? attributeLists[Int(id.rawValue)] : []
  }

  // MARK: Memory

  /// How many words and attribute lists are held, beside those that every vocabulary has.
  public var heldCount: Int { symbols.count + attributeIDs.count }

  /// How many bytes the texts have that are held; one that stands in several places counts in each.
  public private(set) var heldBytes = 0

  /// Whether so much is held that it is worth while to call ``forget(except:)``.
  public var isLarge: Bool { heldCount > limit || heldBytes > byteLimit }

  private static func bytes(of list: [Attribute]) -> Int {
    list.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }

  /// Forgets all words and attribute lists when there are many, for a reader that keeps no event.
  ///
  /// Call it between two batches. Cost: what is held.
  package func forgetAllIfLarge() {
    if isLarge { forget(except: VocabularyUse()) }
  }

  /// Forgets all words and attribute lists but those in `use`; writers and verbs stay.
  ///
  /// From then on other symbols and ids have no meaning, and may be given to other words. Call it
  /// between two batches, with all that is kept of the events before. Cost: what is held.
  public func forget(except use: VocabularyUse) {
    generation += 1
    for (text, symbol) in symbols
    where !use.symbols.contains(symbol) && !heldBack.symbols.contains(symbol) {
      texts[Int(symbol.rawValue)] = ""
      freeSymbols.append(symbol.rawValue)
      symbols[text] = nil
      heldBytes -= text.utf8.count
    }

    for (list, id) in attributeIDs
    where !use.attributes.contains(id) && !heldBack.attributes.contains(id) {
      attributeLists[Int(id.rawValue)] = []
      freeAttributes.append(id.rawValue)
      attributeIDs[list] = nil
      heldBytes -= Vocabulary.bytes(of: list)
    }
    limit = max(Vocabulary.smallLimit, 2 * heldCount)
    byteLimit = max(Vocabulary.smallByteLimit, 2 * heldBytes)
  }
}

/// The words of a vocabulary that are still in use.
public struct VocabularyUse {
  fileprivate(set) var symbols: Set<Symbol> = []
  fileprivate(set) var attributes: Set<AttributesID> = []

  /// Makes a use of nothing.
  public init() {}

  /// Adds the words of `event`.
  public mutating func add(_ event: Event) {
    symbols.insert(event.name)
    symbols.insert(event.label)
    attributes.insert(event.attributes)
  }

  /// Adds a word.
  public mutating func add(_ word: Symbol) { symbols.insert(word) }

  /// Adds the words of all that `state` holds.
  public mutating func add(_ state: LifecycleState) {
    for opener in state.facts { add(opener.event) }
  }
}
