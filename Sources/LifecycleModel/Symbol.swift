/// An interned string of one ``Vocabulary``; two symbols of one vocabulary are equal when their
/// texts are.
///
/// The words that the article `Events` names have the same symbol in every vocabulary, see ``WellKnown``.
@frozen
public struct Symbol: Hashable, Sendable {
  /// The index in the vocabulary; 0 is the empty string, "none".
  public let rawValue: UInt32

  /// Makes a symbol of its index.
  @inlinable
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The empty string, which stands for "none".
  @inlinable
  public static var none: Symbol { Symbol(rawValue: 0) }

  /// Whether the symbol is "none".
  @inlinable
  public var isNone: Bool { rawValue == 0 }
}

/// A word of the event vocabulary, which has the same ``Symbol`` in every ``Vocabulary``.
public protocol WellKnown: RawRepresentable, CaseIterable, Sendable where RawValue == String {}

extension WellKnown {
  /// The word's symbol.
  ///
  /// Cost: a dictionary look-up.
  public var symbol: Symbol { WellKnownWords.symbol(rawValue) ?? .none }

  /// The word that `symbol` stands for; `nil` when it is no word of this family.
  public init?(_ symbol: Symbol) {
    guard let text = WellKnownWords.text(symbol), let word = Self(rawValue: text) else {
      return nil
    }
    self = word
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// The place of the case in its declaration.
  ///
  /// Sound because an enumeration without payloads is one byte that numbers its cases in the order in
  /// which they are declared; a test holds every case against `allCases`.
  @inlinable
  @inline(__always)
  package var ordinal: Int { Int(unsafeBitCast(self, to: UInt8.self)) }
}

/// The words of one family and their symbols, looked up without hashing.
struct WordTable<Word: WellKnown>: Sendable {
  private let symbols: [Symbol]
  /// The words by symbol.
  private let words: [Word?]

  init() {
    symbols = Word.allCases.map { WellKnownWords.symbol($0.rawValue) ?? .none }
    var words = [Word?](repeating: nil, count: WellKnownWords.count)
    for (word, symbol) in zip(Word.allCases, symbols) { words[Int(symbol.rawValue)] = word }
    self.words = words
  }

  func symbol(_ word: Word) -> Symbol { symbols[word.ordinal] }

  func word(_ symbol: Symbol) -> Word? {
    symbol.rawValue < UInt32(words.count) ? words[Int(symbol.rawValue)] : nil
  }
}

extension Callback {
  static let table = WordTable<Callback>()

  /// The callback's symbol.
  public var symbol: Symbol { Callback.table.symbol(self) }

  /// The callback that `symbol` stands for; `nil` when it is none.
  public init?(_ symbol: Symbol) {
    guard let word = Callback.table.word(symbol) else { return nil }
    self = word
  }
}

extension LifecycleNotification {
  static let table = WordTable<LifecycleNotification>()

  /// The notification's symbol.
  public var symbol: Symbol { LifecycleNotification.table.symbol(self) }

  /// The notification that `symbol` stands for; `nil` when it is none.
  public init?(_ symbol: Symbol) {
    guard let word = LifecycleNotification.table.word(symbol) else { return nil }
    self = word
  }
}

/// A set of well-known words that is asked without hashing.
package struct SymbolBits: Sendable {
  private var isMember: [Bool]

  package init(_ symbols: some Sequence<Symbol>) {
    isMember = []
    for symbol in symbols { insert(symbol) }
  }

  /// Takes in a well-known word; any other is left out.
  package mutating func insert(_ symbol: Symbol) {
    let index = Int(symbol.rawValue)
    guard index < WellKnownWords.count else { return }
    if isMember.isEmpty { isMember = Array(repeating: false, count: WellKnownWords.count) }
    isMember[index] = true
  }

  package func contains(_ symbol: Symbol) -> Bool {
    let index = Int(symbol.rawValue)
    return index < isMember.count && isMember[index]
  }
}

/// The words that every vocabulary begins with.
public enum WellKnownWords {
  /// The words in the order of their symbols; the first is the empty string.
  static let texts: [String] = {
    var texts = [""]
    var seen: Set<String> = [""]
    func add(_ words: [String]) {
      for word in words where seen.insert(word).inserted {
        texts.append(word)
      }
    }
    add(Callback.allCases.map(\.rawValue))
    add(LifecycleNotification.allCases.map(\.rawValue))
    add(WorkCategory.allCases.map(\.rawValue))
    add(Resource.allCases.map(\.rawValue))
    add(Delivery.allCases.map(\.rawValue))
    add(SampledValue.allCases.map(\.rawValue))
    add(GapCause.allCases.map(\.rawValue))
    add(Transition.all.map(\.text))
    add(AttributeKey.allCases.map(\.rawValue))
    return texts
  }()

  private static let symbols: [String: Symbol] = Dictionary(
    uniqueKeysWithValues: texts.enumerated().map { ($1, Symbol(rawValue: UInt32($0))) })

  /// How many symbols every vocabulary has in common; their raw values are below this.
  public static var count: Int { texts.count }

  /// The symbol of a well-known word; `nil` for any other.
  public static func symbol(_ text: String) -> Symbol? { symbols[text] }

  /// The text of a well-known symbol; `nil` for any other.
  public static func text(_ symbol: Symbol) -> String? {
    symbol.rawValue < UInt32(texts.count) ? texts[Int(symbol.rawValue)] : nil
  }
}
