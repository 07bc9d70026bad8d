/// What a suppression of the configuration was good for.
public struct SuppressionUse: Hashable, Codable, Sendable {
  /// Whether it still suppresses, and anything.
  public enum State: String, Codable, Sendable {
    /// It suppresses findings.
    case used
    /// There is nothing that it would suppress.
    case unused
    /// Its last day is over: it suppresses nothing any more.
    case expired
  }

  /// The rule.
  public var rule: String
  /// Why its findings are accepted.
  public var reason: String
  /// Where it stands, as `file:line`.
  public var place: String
  /// Its last day, as `2027-01-31`; `nil` when it has none.
  public var expires: String?
  /// Whether it still suppresses.
  public var state: State
  /// How many findings it is about.
  public var count: Int

  /// Makes a use.
  public init(
    rule: String, reason: String, place: String, expires: String?, state: State, count: Int
  ) {
    (self.rule, self.reason, self.place) = (rule, reason, place)
    (self.expires, self.state, self.count) = (expires, state, count)
  }
}

extension SuppressionUse {
  /// Whether both are of the same suppression, on the same side of its last day.
  private func isSame(_ other: SuppressionUse) -> Bool {
    (place, rule, reason, expires) == (other.place, other.rule, other.reason, other.expires)
      && (state == .expired) == (other.state == .expired)
  }

  private static func comesFirst(_ first: SuppressionUse, _ second: SuppressionUse) -> Bool {
    let one = (first.place, first.rule, first.reason, first.expires ?? "", first.state.rawValue)
    let other = (second.place, second.rule, second.reason, second.expires ?? "")
    let states = (one.4, second.state.rawValue)
    return (one.0, one.1, one.2, one.3) == other
      ? states.0 < states.1 : (one.0, one.1, one.2, one.3) < other
  }

  /// What suppressions were good for in all logs of two lists, in the order of their places.
  ///
  /// Associative and commutative: used in one log is used.
  package static func merged(_ first: [SuppressionUse], _ second: [SuppressionUse])
    -> [SuppressionUse]
  {
    var merged: [SuppressionUse] = []
    for use in (first + second).sorted(by: comesFirst) {
      if let index = merged.firstIndex(where: { $0.isSame(use) }) {
        merged[index].count += use.count
        if use.state == .used { merged[index].state = .used }
      } else {
        merged.append(use)
      }
    }
    return merged.sorted(by: comesFirst)
  }
}
