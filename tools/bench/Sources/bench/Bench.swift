import LifecycleModel
import TraceLog
import TraceText
import Workloads

/// One step of a measurement at a time, in a process of its own: `tools/bench/run` takes turns with them,
/// and knows what the lines mean that they print.
@main
enum Bench {
  @MainActor static func main() throws {
    var words = Array(CommandLine.arguments.dropFirst())
    let command = words.isEmpty ? "" : words.removeFirst()
    switch (command, words.count) {
    case ("log", 3):
      guard let workload = Workload(rawValue: words[0]), let count = Int(words[1]) else { break }
      return try workload.write(count, to: words[2])
    case ("open", 3):
      guard let kind = OpenThings(rawValue: words[0]), let count = Int(words[1]) else { break }
      return try kind.write(count, to: words[2])
    case ("step", 2):
      guard let step = Step(rawValue: words[0]) else { break }
      return try step.run(words[1])
    case ("size", 1): return try size(words[0])
    case ("rows", 2): return try Rows.write(words[0], to: words[1])
    case ("ndjson", 2):
      return try Text.write(words[0], to: words[1]) { NDJSON.Printer(vocabulary: $0).append }
    case ("notation", 2):
      return try Text.write(words[0], to: words[1]) { TraceNotation.Printer(vocabulary: $0).append }
    case ("record", 0): return try Recording.run()
    case ("start", 0): return try Start.run()
    default: break
    }
    print(
      """
      usage: bench log \(names(Workload.self)) EVENTS FILE
             bench open \(names(OpenThings.self)) COUNT FILE
             bench step \(names(Step.self)) FILE
             bench size LOG | rows LOG FILE | ndjson LOG FILE | notation LOG FILE
             bench record | start
      """)
  }

  private static func names<Kind: CaseIterable & RawRepresentable<String>>(_: Kind.Type) -> String {
    Kind.allCases.map(\.rawValue).joined(separator: "|")
  }

  /// Prints what a log takes, and what its events need at least.
  private static func size(_ path: String) throws {
    var estimate = EntropyEstimate()
    let log = try Bench.decode(path) { for event in $0 { estimate.add(event) } }
    show("events", Double(estimate.events))
    show("bytes", Double(log.bytes))
    for part in estimate.parts { show(part.name, part.bytes) }
  }

  /// Hands over the events of a log; returns how many there are, and how many bytes were read.
  @discardableResult
  static func decode(
    _ path: String, _ body: ([Event]) throws -> Void
  ) throws -> (events: Int, bytes: Int) {
    var reader = try LogReader(path: path)
    var events: [Event] = []
    var count = 0
    while try reader.read(into: &events) {
      count += events.count
      try body(events)
    }
    return (count, reader.byteCount)
  }

  /// A line: what was measured, and the figure.
  static func show(_ name: String, _ figures: Double...) {
    print(([name] + figures.map { "\($0)" }).joined(separator: "\t"))
  }
}
