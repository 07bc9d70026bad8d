import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceReport

/// `tracectl analyze`: what went wrong, with evidence, or why it cannot be told.
struct AnalyzeCommand: ParsableCommand {
  /// How the report is written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  /// From which severity on a finding makes the command fail.
  enum FailOn: String, CaseIterable, ExpressibleByArgument {
    case error, warning, info, never

    var severity: Severity? { Severity(rawValue: rawValue) }
  }

  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Say what went wrong in a log, with evidence.",
    discussion: """
      The log may be binary, notation (.trace) or NDJSON (.ndjson); it is known by its first bytes.
      """)

  @Argument(help: "The log to read; - is standard input.")
  var log: String

  @Option(
    help: ArgumentHelp("The form of the report: text (when not said) or json.", valueName: "form"))
  var format: Format?

  @Option(
    help: ArgumentHelp(
      "Exit with 1 when a finding is at least this serious: error, warning (when not said), info or never.",
      valueName: "severity"))
  var failOn: FailOn?

  @Flag(help: "Exit with 4 when a rule that applies cannot tell, and nothing else failed.")
  var strict = false

  @Flag(
    help: "Also say how long callbacks, work, tasks and locks took, and what budgets they keep.")
  var stats = false

  @OptionGroup var reduction: ReduceOption

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    let configuration = try configured.load()
    let output = try OutputSettings(configuration, format: format, failOn: failOn, color: color)
    try reduction.check(log)
    var input = try TraceInput(log)
    var analyzer = Analyzer(
      input.vocabulary, rules: configuration.activeRules, statistics: stats)
    var events: [Event] = []
    var progress = Progress(noun: "events", isQuiet: false)
    var count = 0
    while try input.read(into: &events) {
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
      count += events.count
      progress.show(count)
    }
    progress.clear()
    var analysis = analyzer.finish()
    configuration.suppress(&analysis, input.vocabulary, today: .today)
    switch output.format {
    case .text:
      let report = TextReport(analysis, input.vocabulary, style: output.color.style)
      try Terminal.print(report.text)
    case .json: try Terminal.print(JSONReport(analysis, input.vocabulary).text)
    }
    try reduction.write(analysis, log, rules: configuration.activeRules)
    if let limit = output.failOn.severity, let worst = analysis.worst, worst >= limit {
      throw ExitStatus.findings
    }
    if strict && analysis.isInconclusive { throw ExitStatus.inconclusive }
  }
}
