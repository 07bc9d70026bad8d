import LifecycleModel

/// What happened in the episodes of one run or of many, counted by kind of episode and token.
///
/// Memory is taken by what is different, not by how much happened: of more than ``tokenLimit``
/// tokens those with the app's own words are thinned out by a number that is the same in every run, so
/// that two runs keep the same ones.
package struct EpisodeCounts: Sendable {
  /// So many tokens are counted apart.
  static let tokenLimit = 4096

  /// What is known of a token in one kind of episode.
  package struct Cell: Sendable {
    /// In how many episodes it was.
    package var episodes = 0
    /// In how many episodes it was so often.
    package var counts: [Int64: Int] = [:]
    /// How long it took, from its begin to its end.
    package var durations = DurationSample()
  }

  /// Which of two tokens came first in the episodes in which each came once.
  package struct Order: Hashable, Sendable {
    /// How often the one that documents put first was first.
    package var kept = 0
    /// How often the other one was.
    package var reversed = 0
  }

  private struct CellKey: RecentKey {
    var kind: Int32
    var token: Int32

    var bits: UInt64 { UInt64(UInt32(bitPattern: kind)) << 32 | UInt64(UInt32(bitPattern: token)) }
  }

  private struct OrderKey: Hashable {
    var kind: Int32
    var order: Int
  }

  /// How many episodes there are that lack no events.
  package private(set) var episodes = 0
  /// How many were left out, since events are missing in them or before.
  package var uncertain = 0
  /// Which of the tokens with own words are counted: those whose number ends in so many zeros.
  private(set) var thinning = 0

  private var kindNames: [String] = []
  private var kindNumbers: [String: Int32] = [:]
  private var kindEpisodes: [Int] = []
  private var tokens: [EventToken?] = []
  private var tokenNumbers: [EventToken: Int32] = [:]
  private var cells = RecentNumbers<CellKey>()
  private var slots: [Cell] = []
  private var orders: [OrderKey: Order] = [:]

  /// Makes counts of nothing.
  package init() {}

  // MARK: Counting

  /// The number of a kind of episode.
  mutating func number(ofKind name: String) -> Int32 {
    if let number = kindNumbers[name] { return number }
    let number = Int32(kindNames.count)
    kindNames.append(name)
    kindEpisodes.append(0)
    kindNumbers[name] = number
    return number
  }

  /// The name of a kind of episode.
  func name(ofKind number: Int32) -> String { kindNames[Int(number)] }

  /// The number of a token; `nil` of one that is thinned out.
  mutating func number(of token: EventToken) -> Int32? {
    if let number = tokenNumbers[token] { return number }
    if token.isThin(thinning) { return nil }
    if tokenNumbers.count >= EpisodeCounts.tokenLimit { thin() }
    if token.isThin(thinning) { return nil }
    let number = Int32(tokens.count)
    tokens.append(token)
    tokenNumbers[token] = number
    return number
  }

  /// The token with a number; `nil` of one that was thinned out since.
  func token(_ number: Int32) -> EventToken? { tokens[Int(number)] }

  /// Counts an episode in which tokens came so often.
  mutating func add(_ kind: Int32, _ counts: EpisodeTally) {
    episodes += 1
    kindEpisodes[Int(kind)] += 1
    for token in counts.came where isKept(token) {
      let slot = slot(kind, token)
      slots[slot].episodes += 1
      slots[slot].counts[counts[token].count, default: 0] += 1
    }
  }

  /// Whether a token was not thinned out since it got its number.
  private func isKept(_ token: Int32) -> Bool { thinning == 0 || tokens[Int(token)] != nil }

  /// Counts how long something took that began in an episode of a kind.
  mutating func add(_ duration: Nanoseconds, of token: Int32, in kind: Int32) {
    if !isKept(token) { return }
    slots[slot(kind, token)].durations.add(duration)
  }

  /// Counts which of two events came first, by the place of the order among those that documents fix.
  mutating func add(order: Int, isKept: Bool, in kind: Int32) {
    let key = OrderKey(kind: kind, order: order)
    if isKept {
      orders[key, default: Order()].kept += 1
    } else {
      orders[key, default: Order()].reversed += 1
    }
  }

  private mutating func slot(_ kind: Int32, _ token: Int32) -> Int {
    let key = CellKey(kind: kind, token: token)
    if let slot = cells.number(of: key) { return Int(slot) }
    cells.set(key, Int32(slots.count))
    slots.append(Cell())
    return slots.count - 1
  }

  /// Leaves out half of the tokens with own words, until there is room.
  private mutating func thin() {
    while tokenNumbers.count >= EpisodeCounts.tokenLimit, thinning < 64 {
      thinning += 1
      for (token, number) in tokenNumbers where token.isThin(thinning) {
        tokenNumbers[token] = nil
        tokens[Int(number)] = nil
      }
    }

    var (kept, places): ([Cell], RecentNumbers<CellKey>) = ([], RecentNumbers())
    for (key, slot) in cells.all where tokens[Int(key.token)] != nil {
      places.set(key, Int32(kept.count))
      kept.append(slots[Int(slot)])
    }
    (slots, cells) = (kept, places)
  }

  // MARK: What was counted

  /// The kinds of episode, by name.
  package var kinds: [String] { kindNames.sorted() }

  /// How many episodes there are of a kind.
  package func count(of kind: String) -> Int {
    kindNumbers[kind].map { kindEpisodes[Int($0)] } ?? 0
  }

  /// What is known of each token in a kind of episode; without those that `other`, with which it is
  /// compared, has thinned out.
  func cells(of kind: String, comparedWith other: EpisodeCounts) -> [EventToken: Cell] {
    guard let number = kindNumbers[kind] else { return [:] }
    let thinning = max(thinning, other.thinning)
    var found: [EventToken: Cell] = [:]
    for (key, slot) in cells.all where key.kind == number {
      guard let token = tokens[Int(key.token)], !token.isThin(thinning) else { continue }
      found[token] = slots[Int(slot)]
    }
    return found
  }

  /// How often an order was kept and reversed in a kind of episode.
  func order(_ order: Int, in kind: String) -> Order {
    kindNumbers[kind].flatMap { orders[OrderKey(kind: $0, order: order)] } ?? Order()
  }
}

extension EventToken {
  /// Whether it is left out where tokens are thinned out so much.
  fileprivate func isThin(_ thinning: Int) -> Bool {
    thinning > 0 && isOfOwnWord && rank.trailingZeroBitCount < thinning
  }
}
