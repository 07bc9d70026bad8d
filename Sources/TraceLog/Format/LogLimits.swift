import LifecycleModel

/// When a log goes on in a new part, and how much of the older parts is kept.
///
/// Without any of them a log is one file that grows.
public struct LogLimits: Hashable, Sendable {
  /// A part that has so many bytes gets no further block; at most half of what is kept.
  public var maxPartBytes: Int?
  /// A part that was begun so many nanoseconds ago gets no further block.
  public var maxPartAge: Nanoseconds?
  /// All parts together have at most so many bytes, and one block: older ones are removed, but never
  /// the newest block.
  public var keptBytes: Int?
  /// A part that ended so many nanoseconds ago is removed: at least this time is kept.
  public var keptAge: Nanoseconds?

  /// Makes limits; where only what is kept is limited, a part is an eighth of it.
  public init(
    maxPartBytes: Int? = nil, maxPartAge: Nanoseconds? = nil, keptBytes: Int? = nil,
    keptAge: Nanoseconds? = nil
  ) {
    let largest = keptBytes.map { maxPartBytes == nil ? $0 / 8 : $0 / 2 }
    self.maxPartBytes = [maxPartBytes, largest].compactMap(\.self).min()
    self.maxPartAge = maxPartAge ?? keptAge.map { $0 / 8 }
    self.keptBytes = keptBytes
    self.keptAge = keptAge
  }

  /// The block of a small part is a small part of it.
  private var eventsPerBlock: Int { max(256, (maxPartBytes ?? .max) / 8) }

  /// The options of a log with these limits.
  func apply(to options: LogWriter.Options) -> LogWriter.Options {
    var options = options
    options.eventsPerBlock = min(options.eventsPerBlock, eventsPerBlock)
    return options
  }

  func isReached(bytes: Int, age: Nanoseconds) -> Bool {
    bytes >= maxPartBytes ?? .max || age >= maxPartAge ?? .max
  }
}
