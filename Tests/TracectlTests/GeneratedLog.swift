import LifecycleModel
import TraceLog
import TraceText
import Traces

/// A log of a random trace, with random limits, made from a seed.
struct GeneratedLog {
  /// Where the log's newest part lies.
  let path: String
  /// What our own reader says of it, as NDJSON with numbers.
  let events: String

  /// Writes the log of `seed` to `path`.
  init(seed: UInt64, path: String) throws {
    self.path = path
    var random = SeededGenerator(seed: seed)
    // A block of thousands of events has several groups of times.
    let isLarge = seed % 200 == 0
    let trace = try isLarge ? GeneratedLog.largeTrace(seed) : GeneratedLog.trace(&random)
    let log = try RotatingLog(
      path: path, .create, vocabulary: trace.vocabulary, identity: GeneratedLog.identity(&random),
      options: isLarge ? LogWriter.Options() : GeneratedLog.options(&random),
      limits: isLarge ? LogLimits() : GeneratedLog.limits(&random))

    var rest = trace.events[...]
    while !rest.isEmpty {
      let batch = rest.prefix(Int.random(in: 1...60, using: &random))
      rest = rest.dropFirst(batch.count)
      try log.append(batch)
    }
    try log.close()
    events = try GeneratedLog.read(path)
  }

  /// What our own reader says of the log at `path`, as NDJSON with numbers.
  static func read(_ path: String) throws -> String {
    var reader = try LogReader(path: path)
    let printer = NDJSON.Printer(vocabulary: reader.vocabulary)
    var bytes: [UInt8] = []
    for event in try reader.readAll().events { printer.appendNumbered(event, to: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func trace(_ random: inout SeededGenerator) throws -> Trace {
    let count = random.oneIn(20) ? 0 : Int.random(in: 1...40, using: &random)
    if random.oneIn(3) {
      var maker = ArbitraryTrace(seed: random.next())
      return maker.trace(count: count)
    }
    var maker = RandomTrace(seed: random.next())
    return try maker.trace(count, isWild: random.oneIn(2))
  }

  /// A trace with more than 256 shapes, which have two bytes each.
  private static func largeTrace(_ seed: UInt64) throws -> Trace {
    var maker = RandomTrace(seed: seed)
    return try maker.trace(2_100, labels: 300, isWild: seed % 400 == 0)
  }

  private static func identity(_ random: inout SeededGenerator) -> LogIdentity {
    LogIdentity(
      logID: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) },
      originWall: Int64.random(in: 0 ... .max, using: &random), originMonotonic: 0,
      originBoottime: 0)
  }

  private static func options(_ random: inout SeededGenerator) -> LogWriter.Options {
    var options = LogWriter.Options()
    options.eventsPerBlock = [1, 4, 20, 100, 16_384].randomElement(using: &random) ?? 100
    options.level = Int.random(in: 1...9, using: &random)
    return options
  }

  private static func limits(_ random: inout SeededGenerator) -> LogLimits {
    switch Int.random(in: 0...4, using: &random) {
    case 0: LogLimits(maxPartBytes: Int.random(in: 500...4_000, using: &random))
    case 1: LogLimits(keptBytes: Int.random(in: 4_000...20_000, using: &random))
    default: LogLimits()
    }
  }
}
