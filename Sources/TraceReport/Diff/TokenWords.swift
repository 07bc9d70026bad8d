import LifecycleModel
import TraceAnalysis

/// What the events of one run are to a comparison, found by a look-up of numbers.
struct TokenWords {
  /// What an event's token is made of.
  private struct Key: Hashable {
    let nameAndLabel: UInt64
    let verbAndSubject: UInt16

    init(_ event: Event) {
      nameAndLabel = UInt64(event.name.rawValue) << 32 | UInt64(event.label.rawValue)
      verbAndSubject = UInt16(event.verb.code) << 8 | UInt16(event.subjectKind.rawValue)
    }

    /// Where it stands among those that came lately.
    var place: Int {
      let bits = nameAndLabel ^ UInt64(verbAndSubject) << 17
      return Int(truncatingIfNeeded: (bits &* 0x9e37_79b9_7f4a_7c15) >> 54)
    }
  }

  /// What is known of the events with one key.
  struct Word {
    /// The number of the token; see ``TokenWords/unasked`` and ``TokenWords/none``.
    fileprivate var token = TokenWords.unasked
    /// The letter by which orders know them; negative when no order is about them.
    let letter: Int32
    /// Whether they belong to a hook that does not count.
    let isIgnored: Bool
  }

  /// At most this many words are remembered.
  private static let limit = 1 << 16
  /// The number of what was not asked for, and of what is thinned out.
  private static let (unasked, none): (Int32, Int32) = (-2, -1)

  private let vocabulary: Vocabulary
  private let orders: DocumentedOrders
  /// The hooks whose events count; `nil` for all.
  private let chosen: Set<Hook>?
  /// The hooks of which events were seen.
  private(set) var hooks: Set<Hook> = []
  private var places: [Key: Int] = [:]
  /// The keys that came lately, which are found without hashing.
  private var recent = TokenWords.noneRecent
  private static let noneRecent = [(key: Key, word: Int)?](repeating: nil, count: 1024)
  private var words: [Word] = []
  /// The tokens of the ends of what tokens begin, by the number of these.
  private var endings: [Int32] = []
  private var generation: Int
  private var thinning = 0

  init(_ vocabulary: Vocabulary, _ orders: DocumentedOrders, among chosen: Set<Hook>?) {
    (self.vocabulary, self.orders) = (vocabulary, orders)
    // Where a process begins and ends counts in any case.
    self.chosen = chosen?.union([.process])
    generation = vocabulary.generation
  }

  /// Forgets what may mean something else now.
  mutating func forgetOld(_ counts: EpisodeCounts) {
    if generation != vocabulary.generation || places.count > TokenWords.limit {
      places.removeAll()
      recent = TokenWords.noneRecent
      words.removeAll()
      generation = vocabulary.generation
    }
    if thinning != counts.thinning { endings.removeAll() }
    thinning = counts.thinning
  }

  /// The place of an event's word.
  mutating func place(of event: Event) -> Int {
    let key = Key(event)
    if let found = recent[key.place], found.key == key { return found.word }
    let word = places[key] ?? words.count
    if word == words.count {
      places[key] = word
      words.append(Word(letter: orders.letter(of: event) ?? -1, isIgnored: isIgnored(event)))
    }
    recent[key.place] = (key, word)
    return word
  }

  private func isIgnored(_ event: Event) -> Bool {
    guard let chosen, let hook = EventPattern.Alternative(event.verb, event.name).hook else {
      return false
    }
    return !chosen.contains(hook)
  }

  /// The word at a place, until the next call of ``forgetOld(_:)``.
  subscript(place: Int) -> Word { words[place] }

  /// The number of the token of an event whose word is at a place; `nil` when it is thinned out.
  mutating func token(at place: Int, _ event: Event, _ counts: inout EpisodeCounts) -> Int32? {
    if words[place].token == TokenWords.unasked {
      let token = EventToken(event, vocabulary)
      if let hook = token.hook { hooks.insert(hook) }
      words[place].token = counts.number(of: token) ?? TokenWords.none
    }
    let token = words[place].token
    return token < 0 ? nil : token
  }

  /// The number of the token of what ends the things that a token begins, which is of one verb.
  mutating func token(
    _ verb: Verb, ending opener: Int32, _ counts: inout EpisodeCounts
  ) -> Int32? {
    while Int(opener) >= endings.count { endings.append(TokenWords.unasked) }
    if endings[Int(opener)] == TokenWords.unasked {
      let number = counts.token(opener).flatMap { counts.number(of: EventToken(verb, ending: $0)) }
      endings[Int(opener)] = number ?? TokenWords.none
    }
    let token = endings[Int(opener)]
    return token < 0 ? nil : token
  }
}
