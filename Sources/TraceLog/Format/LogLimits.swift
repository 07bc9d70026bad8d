import LifecycleModel

/// When a log goes on in a new part, and how much of the older parts is kept.
///
/// Without any of them a log is one file that grows.
public struct LogLimits: Hashable, Sendable {
  /// A part that has so many bytes is the last but one.
  public var maxPartBytes: Int?
  /// A part that was begun so many nanoseconds ago is the last but one.
  public var maxPartAge: Nanoseconds?
  /// All parts together have at most so many bytes, and one block: older ones are removed.
  public var keptBytes: Int?
  /// A part that ended so many nanoseconds ago is removed: at least this time is kept.
  public var keptAge: Nanoseconds?

  /// Makes limits; where only what is kept is limited, a part is an eighth of it.
  public init(
    maxPartBytes: Int? = nil, maxPartAge: Nanoseconds? = nil, keptBytes: Int? = nil,
    keptAge: Nanoseconds? = nil
  ) {
    self.maxPartBytes = maxPartBytes ?? keptBytes.map { $0 / 8 }
    self.maxPartAge = maxPartAge ?? keptAge.map { $0 / 8 }
    self.keptBytes = keptBytes
    self.keptAge = keptAge
  }

  func isReached(bytes: Int, age: Nanoseconds) -> Bool {
    bytes >= maxPartBytes ?? .max || age >= maxPartAge ?? .max
  }
}
