import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// Opens, reads and analyzes logs: what applies to each of them, made ready once for all threads.
struct LogTask: Sendable {
  let team: Configuration
  /// How inputs are read.
  var settings: InputSettings
  /// The findings that are known; `nil` without a baseline.
  let known: Baseline?
  /// The day as of which suppressions hold: the same for every log, however long it takes.
  let today = CalendarDay.today
  private let program: RuleProgram

  /// Makes the rules of `team` ready, or none of them unless it `judges`.
  init(
    _ team: Configuration, _ settings: InputSettings, known: Baseline? = nil,
    statistics: Bool = false, judges: Bool = true
  ) {
    (self.team, self.settings, self.known) = (team, settings, known)
    program = RuleProgram(judges ? team.activeRules : [], statistics: statistics)
  }

  /// Opens the log at `path`; a work of many logs has a `progress` of its own.
  func open(_ path: String, _ progress: Progress? = nil) throws -> OpenLog {
    let input = try TraceInput(path, settings: settings, progress: progress)
    return OpenLog(
      task: self, path: path, input: input, analyzer: analyzer(input.vocabulary),
      isOnlyOne: progress == nil)
  }

  /// An analyzer of events of `vocabulary`.
  func analyzer(_ vocabulary: Vocabulary) -> Analyzer {
    var analyzer = program.analyzer(vocabulary)
    analyzer.use(answers: settings.answers)
    return analyzer
  }

  /// Opens the log at `path` again, to be read as it was analyzed.
  func reopen(_ path: String, _ progress: Progress? = nil) throws -> TraceInput {
    try TraceInput(path, settings: settings, progress: progress, isReadAgain: true)
  }

  /// Analyzes the log at `path`; `seen` is called for the events of each batch, before words are forgotten.
  func analyze(
    _ path: String, _ progress: Progress? = nil,
    seen: (Vocabulary, [Event]) throws -> Void = { _, _ in }
  ) throws -> AnalyzedLog {
    var log = try open(path, progress)
    var unknown = UnknownWords(log.input.vocabulary)
    var events: [Event] = []
    while try log.read(into: &events) {
      for event in events {
        unknown.observe(event) { log.input.lines?.line(of: event, in: log.input.vocabulary) }
      }
      try seen(log.input.vocabulary, events)
      log.analyzer.forgetUnusedWords()
    }
    return log.finish(unknown.list)
  }
}

/// A log that is read and analyzed.
struct OpenLog {
  fileprivate let task: LogTask
  fileprivate let path: String
  fileprivate(set) var input: TraceInput
  var analyzer: Analyzer
  fileprivate let isOnlyOne: Bool

  /// Replaces the contents of `events` by the next batch, which is analyzed; false at the end.
  mutating func read(into events: inout [Event]) throws -> Bool {
    guard try input.read(into: &events) else { return false }
    analyzer.observe(events)
    return true
  }

  /// Ends the analysis of a log in which words are `unknown`.
  mutating func finish(_ unknown: [UnknownWord] = []) -> AnalyzedLog {
    var analysis = analyzer.finish()
    analysis.unknownWords = unknown
    analysis.isCut = input.isCut
    // Of many logs a report is about one, and about none of the others.
    if isOnlyOne { analysis.reportsApart = input.reportsApart }
    task.team.suppress(&analysis, input.vocabulary, today: task.today)
    task.team.annotate(&analysis)
    return AnalyzedLog(
      analysis: analysis, vocabulary: input.vocabulary, clock: input.clock,
      name: InertText.word(path), lines: input.lines)
  }
}

/// What is wrong in a log that was read to its end.
struct AnalyzedLog {
  let analysis: Analysis
  let vocabulary: Vocabulary
  /// What the log knows of the wall clock; `nil` when it knows nothing.
  let clock: WallClock?
  /// Its name in reports.
  let name: String
  /// The lines of its events, when it is a text.
  let lines: EventLines?

  /// What a report contains about it, held against a baseline when one is given, with the times of a `clock`.
  func results(_ known: Baseline? = nil, _ clock: WallClock? = nil) -> AnalysisResults {
    AnalysisResults(analysis, of: name, vocabulary, known, lines: lines, clock: clock)
  }
}
