import LifecycleModel
import LifecycleRules
import Platform
import TraceAnalysis
import TraceLog
import TraceReport
import Traces
import Workloads

/// Prints what it costs to compare two long runs, against what it costs to decode them.
@MainActor
enum DiffSpeed {
  static func run(events count: Int) throws {
    let paths = [1, 2].map { "/tmp/tracectl-quality-\(getpid())-\($0).bin" }
    defer { for path in paths { unlink(path) } }
    var events = 0
    for (path, seed) in zip(paths, 1...) {
      try Workload.work.write(count, seed: UInt64(seed), to: path)
      events += Int(try LogSummary(path: path).eventCount)
    }

    print("workload: \(events) events on two sides\n\nnanoseconds an event, on one thread")
    let decoding =
      try Measure.once { for path in paths { try decode(path) { _ in } } } / Double(events)
    Measure.row("decode", decoding)
    let rules = try Measure.once { for path in paths { try analyze(path) } } / Double(events)
    Measure.row("decode, fold, rules", rules, Measure.times(rules, decoding, "decoding"))

    let orders = DocumentedOrders(RuleRegistry.all)
    var sides: [EpisodeCounts] = []
    let reading =
      try Measure.once { sides = try paths.map { try side($0, orders) } } / Double(events)
    Measure.row("the same with episodes", reading, Measure.times(reading, decoding, "decoding"))
    var differences = 0
    let comparing = Measure.once {
      differences = RunDifference(sides[0], sides[1], orders).differences.count
    }
    print("comparison of \(differences) differences: \(Measure.rounded(comparing / 1e6)) ms")
    reportChild(paths)
  }

  private static func decode(_ path: String, _ body: ([Event]) -> Void) throws {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    while try reader.read(into: &events) { body(events) }
  }

  private static func analyze(_ path: String) throws {
    var reader = try LogReader(path: path)
    _ = try Analyzer.analyze(&reader)
  }

  /// What a run shows, read as `tracectl diff` does.
  private static func side(
    _ path: String, _ orders: DocumentedOrders
  ) throws -> EpisodeCounts {
    var reader = try LogReader(path: path)
    var analyzer = Analyzer(reader.vocabulary)
    var collector = EpisodeCollector(reader.vocabulary, orders, into: EpisodeCounts())
    var events: [Event] = []
    while try reader.read(into: &events) {
      analyzer.observe(events)
      collector.observe(events)
      analyzer.forgetUnusedWords()
    }

    _ = analyzer.finish()
    return collector.finish()
  }

  /// The command itself, where it was built beside this program: it reads the sides at once.
  private static func reportChild(_ paths: [String]) {
    let folder = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false)
    let command = (folder.dropLast() + ["tracectl"]).joined(separator: "/")
    guard access(command, X_OK) == 0 else {
      print("there is no \(command); swift build -c release --product tracectl makes it")
      return
    }
    print("\ntracectl diff")
    guard let child = Measure.child([command, "diff"] + paths) else { return }
    print("  \(Measure.rounded(child.wall)) s, of the CPU \(Measure.rounded(child.seconds)) s")
    print("  resident at most: \(Measure.rounded(Double(child.peakBytes) / 1_048_576)) MiB")
  }
}
