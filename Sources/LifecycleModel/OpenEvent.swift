/// An event that still counts: it opened something, or brought about a state that holds.
public struct OpenEvent: Hashable, Sendable {
  /// The event.
  public var event: Event
  /// The place of the event in the trace, from 1.
  public var ordinal: UInt64
  /// For how long the process had been suspended before the event.
  public var suspendedBefore: Nanoseconds
}
