import LifecycleModel

/// What differs between two sides, each of one run or of many: what happens in their episodes, how often,
/// for how long, and in which order where documents fix one.
///
/// The sides exchanged give the same differences with their words exchanged.
package struct RunDifference: Sendable {
  /// How many of how many are the same on both sides.
  package struct Sameness: Hashable, Encodable, Sendable {
    /// How many have no difference.
    package var same: Int
    /// How many there are.
    package var all: Int
  }

  /// A change of a duration is reported from this part of the shorter median on, and from this time on.
  package static let leastShift = (part: 0.2, time: Nanoseconds.milliseconds(1))

  /// The differences: what chance does not explain first, then by weight.
  package private(set) var differences: [Difference] = []
  /// How many kinds of episode have no difference.
  package private(set) var kinds = Sameness(same: 0, all: 0)
  /// How many tokens, each in a kind of episode, have no difference.
  package private(set) var tokens = Sameness(same: 0, all: 0)
  /// The tokens of which the first side, and the second, does not show whether they happened: their
  /// silence is no difference.
  package private(set) var silent: (first: Set<EventToken>, second: Set<EventToken>) = ([], [])
  /// How many kinds of episode one side alone has, while the other would not show all states: nobody knows
  /// whether that is a difference.
  package private(set) var untoldKinds = 0
  /// How many comparisons could have come out, by family: each has an equal part of the error.
  private var tests: [Difference.Measure: Int] = [:]

  /// How many comparisons could have come out as unlikely by chance: those that are adjusted for.
  package var comparisons: Int { tests.values.reduce(0, +) }

  private let first, second: EpisodeCounts
  private let orders: [DocumentedOrders.Order]

  /// Compares two sides, of which orders were counted for these.
  package init(_ first: EpisodeCounts, _ second: EpisodeCounts, _ orders: DocumentedOrders) {
    (self.first, self.second, self.orders) = (first, second, orders.orders)
    let names = Set(first.kinds).union(second.kinds).sorted()
    for kind in names where first.count(of: kind) + second.count(of: kind) > 0 { compare(kind) }
    adjust()

    differences.sort(by: Difference.comesFirst)
    let changed = Set(differences.map(\.kind))
    kinds = Sameness(same: kinds.all - changed.count - untoldKinds, all: kinds.all)
  }

  // MARK: A kind of episode

  private mutating func compare(_ kind: String) {
    kinds.all += 1
    let (n, m) = (first.count(of: kind), second.count(of: kind))
    let (all, ofOther) = (first.episodes, second.episodes)
    let result = ExactTests.fisher(n, of: all, m, of: ofOther)
    note(result, .kind)
    if n == 0 || m == 0 {
      let silent = n == 0 ? first : second
      guard all > 0, ofOther > 0, silent.recording?.showsStates ?? false else {
        untoldKinds += 1
        return
      }
      differences.append(
        Difference(
          kind: kind, token: nil, measure: .kind, a: .init(having: n, of: all),
          b: .init(having: m, of: ofOther), p: result.p))
      return
    }

    let cells = first.cells(of: kind, comparedWith: second)
    let others = second.cells(of: kind, comparedWith: first)
    for token in Set(cells.keys).union(others.keys).sorted() {
      compare(token, kind, cells, others)
    }
    compareOrders(kind)
  }

  private mutating func compare(
    _ token: EventToken, _ kind: String, _ cells: [EventToken: EpisodeCounts.Cell],
    _ others: [EventToken: EpisodeCounts.Cell]
  ) {
    let (one, other) = (cells[token], others[token])
    if isEcho(token, cells, others) { return }
    let found = differences.count
    tokens.all += 1

    switch (first.shows(token), second.shows(token)) {
    case (true, true): compareCounts(token, kind, one, other)
    // Of what is recorded in part at least so much happened.
    case (true, false) where one == nil, (false, true) where other == nil:
      compareCounts(token, kind, one, other)
    case (false, _) where one == nil: silent.first.insert(token)
    case (_, false) where other == nil: silent.second.insert(token)
    default: break
    }

    if let one, let other { compareDurations(token, kind, one, other) }
    if differences.count == found { tokens.same += 1 }
  }

  /// Whether a token ends what another begins, and is in the same episodes as often.
  private func isEcho(
    _ token: EventToken, _ cells: [EventToken: EpisodeCounts.Cell],
    _ others: [EventToken: EpisodeCounts.Cell]
  ) -> Bool {
    guard let family = token.endedFamily else { return false }
    let opener = EventToken(family.opening, ending: token)
    guard cells[opener] != nil || others[opener] != nil else { return false }
    return cells[opener]?.counts == cells[token]?.counts
      && others[opener]?.counts == others[token]?.counts
  }

  // MARK: How often

  private mutating func compareCounts(
    _ token: EventToken, _ kind: String, _ one: EpisodeCounts.Cell?, _ other: EpisodeCounts.Cell?
  ) {
    let (n, m) = (first.count(of: kind), second.count(of: kind))
    let shares = (
      Difference.Share(having: one?.episodes ?? 0, all: n),
      Difference.Share(having: other?.episodes ?? 0, all: m)
    )
    let samples = (RunDifference.sample(one, of: n), RunDifference.sample(other, of: m))
    let presence = ExactTests.fisher(shares.0.having, of: n, shares.1.having, of: m)
    let isOnce = samples.0.isZeroOrOne && samples.1.isZeroOrOne
    let frequency = isOnce ? .nothing : ExactTests.mannWhitney(samples.0, samples.1)
    note(presence, .presence)
    note(frequency, .frequency)

    let isPresence = shares.0.part != shares.1.part && presence.p <= frequency.p
    let means = (samples.0.mean, samples.1.mean)
    if !isPresence && means.0 == means.1 { return }
    differences.append(
      Difference(
        kind: kind, token: token, measure: isPresence ? .presence : .frequency,
        a: isPresence ? .init(having: shares.0.having, of: n) : .init(of: n, mean: means.0),
        b: isPresence ? .init(having: shares.1.having, of: m) : .init(of: m, mean: means.1),
        p: isPresence ? presence.p : frequency.p))
  }

  /// How often something came, in each of so many episodes.
  private static func sample(_ cell: EpisodeCounts.Cell?, of episodes: Int) -> WeightedSample {
    var counts = cell?.counts ?? [:]
    counts[0] = episodes - (cell?.episodes ?? 0)
    return WeightedSample(counts)
  }

  // MARK: How long

  private mutating func compareDurations(
    _ token: EventToken, _ kind: String, _ one: EpisodeCounts.Cell, _ other: EpisodeCounts.Cell
  ) {
    let samples = DurationSample.comparable(one.durations, other.durations)
    guard let median = samples.0.median, let otherMedian = samples.1.median,
      let shift = samples.0.shift(to: samples.1)
    else { return }
    let least = ExactTests.leastExact(samples.0.count, samples.1.count)
    note(ExactTests.Result(p: 1, least: least), .duration)

    let part = RunDifference.leastShift.part * Double(min(median, otherMedian))
    guard abs(shift) >= RunDifference.leastShift.time, Double(abs(shift)) >= part else { return }
    differences.append(
      Difference(
        kind: kind, token: token, measure: .duration,
        a: .init(median: median, count: samples.0.count),
        b: .init(median: otherMedian, count: samples.1.count), shift: shift,
        p: ExactTests.mannWhitney(samples.0, samples.1).p))
  }

  // MARK: Which order

  /// Only where all episodes of one side are in one order, and all of the other in the other.
  private mutating func compareOrders(_ kind: String) {
    for (index, order) in orders.enumerated()
    where first.shows(order.first) && second.shows(order.first) && first.shows(order.then)
      && second.shows(order.then)
    {
      let (one, other) = (first.order(index, in: kind), second.order(index, in: kind))
      let result = ExactTests.fisher(one.having, of: one.all, other.having, of: other.all)
      note(result, .order)

      guard one.all > 0, other.all > 0, one.part != other.part,
        [0, 1].contains(one.part), [0, 1].contains(other.part)
      else { continue }
      differences.append(
        Difference(
          kind: kind, token: order.first, measure: .order,
          a: .init(having: one.having, of: one.all),
          b: .init(having: other.having, of: other.all), order: order, p: result.p))
    }
  }

  // MARK: Chance

  /// Counts a comparison that could have come out as unlikely by chance.
  private mutating func note(_ result: ExactTests.Result, _ measure: Difference.Measure) {
    if result.least < 0.05 { tests[measure.family, default: 0] += 1 }
  }

  /// Takes all comparisons into account that were made: Holm's method in each family.
  private mutating func adjust() {
    let families = Double(max(1, tests.count))
    let measures = differences.map(\.measure.family)
    for (family, rows) in Dictionary(grouping: measures.indices, by: { measures[$0] }) {
      let adjusted = ExactTests.holm(rows.map { differences[$0].p }, of: tests[family] ?? 0)
      for (row, p) in zip(rows, adjusted) { differences[row].adjusted = min(1, p * families) }
    }
  }
}

extension WeightedSample {
  /// Whether nothing comes twice.
  fileprivate var isZeroOrOne: Bool { values.allSatisfy { $0.value <= 1 } }
}
