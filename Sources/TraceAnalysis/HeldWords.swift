import LifecycleModel

extension VocabularyUse {
  /// Whether this build can look at properties: it cannot if reflection metadata was left out.
  static let seesProperties = !Mirror(reflecting: Subject.app).children.isEmpty

  /// Adds the words of all events and symbols that a value holds, however deep.
  ///
  /// A rule need not list what it remembers. Reflection is slow, but words are rarely forgotten.
  mutating func add(wordsIn value: Any) {
    switch value {
    case let event as Event: add(event)
    case let word as Symbol: add(word)
    case is String, is any BinaryInteger: break
    default: for (_, part) in Mirror(reflecting: value).children { add(wordsIn: part) }
    }
  }
}
