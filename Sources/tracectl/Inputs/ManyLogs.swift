import LifecycleModel
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// Analyzes many logs on several threads; the results do not depend on how many.
///
/// Memory is taken by what is different among the findings, and by a window of logs whose lines wait
/// for those before them; with a baseline by some bytes for each finding that it may have, too.
enum ManyLogs {
  /// The most logs that are begun before the line of the first one is out.
  private static let window = 256

  /// Analyzes all logs on at most `threads` threads, and compares them with what is `known`; `print` takes
  /// a line for each log, in the order of `paths`.
  static func analyze(
    _ paths: [String], _ team: Configuration, _ known: Baseline? = nil, statistics: Bool = false,
    settings: InputSettings, threads: Int,
    print: @escaping @Sendable (String) throws -> Void = { _ in }
  ) throws -> AnalysisResults {
    let progress = Progress("reading \(paths.count) logs", isQuiet: settings.isQuiet)
    defer { progress.clear() }
    // The same for every log, however long it takes.
    let today = CalendarDay.today
    let sheet = VerdictSheet(known)
    let sum = Lock(AnalysisResults())
    /// The lines from the first on that all logs together decide.
    let open = Lock<[VerdictLine]>([])

    let work = OrderedWork<VerdictLine>(paths.count, piecesAhead: window) { line in
      let isOpen = open.withLock { open in
        if !open.isEmpty || !line.isSettled { open.append(line) }
        return !open.isEmpty
      }
      if !isOpen { try print(line.text) }
    }
    try work.run(threads: threads) {
      var analysis = LogAnalysis(
        team, today: today, statistics: statistics, settings: settings, progress: progress)
      var pile = ResultsPile()
      work.each { log, handOver in
        let results = analysis.results(paths[log])
        pile.add(results)
        try handOver(sheet.line(results, of: InertText.word(paths[log])))
      }
      let total = pile.total
      sum.withLock { $0.merge(total) }
    }

    var total = sum.withLock { $0 }
    if let known { total.compare(with: known) }
    var lines = open.withLock { $0 }
    sheet.settle(&lines, total)
    for line in lines { try print(line.text) }
    return total
  }
}
