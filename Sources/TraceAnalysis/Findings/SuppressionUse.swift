import LifecycleModel

/// What a suppression of the configuration was good for.
public struct SuppressionUse: Hashable, Encodable, Sendable {
  /// Whether it still suppresses, and anything.
  public enum State: String, Encodable, Sendable {
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

  private enum CodingKeys: String, CodingKey {
    case rule, reason, place, expires, state
    case count = "findings"
  }

  /// Makes a use.
  public init(
    rule: String, reason: String, place: String, expires: String?, state: State, count: Int
  ) {
    (self.rule, self.reason, self.place) = (rule, reason, place)
    (self.expires, self.state, self.count) = (expires, state, count)
  }
}

extension SuppressionUse {
  /// What it is of, and the side of its last day: equal for what is merged, and sorted by.
  private var identity: [String] {
    [place, rule, reason, expires ?? "", state == .expired ? "expired" : "in force"]
  }

  /// What suppressions were good for in all logs of two lists, in the order of their places.
  ///
  /// Associative and commutative: used in one log is used.
  package static func merged(_ first: [SuppressionUse], _ second: [SuppressionUse])
    -> [SuppressionUse]
  {
    let uses = (first + second).ordered { $0.identity.lexicographicallyPrecedes($1.identity) }
    return uses.reduce(into: []) { merged, use in
      guard var last = merged.last, last.identity == use.identity else {
        return merged.append(use)
      }
      last.count += use.count
      if use.state == .used { last.state = .used }
      merged[merged.count - 1] = last
    }
  }
}
