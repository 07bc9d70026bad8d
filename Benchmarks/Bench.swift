import LifecycleModel
import Platform
import LifecycleRules
import TraceAnalysis
import TraceLog
import Traces

/// Prints the size of a log against the entropy of what is in it, and the speed of each step against
/// floors of the same run.
@main
enum Bench {
  @MainActor static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count >= 2 && arguments[1] == "quality" {
      return try QualityBench.run(QualityBench.Size(arguments.dropFirst(2)))
    }

    if arguments.count >= 2 && arguments[1] == "fingerprints" {
      return try FingerprintBench.run(cases: arguments.dropFirst(2).first.flatMap(Int.init))
    }
    if arguments.count >= 2 && arguments[1] == "diff" {
      let count = arguments.dropFirst(2).first.flatMap { Int($0) }
      return try DiffBench.run(events: count ?? 5_000_000)
    }
    if arguments.count == 2 && arguments[1] == "start" { return try StartBench.run() }
    if arguments.count == 4 && arguments[1] == "log", let count = Int(arguments[2]) {
      _ = try write(count, to: arguments[3])
      return
    }
    if arguments.count == 3 && arguments[1] == "analyze" { return try analyze(arguments[2]) }
    if arguments.count == 2 && arguments[1] == "record" {
      try RecordBench.run()
      return try RecordBench.drain()
    }

    let count = arguments.count > 1 ? Int(arguments[1]) ?? 5_000_000 : 5_000_000
    let path = "/tmp/tracectl-bench-\(getpid()).bin"
    defer { unlink(path) }
    print("workload: \(count) events, nanosecond stamps, seed 1")
    let writing = try write(count, to: path)
    try report(size: writing, path)
    try report(speed: path, events: writing.estimate.events, writing: writing.nanoseconds)
    reportChild(path, events: writing.estimate.events)
  }

  struct Writing {
    var estimate = EntropyEstimate()
    var withValue = 0
    var bytes = 0
    var nanoseconds = 0.0
  }

  /// Writes the workload's log, and takes the time of the writing alone.
  static func write(_ count: Int, seed: UInt64 = 1, to path: String) throws -> Writing {
    var workload = AppWorkload(count: count, seed: seed)
    var result = Writing()
    let sink = try FileLogSink(path: path, .replace)
    let writer = try LogWriter(to: sink, vocabulary: workload.vocabulary)
    var events: [Event] = []

    while workload.read(into: &events) {
      for event in events { result.estimate.add(event) }
      result.withValue += events.count { $0.hasValue }
      result.nanoseconds += try Measure.once { try writer.append(events) }
    }

    result.nanoseconds += try Measure.once { try writer.close() }
    result.bytes = writer.byteCount
    return result
  }

  private static func report(size writing: Writing, _ path: String) throws {
    let estimate = writing.estimate
    let events = Double(estimate.events)
    let bytes = Double(writing.bytes) / events
    print("with a value: one event in \(rounded(events / Double(writing.withValue)))")
    print("\nsize, bytes an event")
    for part in estimate.parts { row("  entropy: \(part.name)", part.bytes) }
    row("entropy estimate", estimate.bytesPerEvent)
    row("log", bytes, "\(rounded(bytes / estimate.bytesPerEvent)) × the estimate")
  }

  private static func report(speed path: String, events: Int, writing: Double) throws {
    print("\nspeed on one thread, nanoseconds an event")
    let count = Double(events)
    let floor = try Measure.nanoseconds { try readBytes(path) } / count
    row("floor: read every byte of the file", floor)
    row("floor: visit events in memory", try visitEvents(path))

    let decoding = try Measure.nanoseconds { try decode(path) { _ in } } / count
    row("decode", decoding, times(decoding, floor))
    var state = LifecycleState()
    let folding = try Measure.nanoseconds {
      state = LifecycleState()
      try decode(path) { events in for event in events { state.fold(event) } }
    }
    row("decode, fold", folding / count, times(folding / count, floor))

    let analysis = try Measure.nanoseconds { try analyze(path) } / count
    row("decode, fold, \(RuleRegistry.all.count) rules", analysis, times(analysis, floor))
    let measuring = try Measure.nanoseconds { try analyze(path, statistics: true) } / count
    row("the same with statistics", measuring, "+ \(rounded(measuring - analysis))")
    row("encode", writing / count, times(writing / count, floor))
    print("analyzed: \(rounded(1000 / analysis)) million events a second")
  }

  /// The analysis in a process of its own: its memory, and its time with all that starting costs.
  private static func reportChild(_ path: String, events: Int) {
    guard let child = Measure.child([CommandLine.arguments[0], "analyze", path]) else { return }
    print("\nin a process of its own")
    print("  resident at most: \(rounded(Double(child.peakBytes) / 1_048_576)) MiB")
    print("  \(rounded(Double(events) / child.seconds / 1e6)) million events a CPU second")
  }

  static func analyze(_ path: String, statistics: Bool = false) throws {
    var reader = try LogReader(path: path)
    let analysis = try Analyzer.analyze(&reader, statistics: statistics)
    guard analysis.findings.isEmpty else {
      print("the workload is not clean: \(analysis.findings[0].message)")
      exit(1)
    }
  }

  static func decode(_ path: String, _ body: ([Event]) -> Void) throws {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    while try reader.read(into: &events) { body(events) }
  }

  /// What any reader must do at least: see every byte.
  private static func readBytes(_ path: String) throws {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var sum: UInt32 = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count <= 0 { break }
      for byte in buffer[..<count] { sum = sum &* 31 &+ UInt32(byte) }
    }
    if sum == 0 { print("the log is empty") }
  }

  /// What any analyzer must do at least, look at each event, decoded already: nanoseconds an event.
  private static func visitEvents(_ path: String) throws -> Double {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    while events.isEmpty, try reader.read(into: &events) {}
    var sum: Int64 = 0
    let time = Measure.nanoseconds {
      for _ in 0..<100 {
        for event in events { sum &+= event.instant.nanoseconds ^ Int64(event.name.rawValue) }
      }
    }
    if sum == 0 { print("the log has no times") }
    return time / Double(100 * events.count)
  }

  static func row(_ name: String, _ number: Double, _ note: String = "") {
    let padding = String(repeating: " ", count: max(1, 40 - name.count))
    print("  \(name)\(padding)\(rounded(number))\(note.isEmpty ? "" : "   \(note)")")
  }

  static func times(_ number: Double, _ floor: Double, _ name: String = "the floor") -> String {
    "\(rounded(number / floor)) × \(name)"
  }

  static func rounded(_ number: Double) -> String {
    let hundredths = (number * 100).rounded() / 100
    return "\(hundredths)"
  }
}

extension Measure {
  /// The nanoseconds that one run of `body` takes.
  static func once(_ body: () throws -> Void) rethrows -> Double {
    let start = threadTime()
    try body()
    return threadTime() - start
  }
}
