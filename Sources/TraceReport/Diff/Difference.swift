import LifecycleModel

/// One difference between two sides, each of one run or of many.
package struct Difference: Sendable {
  /// How many of how many.
  package struct Share: Hashable, Encodable, Sendable {
    /// How many have it.
    package var having = 0
    /// How many there are.
    package var all = 0

    /// The part, from 0 to 1; 0 of none.
    var part: Double { all == 0 ? 0 : Double(having) / Double(all) }
  }

  /// What one side has; what does not apply is `nil`.
  package struct Value: Hashable, Encodable, Sendable {
    /// In how many of how many it is, or over how many a mean is.
    package var having, of: Int?
    /// How often it happens in an episode.
    package var mean: Double?
    /// How long it takes.
    package var median: Nanoseconds?
    /// Of how many durations that is the median.
    package var count: Int?

    /// How often it is: the mean, else the part.
    fileprivate var amount: Double {
      mean ?? Share(having: having ?? 0, all: of ?? 0).part
    }
  }

  /// What differs.
  package enum Measure: Int, Sendable {
    /// In how many of all episodes it is one of this kind.
    case kind
    /// In how many episodes of the kind something happens.
    case presence
    /// How often it happens in an episode, on average.
    case frequency
    /// How long it takes.
    case duration
    /// In how many episodes two events are in the order that a rule fixes.
    case order

    /// The measure that stands for all whose chances are adjusted together.
    var family: Measure {
      switch self {
      case .kind, .duration: self
      case .presence, .frequency, .order: .presence
      }
    }
  }

  /// What a difference is, in a word.
  package enum Change: String, Sendable {
    case new, gone, more, fewer, slower, faster, order
  }

  /// The kind of episode.
  package var kind: String
  /// What it is about; `nil` of a kind of episode.
  package var token: EventToken?
  /// What differs.
  package var measure: Measure
  /// What the first side has.
  package var a: Value
  /// What the second side has.
  package var b: Value
  /// How much longer it takes on the second side, as Hodges and Lehmann estimate it; `nil` but of durations.
  package var shift: Nanoseconds?
  /// The order that a rule fixes; `nil` but of orders.
  package var order: DocumentedOrders.Order?
  /// How probable it is by chance.
  package var p: Double
  /// The same with all comparisons in view that were made.
  package var adjusted = 1.0
  /// The time that the system allows for what takes longer or shorter; `nil` where no number is known.
  var allowed: Nanoseconds?

  /// Whether chance does not explain it: with all comparisons in view it is less probable than 1 in 20.
  package var isCertain: Bool { adjusted < 0.05 }

  /// What it is, in a word.
  package var change: Change {
    switch measure {
    case .kind, .presence, .frequency:
      if a.amount == 0 { return .new }
      return b.amount == 0 ? .gone : a.amount < b.amount ? .more : .fewer
    case .duration: return shift ?? 0 > 0 ? .slower : .faster
    case .order: return .order
    }
  }

  /// How large it is, from 0 to 1, whichever side is first.
  var effect: Double {
    switch measure {
    case .kind: 0.5 * max(a.amount, b.amount)
    case .presence: abs(a.amount - b.amount)
    case .frequency: 0.6 * abs(a.amount - b.amount) / max(a.amount, b.amount, .ulpOfOne)
    case .duration: 0.8 * min(1, Difference.doublings(a.median ?? 0, b.median ?? 0) / 2)
    case .order: 0.9 * abs(a.amount - b.amount)
    }
  }

  /// How often one median must be doubled to be the other, by straight lines between the powers of two.
  private static func doublings(_ first: Nanoseconds, _ second: Nanoseconds) -> Double {
    let (low, high) = (min(first, second), max(first, second))
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
      ? (first.token?.text ?? "", first.measure.rawValue)
        < (second.token?.text ?? "", second.measure.rawValue)
      : one < other
  }
}
