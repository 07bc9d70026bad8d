import LifecycleModel
import TraceAnalysis

/// The tokens of a run's events, found by a look-up of numbers.
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

  /// At most this many keys are remembered.
  private static let limit = 1 << 16
  /// The number of what was not asked for, and of what is thinned out.
  private static let (unasked, none): (Int32, Int32) = (-2, -1)

  private let vocabulary: Vocabulary
  /// The hooks of which events were seen.
  private(set) var hooks: Set<Hook> = []
  private var numbers: [Key: Int32] = [:]
  /// The keys that came lately, which are found without hashing.
  private var recent = TokenWords.noneRecent
  private static let noneRecent = [(key: Key, number: Int32)?](repeating: nil, count: 1024)
  /// The tokens of the ends of what tokens begin, by the number of these.
  private var endings: [Int32] = []
  private var generation: Int
  private var thinning = 0

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    generation = vocabulary.generation
  }

  /// Forgets what may mean something else now.
  mutating func forgetOld(_ counts: EpisodeCounts) {
    if generation != vocabulary.generation || numbers.count > TokenWords.limit {
      numbers.removeAll()
      recent = TokenWords.noneRecent
      generation = vocabulary.generation
    }
    if thinning != counts.thinning { endings.removeAll() }
    thinning = counts.thinning
  }

  /// The number of an event's token; `nil` when it is thinned out.
  mutating func token(of event: Event, _ counts: inout EpisodeCounts) -> Int32? {
    let key = Key(event)
    if let found = recent[key.place], found.key == key {
      return found.number < 0 ? nil : found.number
    }
    let number = numbers[key] ?? makeToken(event, &counts)
    numbers[key] = number
    recent[key.place] = (key, number)
    return number < 0 ? nil : number
  }

  private mutating func makeToken(_ event: Event, _ counts: inout EpisodeCounts) -> Int32 {
    let token = EventToken(event, vocabulary)
    if let hook = token.hook { hooks.insert(hook) }
    return counts.number(of: token) ?? TokenWords.none
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
