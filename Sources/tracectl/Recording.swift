import LifecycleModel
import TraceLog
import TraceSources

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A log that is being written from a source.
///
/// The file is made when the first events are known: only then the source knows when they happened,
/// and an input that cannot be read leaves no file behind and replaces none.
final class Recording {
  private let path: String
  private let replaces: Bool
  private let isLive: Bool
  private var writer: LogWriter?

  init(to path: String, replaces: Bool, isLive: Bool) {
    self.path = path
    self.replaces = replaces
    self.isLive = isLive
  }

  /// Throws when there is a log already that must not be replaced.
  func checkOutput() throws {
    guard path != "-", !replaces, access(path, F_OK) == 0 else { return }
    throw CommandError.usage("\(path): exists already; choose another -o, or pass --replace")
  }

  var eventCount: UInt64 { writer?.eventCount ?? 0 }
  var byteCount: Int { writer?.byteCount ?? 0 }

  func append(_ events: [Event], _ source: any TraceSource) throws {
    if !events.isEmpty { try begin(source).append(events) }
  }

  func flush() throws {
    try writer?.flush()
  }

  /// Ends the log; one without events has its header at least.
  func close(_ source: any TraceSource) throws {
    try begin(source).close()
  }

  private func begin(_ source: any TraceSource) throws -> LogWriter {
    if let writer { return writer }
    var options = LogWriter.Options()
    // A live recording may be cut by a power failure; a file can be imported again.
    if isLive { options.sync = .interval(.milliseconds(100)) }
    let sink =
      path == "-"
      ? FileLogSink(descriptor: 1) : try FileLogSink(path: path, replaces ? .replace : .create)
    let writer = try LogWriter(
      to: sink, vocabulary: source.vocabulary,
      identity: .imported(originWall: source.wallOrigin), options: options)
    self.writer = writer
    return writer
  }
}
