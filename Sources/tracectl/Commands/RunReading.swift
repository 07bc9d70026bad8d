import LifecycleModel
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// Reads the runs of both sides of a comparison.
struct RunReading {
  /// The orders that rules fix.
  let orders: DocumentedOrders
  private let settings: InputSettings
  private var reading: LogAnalysis
  /// The kind of episode of which an example is wanted.
  private let shown: String?

  init(_ team: Configuration, _ settings: InputSettings, shown: String?) {
    (self.settings, self.shown) = (settings, shown)
    orders = DocumentedOrders(team.activeRules)
    reading = LogAnalysis(team, statistics: false, settings: settings)
  }

  /// A side, and where its runs lie.
  struct Runs {
    var side: DiffSide
    var paths: [String]
    /// The hooks of which any of them recorded something.
    var hooks: Set<Hook>
  }

  /// Analyzes the runs of one side, and counts what happens in their episodes.
  mutating func read(_ paths: [String]) throws -> Runs {
    let (orders, shown) = (orders, shown)
    var runs = Runs(side: DiffSide(), paths: paths, hooks: [])
    for path in paths {
      var collector: EpisodeCollector?
      var counts = EpisodeCounts()
      swap(&counts, &runs.side.run.counts)
      let (analysis, vocabulary, lines) = try reading.analyze(path) { _, vocabulary, events in
        if collector == nil {
          collector = EpisodeCollector(vocabulary, orders, into: counts, shown: shown)
          counts = EpisodeCounts()
        }
        collector?.observe(events)
      }

      let name = InertText.word(path)
      let results = AnalysisResults(analysis, of: name, vocabulary, lines: lines)
      runs.side.add(results, of: name, analysis.profile)
      guard analysis.eventCount > 0 else {
        throw CommandError.unreadable("\(name): has no events; there is nothing to compare")
      }
      take(&collector, into: &runs)
    }
    return runs
  }

  private func take(_ collector: inout EpisodeCollector?, into runs: inout Runs) {
    collector?.finish()
    guard let collector else { return }
    runs.side.run.counts = collector.counts
    runs.side.run.merge(collector.recording)
    runs.hooks.formUnion(collector.recording.shown)
    runs.side.example = runs.side.example ?? collector.example
  }

  /// Both sides with the events of those hooks that all runs record: where one records more, the runs are
  /// read again without it, so that episodes are cut alike.
  ///
  /// `shown` is what each side records, when that is not the same.
  func alike(
    _ first: Runs, _ second: Runs
  ) throws -> (a: DiffSide, b: DiffSide, shown: (Set<Hook>, Set<Hook>)?) {
    let (ofA, ofB) = (first.side.run.recording?.shown ?? [], second.side.run.recording?.shown ?? [])
    let common = ofA.intersection(ofB)
    if first.hooks.union(second.hooks) == common { return (first.side, second.side, nil) }
    return (
      try again(first, among: common), try again(second, among: common), (ofA, ofB)
    )
  }

  private func again(_ runs: Runs, among hooks: Set<Hook>) throws -> DiffSide {
    var chosen = Runs(side: runs.side, paths: runs.paths, hooks: [])
    chosen.side.run = RunDifference.Side()
    chosen.side.example = nil

    for path in runs.paths {
      if path == "-" {
        throw CommandError.usage(
          "the runs record different hooks and are read twice; save standard input in a file")
      }
      var input = try reading.reopen(path)
      var collector: EpisodeCollector? = EpisodeCollector(
        input.vocabulary, orders, into: chosen.side.run.counts, among: hooks, shown: shown)
      var events: [Event] = []
      while try input.read(into: &events) {
        collector?.observe(events)
        collector?.forgetUnusedWords()
      }
      take(&collector, into: &chosen)
    }
    return chosen.side
  }
}
