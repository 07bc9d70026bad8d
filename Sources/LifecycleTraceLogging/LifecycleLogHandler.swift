import Logging
import TraceRecorder

/// Turns log lines into `note`s of a recording, so that they stand in the timeline of the lifecycle.
///
/// It goes beside the handler that an app has already:
///
/// ```swift
/// import LifecycleTraceLogging
/// import Logging
///
/// LoggingSystem.bootstrap { label in
///   MultiplexLogHandler([
///     LifecycleLogHandler(label: label), StreamLogHandler.standardError(label: label),
///   ])
/// }
/// ```
///
/// A note reads `info com.example.sync: the message key=value`, its metadata ordered by key. It costs what
/// `Recorder.note(_:_:fileID:line:)` costs, and the text that is made; when the recorder is off, nothing is made. It is
/// safe on every thread. A line for which the ring has no room is counted, like every fact.
public struct LifecycleLogHandler: LogHandler {
  /// The least serious lines that are recorded; `info` at first.
  public var logLevel = Logger.Level.info
  /// What every line carries.
  public var metadata = Logger.Metadata()
  /// What is asked at every line.
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let recorder: Recorder

  /// Makes a handler for the logger called `label` that records to `recorder`.
  public init(
    label: String, recorder: Recorder = .shared,
    metadataProvider: Logger.MetadataProvider? = LoggingSystem.metadataProvider
  ) {
    self.label = label
    self.recorder = recorder
    self.metadataProvider = metadataProvider
  }

  /// One value of the metadata.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Records a line.
  public func log(event: LogEvent) {
    guard recorder.isOn else { return }
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    var text = "\(event.level) \(label): \(event.message)"
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { text += " \(key)=\(value)" }
    if let error = event.error { text += " error=\(error)" }
    recorder.note(text, fileID: event.file, line: UInt32(clamping: event.line))
  }
}
