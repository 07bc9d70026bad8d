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
