import Testing

@testable import LifecycleModel

/// The words that every vocabulary begins with.
@Suite struct WellKnownTests {
  private func check<Word: WellKnown & Equatable>(_: Word.Type) {
    let vocabulary = Vocabulary()
    for word in Word.allCases {
      #expect(Word(word.symbol) == word && !word.symbol.isNone, "\(word)")
      #expect(vocabulary.symbol(word.rawValue) == word.symbol, "\(word)")
      #expect(vocabulary.text(word.symbol) == word.rawValue)
      #expect(word.symbol.rawValue < WellKnownWords.count)
    }
    #expect(Set(Word.allCases.map(\.symbol)).count == Word.allCases.count)
    #expect(Word(Symbol(rawValue: UInt32(WellKnownWords.count))) == nil)
    #expect(Word(.none) == nil)
  }

  /// What looks a word up without hashing counts on the order of the cases.
  @Test func callbacksAndNotificationsAreLookedUp() {
    for word in Callback.allCases {
      #expect(word.symbol == WellKnownWords.symbol(word.rawValue), "\(word)")
      #expect(Callback(word.symbol) == word)
      #expect((word.hook == .appDelegate) == word.rawValue.hasPrefix("application"), "\(word)")
    }
    for word in LifecycleNotification.allCases {
      #expect(word.symbol == WellKnownWords.symbol(word.rawValue), "\(word)")
      #expect(LifecycleNotification(word.symbol) == word)
      #expect((word.hook == .sceneNotifications) == word.rawValue.hasPrefix("UIScene."), "\(word)")
    }

    #expect(Callback(LifecycleNotification.applicationDidBecomeActive.symbol) == nil)
    #expect(LifecycleNotification(Callback.applicationDidBecomeActive.symbol) == nil)
    let beyond = Symbol(rawValue: UInt32(WellKnownWords.count))
    #expect(Callback(beyond) == nil && LifecycleNotification(beyond) == nil)
  }

  @Test func everyFamilyIsKnownByItsSymbols() {
    check(Callback.self)
    check(LifecycleNotification.self)
    check(WorkCategory.self)
    check(Resource.self)
    check(Delivery.self)
    check(SampledValue.self)
    check(GapCause.self)
    check(AttributeKey.self)
    #expect(WellKnownWords.symbol("no such word") == nil)
    #expect(WellKnownWords.text(.none) == "")
  }

  @Test func theCodesOfVerbsAreDense() {
    #expect(Verb.known.map { Int($0.code) } == Array(1...Verb.known.count))
    #expect(Verb.known.count < Verb.knownCodes)
    for verb in Verb.known {
      #expect(verb.word.flatMap(Verb.init(word:)) == verb)
      #expect(verb.takesName != nil && verb.isKnown)
    }

    #expect(Set(Verb.known.compactMap(\.word)).count == Verb.known.count)
    for code in [0, UInt8(Verb.known.count + 1), 63, 64, 255] {
      #expect(Verb(code: code).word == nil && Verb(code: code).takesName == nil, "\(code)")
    }
    #expect(Verb(word: "") == nil && Verb(word: "Call") == nil)
  }

  @Test func everyTransitionIsReadBack() {
    #expect(Transition.all.count == 5 * 5 + 4 * 4)
    for transition in Transition.all {
      #expect(Transition(transition.text) == transition)
      #expect(WellKnownWords.text(transition.symbol) == transition.text)
    }
    let other = Transition("a->b->c")
    #expect(other?.from == "a" && other?.to == "b->c" && other?.symbol == Symbol.none)
    for text in ["", "->", "a->", "->b", "a-b", "a>b", "active"] {
      #expect(Transition(text) == nil, "\(text)")
    }
  }

  @Test func aCallbackAndItsNotificationAreOfOneKind() {
    for callback in Callback.allCases {
      let ofScene = callback.hook == .sceneDelegate
      #expect([.sceneDelegate, .appDelegate].contains(callback.hook), "\(callback)")
      guard let notification = callback.notification else { continue }
      #expect(
        notification.hook == (ofScene ? .sceneNotifications : .appNotifications), "\(callback)")
    }
  }
}
