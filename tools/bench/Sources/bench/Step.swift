import CBench
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceLog
import TraceRecorder
import TraceText

/// What is done once to a whole file, or to a recording that the file becomes.
enum Step: String, CaseIterable {
  // Of a log, floors first.
  case bytes, visit, decode, fold, analyze, statistics, encode
  // Of text.
  case ndjson, notation
  // Of a recorder.
  case fact, off, drain

  /// Prints how many things were handled, and the nanoseconds of CPU that it took this thread.
  func run(_ path: String) throws {
    let (count, time) = try handle(path)
    Bench.show(rawValue, Double(count), Double(time))
  }

  private func handle(_ path: String) throws -> (count: Int, time: UInt64) {
    switch self {
    case .bytes: return try measured { try Step.readBytes(path) }
    case .visit: return try Step.visitEvents(path)
    case .decode: return try measured { try Bench.decode(path) { _ in }.events }
    case .fold:
      var state = LifecycleState()
      return try measured {
        try Bench.decode(path) { for event in $0 { state.fold(event) } }.events
      }
    case .analyze, .statistics:
      return try measured { try Step.analyze(path, statistics: self == .statistics) }
    case .encode: return try Step.encode(path)
    case .ndjson: return try Text.parseNDJSON(path)
    case .notation: return try Text.parseNotation(path)
    case .fact, .off: return try Recording.facts(path, isOn: self == .fact)
    case .drain: return try Recording.drain(path)
    }
  }

  private static func analyze(_ path: String, statistics: Bool) throws -> Int {
    var reader = try LogReader(path: path)
    return Int(try Analyzer.analyze(&reader, statistics: statistics).eventCount)
  }

  /// What any reader must do at least: see every byte.
  private static func readBytes(_ path: String) throws -> Int {
    let descriptor = bench_open(path)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var sum: UInt32 = 0
    var all = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      all += count
      for byte in buffer[..<count] { sum &+= UInt32(byte) }
    }
    return sum == 0 ? 0 : all
  }

  /// What any analyzer must do at least: look at each event, decoded already.
  private static func visitEvents(_ path: String) throws -> (Int, UInt64) {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    while events.isEmpty, try reader.read(into: &events) {}
    return measured {
      var sum: Int64 = 0
      for _ in 0..<100 {
        for event in events { sum &+= event.instant.nanoseconds ^ Int64(event.name.rawValue) }
      }
      return sum == 0 ? 0 : 100 * events.count
    }
  }

  private static func encode(_ path: String) throws -> (Int, UInt64) {
    var reader = try LogReader(path: path)
    let writer = try LogWriter(to: MemoryLogSink(), vocabulary: reader.vocabulary)
    var events: [Event] = []
    var (all, time): (Int, UInt64) = (0, 0)
    while try reader.read(into: &events) {
      let part = try measured {
        try writer.append(events)
        return events.count
      }
      (all, time) = (all + part.count, time + part.time)
    }
    return (all, time)
  }
}

/// Does what is measured, returns how much was done and the CPU time of this thread.
///
/// Callgrind counts the instructions in here alone: see `guard` in `tools/bench/bench/guard.py`.
@inline(never)
@_silgen_name("bench_measured")
func measured(_ body: () throws -> Int) rethrows -> (count: Int, time: UInt64) {
  let start = bench_thread_time()
  let count = try body()
  return (count, bench_thread_time() - start)
}
