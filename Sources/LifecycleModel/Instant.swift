/// A span of time in nanoseconds; negative when it runs backwards.
public typealias Nanoseconds = Int64

/// A moment of a trace: awake monotonic nanoseconds since the log's origin.
///
/// The suspension of the *process* does not show in an instant; events tell it, and
/// ``LifecycleState/awake(at:)`` takes it out.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the log's origin, negative before it.
  public var nanoseconds: Nanoseconds

  /// Makes the instant that lies `nanoseconds` after the log's origin.
  @inlinable
  public init(nanoseconds: Nanoseconds) {
    self.nanoseconds = nanoseconds
  }

  /// The log's origin.
  @inlinable
  public static var origin: Instant { Instant(nanoseconds: 0) }

  /// The latest instant that can be written.
  @inlinable
  public static var distantFuture: Instant { Instant(nanoseconds: .max) }

  /// The earliest instant that can be written.
  @inlinable
  public static var distantPast: Instant { Instant(nanoseconds: .min) }

  /// Whether `lhs` lies before `rhs`.
  @inlinable
  public static func < (lhs: Instant, rhs: Instant) -> Bool {
    lhs.nanoseconds < rhs.nanoseconds
  }

  /// The time from `start` to this instant, held at the limits of 64 bits.
  @inlinable
  public func since(_ start: Instant) -> Nanoseconds {
    let (span, overflow) = nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    return overflow ? (nanoseconds < 0 ? .min : .max) : span
  }

  /// The instant `span` later, held at the limits of 64 bits.
  @inlinable
  public func advanced(by span: Nanoseconds) -> Instant {
    Instant(nanoseconds: nanoseconds.adding(span))
  }
}

extension Nanoseconds {
  /// `count` seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> Nanoseconds { count * 1_000_000_000 }

  /// `count` milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> Nanoseconds { count * 1_000_000 }
}

extension Nanoseconds {
  /// This time and `span` after it, or the greatest time where there is none so late.
  @inlinable
  public func adding(_ span: Nanoseconds) -> Nanoseconds {
    let (sum, overflow) = addingReportingOverflow(span)
    return overflow ? (span < 0 ? .min : .max) : sum
  }
}
