import Platform
import TraceReport
import TraceText

/// Analyzes many logs on several threads; the results do not depend on how many.
///
/// Memory is taken by what is different among the findings, and by a window of logs whose lines wait
/// for those before them; with a baseline by some bytes for each finding that it may have, too.
enum ManyLogs {
  /// The most logs that are begun before the line of the first one is out.
  private static let window = 256

  /// Analyzes all logs on at most `threads` threads, and compares them with what is known; `print` takes
  /// a line for each log, in the order of `paths`.
  static func analyze(
    _ paths: [String], _ task: LogTask, threads: Int,
    print: @escaping @Sendable (String) throws -> Void = { _ in }
  ) throws -> AnalysisResults {
    let progress = Progress("reading \(paths.count) logs", isQuiet: task.settings.isQuiet)
    defer { progress.clear() }
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
      var pile = ResultsPile()
      work.each { log, handOver in
        let (path, name) = (paths[log], InertText.word(paths[log]))
        let results: AnalysisResults
        do {
          results = try task.analyze(path, progress).results()
        } catch {
          results = AnalysisResults(unreadable: .init(log: name, error: InertText.line("\(error)")))
        }
        pile.add(results)
        try handOver(VerdictLine(results, of: name, task.known))
      }
      let total = pile.total
      sum.withLock { $0.merge(total) }
    }

    var total = sum.withLock { $0 }
    if let known = task.known { total.compare(with: known) }
    var lines = open.withLock { $0 }
    VerdictLine.settle(&lines, total)
    for line in lines { try print(line.text) }
    return total
  }
}
