import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// A log that is read into tables: where it lies, and what the tables call it.
struct TabledLog: Sendable {
  /// The file.
  let path: String
  /// Its name in the column `log`.
  let name: String

  /// A log that is called as it was named.
  init(_ path: String) { self.init(path, named: path) }

  /// A log with another name.
  init(_ path: String, named name: String) { (self.path, self.name) = (path, name) }
}

/// Reads one log after another into the rows of tables, on one thread.
struct TableReading {
  /// What is the same for every log.
  struct Task: Sendable {
    let plan: TablePlan
    let team: Configuration
    let settings: InputSettings
    /// The part of each log that is read.
    let window: WindowOptions
    let known: Baseline?
    /// The same for every log, however long it takes.
    let today = CalendarDay.today
    /// The rules that judge, made ready once for all threads.
    let program: RuleProgram

    init(
      plan: TablePlan, team: Configuration, settings: InputSettings, window: WindowOptions,
      known: Baseline?
    ) {
      (self.plan, self.team, self.settings) = (plan, team, settings)
      (self.window, self.known) = (window, known)
      let rules = plan.needsRules ? team.activeRules : []
      program = RuleProgram(Catalogue.lifecycle.applying(rules))
    }
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
    do {
      try readWhole(log) { chunk in
        do { try take(chunk) } catch { throw TakingFailure(error: error) }
      }
      return nil
    } catch let failure as TakingFailure {
      throw failure.error
    } catch let error as CommandError {
      // Standard input was read from a file.
      let text = InertText.line(error.description.replacing(log.path, with: log.name))
      tables.add(error: text, of: log.name)
      return text
    }
  }

  private mutating func readWhole(_ log: TabledLog, _ take: LogTables.Take) throws {
    var input = try TraceInput(log.path, settings: task.settings, progress: progress)
    var analyzer = task.program.analyzer(input.vocabulary)
    analyzer.use(answers: task.settings.answers)
    if task.plan.wants(.processes) { analyzer.keepConclusions() }
    var rows: OneLogTables?
    var held = HeldEvents(limit: TableReading.heldEvents)

    while try input.read(into: &events) {
      if Interrupt.isRequested { throw ChildStatus.interrupted }
      if events.isEmpty { continue }
      analyzer.observe(events)
      var log = try rows ?? begin(log, input)
      log.take(analyzer.takeConclusions())
      try tables.observe(events, of: &log, take)
      held.add(events)
      if held.isFull { forget(analyzer: &analyzer, log) }
      rows = log
    }

    let facts = LogFacts(
      id: input.identity.map { LogIdentity.hex($0.logID) }, origin: input.wallOrigin)
    var analysis = analyzer.finish()
    task.team.suppress(&analysis, input.vocabulary, today: task.today)
    if let known = task.known { analysis.compare(with: known) }
    let (read, conclusions) = (try rows ?? begin(log, input), analyzer.takeConclusions())
    let again = { [task, progress] look in
      try TableReading.readAgain(log.path, held, input.vocabulary, task, progress, look)
    }
    try tables.finish(read, analysis, conclusions, facts, again: again)
  }

  private func begin(_ log: TabledLog, _ input: TraceInput) throws -> OneLogTables {
    let part = try task.window.part(by: input.clock) ?? .distantPast ... .distantFuture
    return tables.begin(log.name, input.vocabulary, in: part)
  }

  private func forget(analyzer: inout Analyzer, _ log: OneLogTables) {
    guard analyzer.isVocabularyLarge else { return }
    var use = VocabularyUse()
    log.addUse(to: &use)
    analyzer.forgetUnusedWords(but: use)
  }

  /// Shows all events of a log again, until `look` has seen enough.
  private static func readAgain(
    _ path: String, _ held: HeldEvents, _ vocabulary: Vocabulary, _ task: Task,
    _ progress: Progress?, _ look: ([Event], Vocabulary) -> Bool
  ) throws {
    if !held.isFull {
      for batch in held.batches where !look(batch, vocabulary) { return }
      return
    }

    var input = try TraceInput(
      path, settings: task.settings, progress: progress, isReadAgain: true)
    var events: [Event] = []
    while try input.read(into: &events) {
      if !look(events, input.vocabulary) { return }
      input.vocabulary.forgetAllIfLarge()
    }
  }
}

/// Rows could not be taken, which is no fault of the log.
private struct TakingFailure: Error {
  let error: any Error
}

/// The events of a short log; none of a long one.
private struct HeldEvents {
  private let limit: Int
  private(set) var batches: [[Event]] = []
  private var count = 0

  init(limit: Int) { self.limit = limit }

  /// Whether there were more events than are held: then none is.
  var isFull: Bool { count > limit }

  mutating func add(_ events: [Event]) {
    count += events.count
    if isFull { batches.removeAll() } else { batches.append(events) }
  }
}
