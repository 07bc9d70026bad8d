import LifecycleModel

/// The numbers of the tokens that the events of one run have, found by a look-up of numbers.
struct TokenWords {
  /// What an event's token is made of.
  private struct Key: Hashable {
    let nameAndLabel: UInt64
    let verbAndSubject: UInt16

    init(_ event: Event) {
      nameAndLabel = UInt64(event.name.rawValue) << 32 | UInt64(event.label.rawValue)
      verbAndSubject = UInt16(event.verb.code) << 8 | UInt16(event.subjectKind.rawValue)
    }
  }

  /// So many words are remembered.
  private static let limit = 1 << 16

  private let vocabulary: Vocabulary
  /// The hooks whose events count; `nil` for all.
  private let chosen: Set<Hook>?
  /// The hooks of which events were seen.
  private(set) var hooks: Set<Hook> = []
  private var tokens: [Key: Int32?] = [:]
  private var ignored: [Key: Bool] = [:]
  private var endings: [Int32: [Verb: Int32?]] = [:]
  private var generation: Int
  private var thinning = 0

  init(_ vocabulary: Vocabulary, among chosen: Set<Hook>?) {
    self.vocabulary = vocabulary
    // Where a process begins and ends counts in any case.
    self.chosen = chosen?.union([.process])
    generation = vocabulary.generation
  }

  /// Forgets what may mean something else now.
  mutating func forgetOld(_ counts: EpisodeCounts) {
    if generation != vocabulary.generation || tokens.count > TokenWords.limit {
      tokens.removeAll()
      ignored.removeAll()
      generation = vocabulary.generation
    }
    if thinning != counts.thinning { endings.removeAll() }
    thinning = counts.thinning
  }

  /// Whether an event belongs to a hook that does not count.
  mutating func isIgnored(_ event: Event) -> Bool {
    guard let chosen else { return false }
    let key = Key(event)
    if let known = ignored[key] { return known }
    let hook = EventPattern.Alternative(event.verb, event.name).hook
    let isIgnored = hook.map { !chosen.contains($0) } ?? false
    ignored[key] = isIgnored
    return isIgnored
  }

  /// The number of an event's token; `nil` when it is thinned out.
  mutating func token(_ event: Event, _ counts: inout EpisodeCounts) -> Int32? {
    let key = Key(event)
    if let known = tokens[key] { return known }
    let token = EventToken(event, vocabulary)
    if let hook = token.hook { hooks.insert(hook) }
    let number = counts.number(of: token)
    tokens[key] = .some(number)
    return number
  }

  /// The number of the token of what ends the things that a token begins.
  mutating func token(
    _ verb: Verb, ending opener: Int32, _ counts: inout EpisodeCounts
  ) -> Int32? {
    if let known = endings[opener]?[verb] { return known }
    let number = counts.token(opener).flatMap { counts.number(of: EventToken(verb, ending: $0)) }
    endings[opener, default: [:]][verb] = .some(number)
    return number
  }
}
