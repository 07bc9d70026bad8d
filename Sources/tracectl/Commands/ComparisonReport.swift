import LifecycleModel
import TraceAnalysis
import TraceReport
import TraceText

/// Makes the page of `tracectl report --against`.
struct ComparisonReport {
  private let reading: RunReading
  private let known: Baseline?

  init(_ reading: RunReading, _ known: Baseline?) { (self.reading, self.known) = (reading, known) }

  /// Compares logs with others, and writes the page to a file that is none of them, nor of `inputs`.
  func write(
    _ logs: [String], _ others: [String], to output: String, inputs: [String]
  ) throws {
    if (logs + others).contains("-") {
      throw CommandError.usage(
        "the page of a comparison reads the logs twice, so that they must be files, not standard "
          + "input; save it first: cat > log.bin")
    }
    let (ofA, ofB) = (try LogsArgument.paths(logs), try LogsArgument.paths(others))
    let file = try ReportFile(output, inputs: inputs + ofA + ofB)

    let sides = try reading.read(ofA, ofB)
    let (first, second) = (sides.a.side, sides.b.side)
    let comparison = RunComparison(
      first, second, reading.orders, shown: sides.shown, known: known)
    let kinds = ComparisonPage.kinds(comparison)
    let (ofFirst, ofSecond) = (try episodes(kinds, sides.a), try episodes(kinds, sides.b))
    let pairs = kinds.map { EpisodePair($0, ofFirst[$0], ofSecond[$0]) }
    try file.write(Array(ComparisonPage(comparison, first, second, pairs).html.utf8))
  }

  /// The median episode of each kind that a side has; the logs with them are read again.
  private func episodes(
    _ kinds: [String], _ runs: RunReading.Runs
  ) throws -> [String: EpisodePair.Side] {
    let medians = kinds.compactMap { kind in runs.places?.median(of: kind).map { (kind, $0) } }
    var sides: [String: EpisodePair.Side] = [:]
    for (run, chosen) in Dictionary(grouping: medians, by: \.1.run) {
      var input = try reading.reopen(runs.paths[run])
      var sketches = EpisodeSketches(chosen.map(\.1.extent), input.vocabulary)
      var events: [Event] = []
      while try input.read(into: &events), sketches.draw(events) {}
      sketches.finish()

      for ((kind, _), sketch) in zip(chosen, sketches.sketches) {
        sides[kind] = EpisodePair.Side(
          sketch, of: runs.side.run.counts.count(of: kind), log: InertText.word(runs.paths[run]))
      }
    }
    return sides
  }
}
