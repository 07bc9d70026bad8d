import Dispatch
import LifecycleModel
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// Analyzes many logs on several threads; what comes out does not depend on how many.
///
/// Memory is taken by what is different among the findings, and by a window of logs whose lines wait
/// for those before them; with a baseline by some bytes for each finding that it may have, too.
final class ManyLogs: Sendable {
  /// How many cores there are.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// So many logs may be begun before the line of the first one is out.
  private static let window = 256

  private struct State {
    var nextLog = 0
    var nextLine = 0
    /// The lines of logs whose predecessors are not ready.
    var waiting: [Int: VerdictLine] = [:]
    /// The lines from the first on that all logs together decide.
    var open: [VerdictLine] = []
    var total = AnalysisResults()
    var failure: (any Error)?
  }

  private let paths: [String]
  private let team: Configuration
  /// The same for every log, however long it takes.
  private let today = CalendarDay.today
  private let statistics: Bool
  private let settings: InputSettings
  private let progress: Progress
  private let known: Baseline?
  private let sheet: VerdictSheet
  private let print: @Sendable (String) throws -> Void
  private let state = Lock(State())
  private let permits = DispatchSemaphore(value: ManyLogs.window)

  /// Makes ready to analyze, held against what is `known`; `print` takes a line for each log, in the
  /// order of `paths`.
  init(
    _ paths: [String], _ team: Configuration, _ known: Baseline? = nil, statistics: Bool,
    settings: InputSettings,
    print: @escaping @Sendable (String) throws -> Void
  ) {
    self.paths = paths
    self.team = team
    self.statistics = statistics
    self.settings = settings
    progress = Progress("reading \(paths.count) logs", isQuiet: settings.isQuiet)
    self.known = known
    sheet = VerdictSheet(known)
    self.print = print
  }

  /// Analyzes all logs on so many threads, of the system's choice at the most.
  func run(threads: Int) throws -> AnalysisResults {
    defer { progress.clear() }
    Threads.run(min(threads, paths.count)) { [self] in work() }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      if let known { state.total.compare(with: known) }
      sheet.settle(&state.open, state.total)
      for line in state.open { try print(line.text) }
      return state.total
    }
  }

  private func work() {
    var analysis = LogAnalysis(
      team, today: today, statistics: statistics, settings: settings, progress: progress)
    var pile = ResultsPile()
    while let index = takeLog() {
      let results = analysis.results(paths[index])
      pile.add(results)
      put(sheet.line(results, of: InertText.word(paths[index])), at: index)
    }
    let total = pile.total
    state.withLock { $0.total.merge(total) }
  }

  /// The next log to be read; `nil` when all are taken, or no line can be printed any more.
  private func takeLog() -> Int? {
    // Logs are taken in order, and each has a permit: the first line that is missing is being made.
    permits.wait()
    let index = state.withLock { state -> Int? in
      guard state.nextLog < paths.count, state.failure == nil else { return nil }
      state.nextLog += 1
      return state.nextLog - 1
    }
    if index == nil { permits.signal() }
    return index
  }

  private func put(_ line: VerdictLine, at index: Int) {
    state.withLock { state in
      state.waiting[index] = line
      while let line = state.waiting.removeValue(forKey: state.nextLine) {
        do {
          if !state.open.isEmpty || !line.isSettled {
            state.open.append(line)
          } else if state.failure == nil {
            try print(line.text)
          }
        } catch {
          state.failure = error
        }
        state.nextLine += 1
        permits.signal()
      }
    }
  }
}
