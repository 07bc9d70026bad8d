/// What a suppression of the configuration was good for.
public struct SuppressionUse: Hashable, Sendable {
  /// Whether it still suppresses, and anything.
  public enum State: String, Sendable {
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
