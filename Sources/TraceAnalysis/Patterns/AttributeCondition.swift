import LifecycleModel

/// What an event must say of itself, under one key.
package struct AttributeCondition: Hashable, Sendable {
  /// What is asked of the value.
  package enum Test: Hashable, Sendable {
    /// It is one of these. Of an event without the key it is not known.
    case isOneOf(Set<String>)
    /// It is none of these. An event without the key fulfils that; but the system's own lines do not
    /// say all.
    case isNoneOf(Set<String>)
    /// There is one.
    case isSaid
    /// There is none.
    case isNotSaid
  }

  /// The key.
  package let key: AttributeKey
  /// What is asked of its value.
  package let test: Test

  /// Makes a condition.
  package init(_ key: AttributeKey, _ test: Test) { (self.key, self.test) = (key, test) }

  /// Whether the attributes of an event fulfil it; `nil` when they do not say.
  fileprivate func answer(_ attributes: [Attribute], of writer: WriterID) -> Bool? {
    let value = attributes[key]
    return switch test {
    case .isOneOf(let values): value.map(values.contains)
    case .isNoneOf(let values):
      value.map { !values.contains($0) } ?? (writer == .system ? nil : true)
    case .isSaid: value != nil
    case .isNotSaid: value == nil
    }
  }
}

/// Whether an event is one of a pattern's.
enum EventMeaning {
  case meant, notMeant
  /// It does not say this, which decides.
  case unclear(AttributeKey)
}

extension [AttributeCondition] {
  /// What the attributes of `event` make of it, if all else about it is as it should be.
  func meaning(_ event: Event, _ vocabulary: Vocabulary) -> EventMeaning {
    if isEmpty { return .meant }
    let attributes = vocabulary.attributes(event.attributes)
    let answers = map { $0.answer(attributes, of: event.writer) }
    if answers.contains(false) { return .notMeant }
    return answers.firstIndex(of: nil).map { .unclear(self[$0].key) } ?? .meant
  }
}

extension EventPattern {
  /// Only events that say one of these values under a key.
  ///
  /// Whether an event without the key counts is not known, and the rule cannot tell. Where its
  /// absence means no, ask for the key too: see ``saying(_:)``.
  public func `where`(_ key: AttributeKey, is values: String...) -> EventPattern {
    asking(AttributeCondition(key, .isOneOf(Set(values))))
  }

  /// Only events that say none of these values under a key.
  ///
  /// An event without the key counts when code of the app recorded it. What the system's own lines
  /// leave out is not known.
  public func `where`(_ key: AttributeKey, isNot values: String...) -> EventPattern {
    asking(AttributeCondition(key, .isNoneOf(Set(values))))
  }

  /// Only events that say something under a key.
  public func saying(_ key: AttributeKey) -> EventPattern {
    asking(AttributeCondition(key, .isSaid))
  }

  /// Only events that say nothing under a key.
  public func notSaying(_ key: AttributeKey) -> EventPattern {
    asking(AttributeCondition(key, .isNotSaid))
  }

  private func asking(_ condition: AttributeCondition) -> EventPattern {
    eachBranch { $0.attributes.append(condition) }
  }

  /// Whether some of its events must say something of themselves.
  var asksAttributes: Bool { branches.contains { !$0.attributes.isEmpty } }
}
