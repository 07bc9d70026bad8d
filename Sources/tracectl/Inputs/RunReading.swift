import LifecycleModel
import Platform
import TraceAnalysis
import TraceReport
import TraceText

/// Reads the runs of both sides of a comparison, each side on a thread of its own.
struct RunReading: Sendable {
  /// The orders that rules fix.
  let orders: DocumentedOrders
  private let task: LogTask
  /// The kind of episode of which an example is wanted.
  private let shown: String?

  init(_ task: LogTask, shown: String? = nil) {
    (self.task, self.shown) = (task, shown)
    orders = DocumentedOrders(task.team.activeRules)
  }

  /// A side, and where its runs lie.
  struct Runs {
    var side = DiffSide()
    var paths: [String]
    /// The hooks of which any of them recorded something.
    var hooks: Set<Hook> = []
  }

  /// Reads both sides, with the events of those hooks that all runs record: where one records more, the
  /// runs are read again without it, so that episodes are cut alike.
  ///
  /// `shown` is what each side records, when that was not the same.
  func read(
    _ first: [String], _ second: [String]
  ) throws -> (a: Runs, b: Runs, shown: (a: Set<Hook>, b: Set<Hook>)?) {
    let progress = Progress(
      "reading \(first.count + second.count) logs", isQuiet: task.settings.isQuiet)
    defer { progress.clear() }
    let (a, b) = try RunReading.atOnce(
      { try read(first, progress) }, { try read(second, progress) })

    let (ofA, ofB) = (
      a.side.episodes.recording?.shown ?? [], b.side.episodes.recording?.shown ?? []
    )
    let common = ofA.intersection(ofB)
    if a.hooks.union(b.hooks) == common { return (a, b, nil) }
    let (againA, againB) = try RunReading.atOnce(
      { try again(a, among: common) }, { try again(b, among: common) })
    return (againA, againB, (ofA, ofB))
  }

  /// Does two works at once; what the first one throws is thrown without waiting for the other.
  private static func atOnce<Value: Sendable>(
    _ first: () throws -> Value, _ second: @escaping @Sendable () throws -> Value
  ) throws -> (Value, Value) {
    let other = Lock<Result<Value, any Error>?>(nil)
    let wait = Threads.begin {
      let result = Result { try second() }
      other.withLock { $0 = result }
    }

    let one = try first()
    wait()
    guard let other = other.withLock({ $0 }) else { preconditionFailure("a work was not done") }
    return (one, try other.get())
  }

  // MARK: One side

  /// Analyzes the runs of one side, and counts what happens in their episodes.
  private func read(_ paths: [String], _ progress: Progress) throws -> Runs {
    var runs = Runs(paths: paths)
    for path in paths {
      var collector: EpisodeCollector?
      var counts = EpisodeCounts()
      swap(&counts, &runs.side.episodes)
      let log = try task.analyze(path, progress) { vocabulary, events in
        if collector == nil {
          collector = EpisodeCollector(vocabulary, orders, into: counts, shown: shown)
          counts = EpisodeCounts()
        }
        collector?.observe(events)
      }

      runs.side.add(log.results(), of: log.name, log.analysis)
      guard log.analysis.eventCount > 0 else {
        throw CommandError.unreadable("\(log.name): has no events; there is nothing to compare")
      }
      take(&collector, into: &runs)
    }
    return runs
  }

  private func take(_ collector: inout EpisodeCollector?, into runs: inout Runs) {
    guard let episodes = collector?.finish(), let collector else { return }
    runs.side.episodes = episodes
    runs.hooks.formUnion(collector.recording.shown)
    runs.side.example = runs.side.example ?? collector.example
  }

  private func again(_ runs: Runs, among hooks: Set<Hook>) throws -> Runs {
    var chosen = runs
    chosen.side.episodes = EpisodeCounts()
    chosen.side.example = nil

    for path in runs.paths {
      if path == "-" {
        throw CommandError.usage(
          "the runs record different hooks and are read twice; save standard input in a file")
      }
      var input = try task.reopen(path)
      var collector: EpisodeCollector? = EpisodeCollector(
        input.vocabulary, orders, into: chosen.side.episodes, among: hooks, shown: shown)
      chosen.side.episodes = EpisodeCounts()
      try input.forEach { events in
        collector?.observe(events)
        collector?.forgetUnusedWords()
      }
      take(&collector, into: &chosen)
    }
    return chosen
  }
}
