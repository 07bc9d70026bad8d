import LifecycleModel

/// Something whose words become events.
///
/// A driver feeds bytes as they arrive, in chunks of any size: the chunks never change the events.
/// Events are numbered per writer and ordered by instant as far as the source can.
public protocol TraceSource {
  /// The words that the events refer to; it grows while the source is fed.
  var vocabulary: Vocabulary { get }

  /// Takes the next bytes of the input; appends the events that are now known, in order.
  mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws

  /// Takes a piece of a longer text as a whole.
  mutating func take(_ piece: Paste.Piece, into events: inout [Event]) throws

  /// Lets held-back events go out; a live driver calls it when no bytes have come for a while.
  mutating func flush(into events: inout [Event]) throws

  /// Forgets a line whose end has not come: cut short, it may be another one. A driver that was
  /// interrupted calls it before ``finish(into:)``.
  mutating func forgetUnfinishedLine()

  /// Notes that part of the input is missing here, as when a device was disconnected.
  mutating func noteCut(into events: inout [Event]) throws

  /// Says that the input has ended; appends all events that are left.
  mutating func finish(into events: inout [Event]) throws

  /// Does the same in batches: appends some of the events that are left; false when these were the last.
  mutating func drain(into events: inout [Event]) throws -> Bool

  /// What was counted in the input beside its events.
  var tally: SourceTally { get }

  /// The wall clock at instant 0, nanoseconds since 1970; `nil` while the input does not say it.
  var wallOrigin: Nanoseconds? { get }
}

extension TraceSource {
  /// Takes the bytes of a piece.
  public mutating func take(_ piece: Paste.Piece, into events: inout [Event]) throws {
    try take(piece.bytes[...], into: &events)
  }

  /// Forgets a line that was cut; what else is missing, a source of lines cannot know.
  public mutating func noteCut(into events: inout [Event]) throws { forgetUnfinishedLine() }

  /// Appends all events that are left.
  public mutating func drain(into events: inout [Event]) throws -> Bool {
    try finish(into: &events)
    return false
  }

  /// Not known.
  public var wallOrigin: Nanoseconds? { nil }
}
