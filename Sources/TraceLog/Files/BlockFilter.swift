import LifecycleModel

/// Which blocks of a log are worth decoding.
///
/// It is coarse: a block that passes may hold events that do not.
public struct BlockFilter: Hashable, Sendable {
  /// No event before this instant is asked for.
  public var from: Instant
  /// No event after this instant is asked for.
  public var to: Instant
  /// The verbs that are asked for.
  ///
  /// `nil` for all; `gap` is always read.
  public var verbs: [Verb]?

  /// Makes a filter; without arguments it passes every block.
  public init(
    from: Instant = .distantPast, to: Instant = .distantFuture, verbs: [Verb]? = nil
  ) {
    self.from = from
    self.to = to
    self.verbs = verbs
  }

  private var verbBits: UInt64 {
    guard let verbs else { return .max }
    return verbs.reduce(1 << UInt64(Verb.gap.code)) {
      $0 | ($1.isKnown ? 1 << UInt64($1.code) : 1)
    }
  }

  /// Whether the block may hold an event that is asked for, or a `gap`.
  ///
  /// A header that contradicts itself says nothing.
  public func passes(_ header: BlockHeader) -> Bool {
    if header.verbs == 0 || header.firstInstant > header.lastInstant { return true }
    if header.verbs & 1 << UInt64(Verb.gap.code) != 0 { return true }
    return header.lastInstant >= from && header.firstInstant <= to && header.verbs & verbBits != 0
  }
}
