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
    self = try Trace(LogReader(path: path))
  }

  /// Reads a log that lies in memory, such as `LifecycleDriver.bytes`.
  public init(log bytes: [UInt8]) throws {
    self = try Trace(LogReader(bytes: bytes))
  }

  private init(_ reader: LogReader) throws {
    var reader = reader
    self.init(vocabulary: reader.vocabulary)
    var batch: [Event] = []
    while try reader.read(into: &batch) { events += batch }
  }
}
