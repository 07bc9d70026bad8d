import LifecycleModel
import TraceAnalysis
import TraceLog
import TraceReport
import TraceText

/// Reads one log after another into the rows of tables, on one thread.
struct TableReading {
  /// What is the same for every log.
  struct Task: Sendable {
    let plan: TablePlan
    let logs: LogTask
    /// The part of each log that is read.
    let window: WindowOptions
  }

  /// So many events of a log are held in memory, so that a short log is read once.
  private static let heldEvents = 1 << 16

  private let task: Task
  private let progress: Progress?
  private var tables: LogTables
  private var events: [Event] = []

  /// Makes ready; a work of many logs has a `progress` of its own.
  init(_ task: Task, _ progress: Progress? = nil) {
    (self.task, self.progress) = (task, progress)
    tables = LogTables(task.plan)
  }

  /// What is summed over the logs.
  var sums: TableSums { tables.sums }

  /// Hands over all rows that are left.
  mutating func handRest(to take: LogTables.Take) throws { try tables.handRest(to: take) }

  /// Reads a log; returns why it cannot be read, which is a row too, or `nil`.
  mutating func read(_ log: TabledLog, _ take: LogTables.Take) throws -> String? {
    // Rows that cannot be taken are no fault of the log.
    var isTaken = true
    do {
      try readWhole(log) { chunk in
        isTaken = false
        try take(chunk)
        isTaken = true
      }
      return nil
    } catch let error as CommandError where isTaken {
      // Standard input was read from a file.
      let text = InertText.line(error.description.replacing(log.path, with: log.name))
      tables.add(error: text, of: log.name)
      return text
    }
  }

  private mutating func readWhole(_ log: TabledLog, _ take: LogTables.Take) throws {
    var open = try task.logs.open(log.path, progress)
    if task.plan.wants(.processes) { open.analyzer.keepConclusions() }
    var rows: OneLogTables?
    var (count, held): (Int, [[Event]]?) = (0, [])

    while try open.read(into: &events) {
      if Interrupt.isRequested { throw ExitStatus.interrupted }
      if events.isEmpty { continue }
      var log = try rows ?? begin(log, open.input)
      log.take(open.analyzer.takeConclusions())
      try tables.observe(events, of: &log, take)
      count += events.count
      if count > TableReading.heldEvents { held = nil }
      held?.append(events)
      if held == nil { forget(&open.analyzer, log) }
      rows = log
    }

    let id = open.input.identity.map { LogIdentity.hex($0.logID) }
    let analyzed = open.finish()
    let (analysis, known) = (analyzed.analysis, task.logs.known)
    let (read, conclusions) = (try rows ?? begin(log, open.input), open.analyzer.takeConclusions())
    let again = { [self] look in try readAgain(log.path, held, analyzed.vocabulary, look) }
    try tables.finish(
      read, analysis, conclusions, id: id, origin: open.input.wallOrigin, known: known, again: again
    )
  }

  private func begin(_ log: TabledLog, _ input: TraceInput) throws -> OneLogTables {
    OneLogTables(
      task.plan, of: log.name, input.vocabulary, in: try task.window.range(by: input.clock))
  }

  private func forget(_ analyzer: inout Analyzer, _ log: OneLogTables) {
    guard analyzer.isVocabularyLarge else { return }
    var use = VocabularyUse()
    log.addUse(to: &use)
    analyzer.forgetUnusedWords(but: use)
  }

  /// Shows all events of a log again, until `look` has seen enough; those of a short log are `held`.
  private func readAgain(
    _ path: String, _ held: [[Event]]?, _ vocabulary: Vocabulary,
    _ look: ([Event], Vocabulary) -> Bool
  ) throws {
    if let held {
      for batch in held where !look(batch, vocabulary) { return }
      return
    }

    var input = try task.logs.reopen(path, progress)
    var events: [Event] = []
    while try input.read(into: &events) {
      if !look(events, input.vocabulary) { return }
      input.vocabulary.forgetAllIfLarge()
    }
  }
}
