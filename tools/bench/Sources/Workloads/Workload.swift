import LifecycleModel
import TraceLog

/// The lives of apps that are measured; equal seeds give equal events, in as many as are asked for.
public enum Workload: String, CaseIterable, Sendable {
  /// One scene, and much work: see ``AppWorkload``.
  case work
  /// Four scenes, and much work: see ``ScenesWorkload``.
  case scenes
  /// Two scenes, many processes, and hardly any work: see ``LivesWorkload``.
  case lives
  /// An app that breaks several rules in each cycle: see ``StormWorkload``.
  case storm

  /// Writes a log of at least `count` events, which ends with the process asleep.
  ///
  /// Memory: a few megabytes, whatever the count.
  @MainActor
  public func write(_ count: Int, seed: UInt64 = 1, to path: String) throws {
    switch self {
    case .work: try Workload.write(AppWorkload(count: count, seed: seed), to: path)
    case .scenes: try ScenesWorkload.write(count, seed, to: path)
    case .lives: try LivesWorkload.write(count, seed, to: path)
    case .storm: try StormWorkload.write(count, seed, to: path)
    }
  }

  /// Writes all events of `stream` into a new log.
  static func write(_ stream: some EventStream, to path: String) throws {
    var stream = stream
    let sink = try FileLogSink(path: path, .replace)
    let writer = try LogWriter(to: sink, vocabulary: stream.vocabulary)
    var events: [Event] = []
    while try stream.read(into: &events) { try writer.append(events) }
    try writer.close()
  }
}
