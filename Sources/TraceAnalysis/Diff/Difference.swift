import LifecycleModel

/// One difference between two sides, each of one run or of many.
package struct Difference: Sendable {
  /// How many of how many.
  package struct Share: Hashable, Encodable, Sendable {
    /// How many have it.
    package var having: Int
    /// How many there are.
    package var all: Int

    /// Makes a share.
    package init(having: Int, all: Int) { (self.having, self.all) = (having, all) }

    /// The part, from 0 to 1; 0 of none.
    var part: Double { all == 0 ? 0 : Double(having) / Double(all) }
  }

  /// How long something took on one side.
  package struct Times: Hashable, Encodable, Sendable {
    /// The median.
    package var median: Nanoseconds
    /// How many durations there are.
    package var count: Int
  }

  /// What differs.
  package enum Measure: Sendable {
    /// In how many of all episodes it is one of this kind.
    case kind(Share, Share)
    /// In how many episodes of the kind something happens.
    case presence(Share, Share)
    /// How often it happens in an episode, on average over so many.
    case frequency(Double, n: Int, Double, m: Int)
    /// How long it takes; and how much longer on the second side, as Hodges and Lehmann estimate it.
    case duration(Times, Times, shift: Nanoseconds)
    /// In how many episodes two events are in the order that a rule fixes.
    case order(DocumentedOrders.Order, Share, Share)
  }

  /// What a difference is, in a word.
  package enum Change: String, Sendable {
    case new, gone, more, fewer, slower, faster, order
  }

  /// The kind of episode.
  package var kind: String
  /// What it is about; `nil` of a kind of episode.
  package var token: EventToken?
  /// What differs, the first side before the second.
  package var measure: Measure
  /// How probable it is by chance.
  package var p: Double
  /// The same with all comparisons in view that were made.
  package var adjusted = 1.0

  /// Whether chance does not explain it: with all comparisons in view it is less probable than 1 in 20.
  package var isCertain: Bool { adjusted < 0.05 }

  /// What it is, in a word.
  package var change: Change {
    switch measure {
    case .kind(let first, let second), .presence(let first, let second):
      if first.having == 0 { return .new }
      if second.having == 0 { return .gone }
      return first.part < second.part ? .more : .fewer
    case .frequency(let first, _, let second, _):
      if first == 0 { return .new }
      return second == 0 ? .gone : first < second ? .more : .fewer
    case .duration(_, _, let shift): return shift > 0 ? .slower : .faster
    case .order: return .order
    }
  }

  /// How large it is, from 0 to 1, whichever side is first.
  var effect: Double {
    switch measure {
    case .kind(let first, let second): 0.5 * max(first.part, second.part)
    case .presence(let first, let second): abs(first.part - second.part)
    case .frequency(let first, _, let second, _):
      0.6 * abs(first - second) / max(first, second, .ulpOfOne)
    case .duration(let first, let second, _): 0.8 * min(1, Difference.doublings(first, second) / 2)
    case .order(_, let first, let second): 0.9 * abs(first.part - second.part)
    }
  }

  /// How often one median must be doubled to be the other, by straight lines between the powers of two.
  private static func doublings(_ first: Times, _ second: Times) -> Double {
    let (low, high) = (min(first.median, second.median), max(first.median, second.median))
    let ratio = (Double(high) + 1) / (Double(low) + 1)
    return Double(ratio.exponent) + ratio.significand - 1
  }

  /// The larger, the earlier a person wants to see it.
  ///
  /// What ends something stands behind what begins it.
  var weight: Double {
    effect * (1 + Difference.digits(p)) * (token?.endedFamily == nil ? 1 : 0.5)
  }

  /// How many times ten a probability has to be taken to come to one.
  private static func digits(_ p: Double) -> Double {
    var (rest, digits) = (max(p, 1e-99), 0.0)
    while rest <= 0.1 {
      rest *= 10
      digits += 1
    }
    return digits + (1 - rest) / 0.9
  }

  /// What chance does not explain comes first, then what weighs more; the same order whichever side is
  /// first.
  static func comesFirst(_ first: Difference, _ second: Difference) -> Bool {
    if first.isCertain != second.isCertain { return first.isCertain }
    if first.weight != second.weight { return first.weight > second.weight }
    let (one, other) = (first.kind, second.kind)
    return one == other
      ? (first.token?.text ?? "", first.rank) < (second.token?.text ?? "", second.rank)
      : one < other
  }

  private var rank: Int {
    switch measure {
    case .kind: 0
    case .presence: 1
    case .frequency: 2
    case .duration: 3
    case .order: 4
    }
  }
}
