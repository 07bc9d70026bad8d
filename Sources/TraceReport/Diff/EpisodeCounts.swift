import LifecycleModel

/// What happened in the episodes of one run or of many, counted by kind of episode and token, and what these
/// runs record.
///
/// Memory is taken by what is different, not by how much happened: of more than ``tokenLimit``
/// tokens those with the app's own words are thinned out by a number that is the same in every run, so
/// that two runs keep the same ones.
package struct EpisodeCounts: Sendable {
  /// At most this many tokens are counted apart.
  static let tokenLimit = 4096

  /// What is known of a token in one kind of episode.
  package struct Cell: Sendable {
    /// In how many episodes it was this often.
    package var counts: [Int64: Int] = [:]
    /// In how many episodes it was.
    package var episodes: Int { counts.values.reduce(0, +) }
    /// How long it took, from its begin to its end.
    package var durations = DurationSample()
  }

  /// What is known of a kind of episode.
  private struct Kind {
    let name: String
    var episodes = 0
    /// What is known of each token that came.
    var cells = NumberedTable<Cell>()
    /// In how many episodes in which both events came once the order was kept, by the place of the order.
    var orders: [Int: Difference.Share] = [:]

    init(_ name: String) { self.name = name }
  }

  /// How many episodes there are that lack no events.
  package private(set) var episodes = 0
  /// How many were left out, since events are missing in them or before.
  package var uncertain = 0
  /// What the runs record; `nil` without runs.
  package private(set) var recording: RunRecording?
  /// Which of the tokens with own words are counted: those whose number ends in so many zeros.
  private(set) var thinning = 0

  private var kindNumbers: [String: Int32] = [:]
  private var kindsByNumber: [Kind] = []
  private var tokens: [EventToken?] = []
  private var tokenNumbers: [EventToken: Int32] = [:]

  /// Makes counts of nothing.
  package init() {}

  // MARK: Counting

  /// The number of a kind of episode.
  mutating func number(ofKind name: String) -> Int32 {
    if let number = kindNumbers[name] { return number }
    let number = Int32(kindsByNumber.count)
    kindsByNumber.append(Kind(name))
    kindNumbers[name] = number
    return number
  }

  /// The name of a kind of episode.
  func name(ofKind number: Int32) -> String { kindsByNumber[Int(number)].name }

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

  /// Counts an episode in which each token came this often.
  mutating func add(_ kind: Int32, _ tally: NumberedTable<Int64>) {
    episodes += 1
    kindsByNumber[Int(kind)].episodes += 1
    for (token, count) in tally.entries where isKept(token) {
      kindsByNumber[Int(kind)].cells.update(token, from: Cell()) {
        $0.counts[count, default: 0] += 1
      }
    }
  }

  /// Whether a token was not thinned out since it got its number.
  private func isKept(_ token: Int32) -> Bool { thinning == 0 || tokens[Int(token)] != nil }

  /// Counts how long something took that began in an episode of a kind.
  mutating func add(_ duration: Nanoseconds, of token: Int32, in kind: Int32) {
    if !isKept(token) { return }
    kindsByNumber[Int(kind)].cells.update(token, from: Cell()) { $0.durations.add(duration) }
  }

  /// Counts whether an order was kept, by its place among those that documents fix.
  mutating func add(order: Int, isKept: Bool, in kind: Int32) {
    kindsByNumber[Int(kind)].orders[order, default: .init()].all += 1
    if isKept { kindsByNumber[Int(kind)].orders[order]?.having += 1 }
  }

  /// Takes in what a run states about itself.
  mutating func add(_ run: RunRecording) {
    if recording == nil { recording = run } else { recording?.merge(run) }
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

    for kind in kindsByNumber.indices { kindsByNumber[kind].cells.keep { tokens[Int($0)] != nil } }
  }

  // MARK: What was counted

  /// The kinds of episode, by name.
  package var kinds: [String] { kindsByNumber.map(\.name).sorted() }

  private subscript(kind: String) -> Kind? { kindNumbers[kind].map { kindsByNumber[Int($0)] } }

  /// How many episodes there are of a kind.
  package func count(of kind: String) -> Int { self[kind]?.episodes ?? 0 }

  /// What is known of each token in a kind of episode; without those that `other`, with which it is
  /// compared, has thinned out.
  func cells(of kind: String, comparedWith other: EpisodeCounts) -> [EventToken: Cell] {
    let thinning = max(thinning, other.thinning)
    var found: [EventToken: Cell] = [:]
    for (number, cell) in self[kind]?.cells.entries ?? [] {
      if let token = tokens[Int(number)], !token.isThin(thinning) { found[token] = cell }
    }
    return found
  }

  /// Whether the runs record such events, so that an event that does not come did not happen.
  func shows(_ token: EventToken) -> Bool { recording?.shows(token) ?? false }

  /// In how many episodes of a kind an order was kept, of those in which both events came once.
  func order(_ order: Int, in kind: String) -> Difference.Share {
    self[kind]?.orders[order] ?? Difference.Share()
  }
}

extension EventToken {
  /// Whether it is left out where tokens are thinned out so much.
  fileprivate func isThin(_ thinning: Int) -> Bool {
    thinning > 0 && isOfOwnWord && rank.trailingZeroBitCount < thinning
  }
}
