import LifecycleModel

extension Trace {
  /// Reads a whole log, with what its ring still holds while the app lives.
  ///
  /// A log of several parts is read from any of them. Throws a `LogError` when there is no log at
  /// `path`; what is damaged or lost in it becomes a `gap`. Cost: memory for every event.
  ///
  /// ```swift
  /// import LifecycleModel
  /// import TraceLog
  /// import TraceText
  ///
  /// let trace = try Trace(log: "flight.bin")
  /// print(TraceNotation.print(trace))
  /// ```
  public init(log path: String) throws {
    var reader = try LogReader(path: path)
    self = try reader.readAll()
  }

  /// Reads a log that lies in memory, such as `LifecycleDriver.bytes`.
  public init(log bytes: [UInt8]) throws {
    var reader = try LogReader(bytes: bytes)
    self = try reader.readAll()
  }
}
