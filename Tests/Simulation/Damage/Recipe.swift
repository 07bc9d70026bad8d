import AnalysisTestSupport
import LifecycleModel
import TraceLog
import TraceText
import Traces
import Workloads

/// How a small log is made, always alike.
struct Recipe: Sendable {
  let name: String
  let holds: String
  /// Writes the log at a path, and returns what it holds.
  let write: @Sendable (String) throws -> Trace

  /// The log.
  func make() throws -> SmallLog { try SmallLog(write) }

  /// All logs that are damaged.
  static let all = fevers + anything + played + words + shapes + parts + rings

  /// A log of one file.
  static func one(
    _ name: String, _ holds: String, block: Int, level: Int = 6,
    _ trace: @escaping @Sendable () throws -> Trace
  ) -> Recipe {
    Recipe(name: name, holds: "\(holds), \(block) events a block, level \(level)") { path in
      let trace = try trace()
      let sink = try FileLogSink(path: path)
      let writer = try LogWriter(
        to: sink, vocabulary: trace.vocabulary, identity: SmallLog.identity(name),
        options: .of(block: block, level: level))
      try writer.append(trace.events)
      try writer.close()
      return trace
    }
  }

  // MARK: Lives

  private static let fevers = [(1, 80, 9, 6), (2, 90, 30, 6), (3, 60, 4, 1), (4, 100, 25, 9)].map {
    seed, count, block, level in
    one("fever \(seed)", "events that rules are about", block: block, level: level) {
      var life = ArbitraryLife(seed: UInt64(seed))
      return life.trace(count: count)
    }
  }

  private static let played = [Workload.storm, .lives].map { workload in
    one("\(workload)", "an app that is played", block: 15) {
      let folder = try Folder()
      let path = folder.path(SmallLog.name)
      try MainActor.assumeIsolated { try workload.write(60, to: path) }
      var reader = try LogReader(path: path)
      var trace = try reader.readAll()
      // A life that is filled with work is longer than was asked for.
      trace.events = Array(trace.events.prefix(60))
      return trace
    }
  }

  private static let anything = [(1, 8, 6), (2, 20, 6), (3, 60, 6), (4, 12, 1), (5, 12, 9)].map {
    seed, block, level in
    one("anything \(seed)", "anything, unknown verbs too", block: block, level: level) {
      var maker = ArbitraryTrace(seed: UInt64(seed))
      return maker.trace(count: 45)
    }
  }
}

extension LogWriter.Options {
  /// The options of a log of small blocks.
  static func of(block: Int, level: Int = 6) -> LogWriter.Options {
    var options = LogWriter.Options()
    (options.eventsPerBlock, options.level) = (block, level)
    return options
  }
}

extension SmallLog {
  /// A log's identity, which is another one for each name.
  static func identity(_ name: some Hashable) -> LogIdentity {
    var sum: UInt8 = 7
    for byte in "\(name)".utf8 { sum = sum &* 31 &+ byte }
    return LogIdentity(
      logID: (0..<16).map { sum &+ UInt8($0) }, originWall: 1_700_000_000_000_000_000,
      originMonotonic: 5_000_000_000, originBoottime: 6_000_000_000, bootID: Array(0xB0...0xBF))
  }
}
