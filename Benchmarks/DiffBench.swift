import LifecycleModel
import LifecycleRules
import Platform
import TraceAnalysis
import TraceLog

/// Prints what it costs to compare two long runs, against what it costs to decode them.
enum DiffBench {
  static func run(events count: Int) throws {
    let paths = [1, 2].map { "/tmp/tracectl-bench-\(getpid())-\($0).bin" }
    defer { for path in paths { unlink(path) } }
    var events = 0
    for (path, seed) in zip(paths, 1...) {
      events += try Bench.write(count, seed: UInt64(seed), to: path).estimate.events
    }

    print("workload: \(events) events on two sides\n\nnanoseconds an event, on one thread")
    let decoding =
      try Measure.once { for path in paths { try Bench.decode(path) { _ in } } } / Double(events)
    Bench.row("decode", decoding)
    let rules = try Measure.once { for path in paths { try Bench.analyze(path) } } / Double(events)
    Bench.row("decode, fold, rules", rules, Bench.times(rules, decoding, "decoding"))

    let orders = DocumentedOrders(RuleRegistry.all)
    var sides: [RunDifference.Side] = []
    let reading =
      try Measure.once { sides = try paths.map { try side($0, orders) } } / Double(events)
    Bench.row("the same with episodes", reading, Bench.times(reading, decoding, "decoding"))
    var differences = 0
    let comparing = Measure.once {
      differences = RunDifference(sides[0], sides[1], orders).differences.count
    }
    print("comparison of \(differences) differences: \(Bench.rounded(comparing / 1e6)) ms")
    reportChild(paths)
  }

  /// What a run shows, read as `tracectl diff` does.
  private static func side(
    _ path: String, _ orders: DocumentedOrders
  ) throws -> RunDifference.Side {
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
    collector.finish()
    var side = RunDifference.Side()
    side.counts = collector.counts
    side.merge(collector.recording)
    return side
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
    print("  \(Bench.rounded(child.wall)) s, of the CPU \(Bench.rounded(child.seconds)) s")
    print("  resident at most: \(Bench.rounded(Double(child.peakBytes) / 1_048_576)) MiB")
  }
}
