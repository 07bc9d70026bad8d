import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceLog
import TraceReport
import TraceText

/// Analyzes one log after another on one thread, with all that applies to every log.
struct LogAnalysis {
  private let team: Configuration
  private let today: CalendarDay
  private let program: RuleProgram
  private let settings: InputSettings
  private let progress: Progress?
  private var events: [Event] = []
  /// Whether it is told which crash reports belong to no process of a log.
  private let tellsApart: Bool
  /// What the last log knows of the wall clock; `nil` when it knows nothing.
  private(set) var clock: WallClock?

  /// With the rules of `team`, whose suppressions hold as of `today`; a work of many logs has a
  /// `progress` of its own, and does not tell which crash reports belong to another log.
  init(
    _ team: Configuration, today: CalendarDay = .today, statistics: Bool,
    settings: InputSettings, progress: Progress? = nil
  ) {
    (self.team, self.today) = (team, today)
    (self.settings, self.progress) = (settings, progress)
    tellsApart = progress == nil
    program = RuleProgram(team.activeRules, statistics: statistics)
  }

  /// What is wrong in the log at `path`.
  ///
  /// `seen` is called for each batch and its events, before words are forgotten.
  mutating func analyze(
    _ path: String, seen: (Analyzer, Vocabulary, [Event]) throws -> Void = { _, _, _ in }
  ) throws -> (analysis: Analysis, vocabulary: Vocabulary, lines: EventLines?) {
    var input = try TraceInput(path, settings: settings, progress: progress)
    var reports = try JoinedReports(settings.reports, log: path, settings: settings)
    if tellsApart { reports.tellApart(path) }
    var analyzer = program.analyzer(input.vocabulary)
    analyzer.use(answers: settings.answers)
    var unknown = UnknownWords(input.vocabulary)

    while try input.read(into: &events) {
      reports.put(into: &events, input.vocabulary)
      analyzer.observe(events)
      for event in events {
        unknown.observe(event) { input.lines?.line(of: event, in: input.vocabulary) }
      }
      try seen(analyzer, input.vocabulary, events)
      analyzer.forgetUnusedWords()
    }

    clock = input.clock
    var analysis = analyzer.finish()
    analysis.unknownWords = unknown.list
    team.suppress(&analysis, input.vocabulary, today: today)
    team.annotate(&analysis)
    return (analysis, input.vocabulary, input.lines)
  }

  /// Opens the log at `path` again, to be read as it was analyzed.
  func reopen(_ path: String) throws -> JoinedInput {
    try JoinedInput(path, settings: settings)
  }

  /// The results of a log, also of one that cannot be read.
  mutating func results(_ path: String) -> AnalysisResults {
    let name = InertText.word(path)
    do {
      let (analysis, vocabulary, lines) = try analyze(path)
      return AnalysisResults(analysis, of: name, vocabulary, lines: lines)
    } catch {
      return AnalysisResults(
        unreadable: AnalysisResults.UnreadableLog(log: name, error: InertText.line("\(error)")))
    }
  }
}

/// A log with the ends that crash reports tell.
struct JoinedInput: EventStream {
  private var input: TraceInput
  private var reports: JoinedReports

  /// Opens the log at `path`; what lies beside it and is not read is told, unless it `isReadAgain`.
  init(
    _ path: String, settings: InputSettings, filter: BlockFilter = BlockFilter(),
    isReadAgain: Bool = true
  ) throws {
    // Where something is put in counts the events before it.
    let filter = settings.reports.isEmpty ? filter : BlockFilter()
    input = try TraceInput(path, filter: filter, settings: settings, isReadAgain: isReadAgain)
    reports = try JoinedReports(settings.reports, log: path, settings: settings)
  }

  var vocabulary: Vocabulary { input.vocabulary }

  /// What the log knows of the wall clock; `nil` when it knows nothing.
  var clock: WallClock? { input.clock }

  /// How many bytes of a binary log were read; `nil` of other forms.
  var logByteCount: Int? { input.logByteCount }

  /// What was true before the last batch; `nil` when the log does not say it.
  var checkpoint: [Event]? { input.checkpoint }

  mutating func read(into events: inout [Event]) throws -> Bool {
    let goesOn = try input.read(into: &events)
    if goesOn { reports.put(into: &events, input.vocabulary) }
    return goesOn
  }
}
