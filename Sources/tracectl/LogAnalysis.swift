import LifecycleModel
import TraceAnalysis
import TraceReport

/// Analyzes one log after another on one thread, with all that applies to every log.
struct LogAnalysis {
  private let program: RuleProgram
  private var events: [Event] = []

  init(rules: [ActiveRule] = RuleRegistry.all, statistics: Bool) {
    program = RuleProgram(rules, statistics: statistics)
  }

  /// What is wrong in the log at `path`; `seen` is told how many events were looked at.
  mutating func analyze(
    _ path: String, seen: (Int) -> Void = { _ in }
  ) throws -> (analysis: Analysis, vocabulary: Vocabulary) {
    var input = try TraceInput(path)
    var analyzer = program.analyzer(input.vocabulary)
    var count = 0
    while try input.read(into: &events) {
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
      count += events.count
      seen(count)
    }
    return (analyzer.finish(), input.vocabulary)
  }

  /// The results of a log, also of one that cannot be read.
  mutating func results(_ path: String) -> AnalysisResults {
    let name = InertText.word(path)
    do {
      let (analysis, vocabulary) = try analyze(path)
      return AnalysisResults(analysis, of: name, vocabulary)
    } catch {
      return AnalysisResults(
        unreadable: AnalysisResults.UnreadableLog(log: name, error: InertText.line("\(error)")))
    }
  }
}
