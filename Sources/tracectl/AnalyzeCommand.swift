import ArgumentParser
import LifecycleModel
import TraceAnalysis
import TraceReport

/// `tracectl analyze`: what went wrong, with evidence, or why it cannot be told.
struct AnalyzeCommand: ParsableCommand {
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

      For CI several reports can be made at once: --format sarif=out.sarif --format github
      """)

  @Argument(help: "The log to read; - is standard input.")
  var log: String

  @OptionGroup var reportOptions: ReportOptions

  @Option(
    help: ArgumentHelp(
      "Exit with 1 when a finding is at least this serious: error, warning, info or never.",
      valueName: "severity"))
  var failOn = FailOn.warning

  @Flag(help: "Exit with 4 when a rule that applies cannot tell, and nothing else failed.")
  var strict = false

  @Flag(
    help: "Also say how long callbacks, work, tasks and locks took, and what budgets they keep.")
  var stats = false

  @Flag(name: .shortAndLong, help: "Also name every rule under what it concluded (text only).")
  var verbose = false

  @OptionGroup var reduction: ReduceOption

  @OptionGroup var color: ColorOptions

  func run() throws {
    try reduction.check(log)
    var reports = try Reports(reportOptions, log: log, inputs: [log])
    var input = try TraceInput(log)
    var analyzer = Analyzer(input.vocabulary, statistics: stats)
    var events: [Event] = []
    var progress = Progress(noun: "events", isQuiet: false)
    var count = 0
    try reports.begin()
    while try input.read(into: &events) {
      analyzer.observe(events)
      try reports.follow(analyzer, input.vocabulary)
      analyzer.forgetUnusedWords()
      count += events.count
      progress.show(count)
    }
    progress.clear()
    let analysis = analyzer.finish()
    try reports.write(
      analysis, of: log, input.vocabulary, style: color.color.style, isVerbose: verbose)
    try reduction.write(analysis, log)
    if let limit = failOn.severity, let worst = analysis.worst, worst >= limit {
      throw ExitStatus.findings
    }
    if strict && analysis.isInconclusive { throw ExitStatus.inconclusive }
  }
}
