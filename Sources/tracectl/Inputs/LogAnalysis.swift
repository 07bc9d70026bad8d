import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

/// Analyzes one log after another on one thread, with all that applies to every log.
struct LogAnalysis {
  private let team: Configuration
  private let today: CalendarDay
  private let program: RuleProgram
  private let settings: InputSettings
  private let progress: Progress?
  private var isOnlyOne: Bool { progress == nil }
  private var events: [Event] = []
  /// What the last log knows of the wall clock; `nil` when it knows nothing.
  private(set) var clock: WallClock?

  /// With the rules of `team`, whose suppressions hold as of `today`; a work of many logs has a
  /// `progress` of its own.
  init(
    _ team: Configuration, today: CalendarDay = .today, statistics: Bool,
    settings: InputSettings, progress: Progress? = nil
  ) {
    (self.team, self.today) = (team, today)
    (self.settings, self.progress) = (settings, progress)
    program = RuleProgram(team.activeRules, statistics: statistics)
  }

  /// What is wrong in the log at `path`.
  ///
  /// `seen` is called for the events of each batch, before words are forgotten.
  mutating func analyze(
    _ path: String, seen: (Vocabulary, [Event]) throws -> Void = { _, _ in }
  ) throws -> (analysis: Analysis, vocabulary: Vocabulary, lines: EventLines?) {
    var input = try TraceInput(path, settings: settings, progress: progress)
    var analyzer = program.analyzer(input.vocabulary)
    analyzer.use(answers: settings.answers)
    var unknown = UnknownWords(input.vocabulary)

    while try input.read(into: &events) {
      analyzer.observe(events)
      for event in events {
        unknown.observe(event) { input.lines?.line(of: event, in: input.vocabulary) }
      }
      try seen(input.vocabulary, events)
      analyzer.forgetUnusedWords()
    }

    clock = input.clock
    var analysis = analyzer.finish()
    analysis.unknownWords = unknown.list
    analysis.isCut = input.isCut
    // Of many logs a report is about one, and about none of the others.
    if isOnlyOne { analysis.reportsApart = input.reportsApart }
    team.suppress(&analysis, input.vocabulary, today: today)
    team.annotate(&analysis)
    return (analysis, input.vocabulary, input.lines)
  }

  /// Opens the log at `path` again, to be read as it was analyzed.
  func reopen(_ path: String) throws -> TraceInput {
    try TraceInput(path, settings: settings, isReadAgain: true)
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
