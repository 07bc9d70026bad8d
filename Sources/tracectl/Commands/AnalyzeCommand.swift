import ArgumentParser
import LifecycleModel
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport
import TraceText

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
      A log may be binary, notation (.trace), NDJSON (.ndjson), or console text as Console.app, log show, Xcode and idevicesyslog print it; also compressed with gzip. Its first bytes tell which. Of several logs, or of a directory, each gets a line, and what they show together is reported once, with counts.

      For CI several reports can be made at once:

        tracectl analyze log.bin --format sarif=out.sarif --format github
      """)

  @OptionGroup var logs: LogsArgument

  @OptionGroup var reportOptions: ReportOptions

  @Option(
    help: ArgumentHelp(
      "Exit with 1 when a finding is at least this serious: error, warning (the default), info or never.",
      valueName: "severity"))
  var failOn: FailOn?

  @Flag(
    inversion: .prefixedNo,
    help:
      "Exit with 4 when events are lost where a rule would look, no rule could judge anything, a required hook is not recorded, or the log has unknown words, and nothing else failed."
  )
  var strict: Bool?

  @Flag(
    help:
      "Also report how long callbacks, work, tasks and locks took, and how close they came to their limits."
  )
  var stats = false

  @Flag(name: .shortAndLong, help: "Also list every rule with its verdict (text only).")
  var verbose = false

  @OptionGroup(title: "What the log does not say") var inputOptions: InputOptions

  @OptionGroup var baseline: BaselineOption

  @Flag(help: "Use no baseline, whatever the configuration says.")
  var noBaseline = false

  @Option(
    help: ArgumentHelp(
      "Write the results into this file, for tracectl merge-results.",
      valueName: "file"), completion: .file())
  var results: String?

  @OptionGroup var jobs: JobsOption

  @OptionGroup var reduction: ReduceOption

  @OptionGroup var configured: ConfigurationOption

  @OptionGroup var color: ColorOptions

  func validate() throws {
    if noBaseline && baseline.baseline != nil {
      throw ValidationError("--baseline and --no-baseline do not go together")
    }
  }

  mutating func run() throws {
    let team = try configured.load()
    if !noBaseline { baseline.use(team) }
    let known = try baseline.load()
    let output = try OutputSettings(
      team, reports: reportOptions, failOn: failOn, color: color, strict: strict)
    switch try logs.choice() {
    case .one(let log): try run(log, known, team, output)
    case .many(let logs): try run(logs, known, team, output)
    }
  }

  private func run(
    _ log: String, _ known: Baseline?, _ team: Configuration, _ output: OutputSettings
  ) throws {
    try reduction.check(log)
    let name = InertText.word(log)
    let inputs = [log] + baseline.files + team.files
    var reports = try Reports(output.reports, log: name, inputs: inputs)
    let resultsFile = try self.resultsFile(inputs: inputs, output)
    let settings = inputOptions.settings(team)
    var reading = LogAnalysis(team, statistics: stats, settings: settings)
    try reports.begin()
    let (analysis, vocabulary, lines) = try reading.analyze(log) { analyzer, vocabulary in
      try reports.follow(analyzer, vocabulary)
    }
    for line in settings.unused(in: analysis.profile, of: name) { Terminal.printError(line) }
    let results = AnalysisResults(
      analysis, of: name, vocabulary, known, lines: lines, clock: reading.clock)
    let look = look(output, log: log == "-" ? nil : name)
    try reports.write(results, look)
    try resultsFile?.write(JSONReport.text(results))
    try reduction.write(analysis, log, settings, rules: team.activeRules)

    if let limit = output.failOn.severity, let worst = results.worst, worst >= limit {
      throw ExitStatus.findings
    }
    try baseline.check(results.comparison)
    guard output.isStrict && analysis.isInconclusive else { return }
    for hook in analysis.missingHooks {
      Terminal.printError(
        "\(name): the configuration requires the hook \(hook.rawValue), which the log does not record"
      )
    }
    throw ExitStatus.inconclusive
  }

  /// How the reports look, of the log that is named so, or of many, on which there are these lines.
  private func look(
    _ output: OutputSettings, log: String? = nil, verdicts: String? = nil
  ) -> ReportForm.Look {
    ReportForm.Look(
      style: output.color.style, isVerbose: verbose, log: log,
      logOptions: inputOptions.console.words, verdicts: verdicts,
      toolVersion: Tracectl.configuration.version)
  }

  // MARK: Many logs

  private func run(
    _ paths: [String], _ known: Baseline?, _ team: Configuration, _ output: OutputSettings
  ) throws {
    if reduction.reduce != nil {
      throw CommandError.usage("--reduce takes one log; choose one of those with findings")
    }
    let inputs = paths + baseline.files + team.files
    let reports = try Reports(output.reports, inputs: inputs)
    let resultsFile = try self.resultsFile(inputs: inputs, output)
    let (isPrinted, isFiled) = (reports.isPrinted(.text), reports.isFiled(.text))
    let verdicts = Verdicts()
    let settings = inputOptions.settings(team)
    let many = ManyLogs(paths, team, known, statistics: stats, settings: settings) { line in
      if isPrinted { try Terminal.print(line) }
      if isFiled { verdicts.text.withLock { $0 += line } }
    }
    let results = try many.run(threads: jobs.count)
    try reports.write(results, look(output, verdicts: verdicts.text.withLock { $0 }))
    try resultsFile?.write(JSONReport.text(results))
    try ResultsStatus(results).check(failOn: output.failOn, strict: output.isStrict, baseline)
  }

  /// The file that can be merged, when one is asked for: no input, and no report's file.
  private func resultsFile(inputs: [String], _ output: OutputSettings) throws -> ReportFile? {
    guard let path = results else { return nil }
    if path == "-" {
      throw CommandError.usage(
        "--results takes a file; for standard output there is --format json")
    }
    if output.reports.contains(where: { $0.isFor(path) }) {
      throw CommandError.usage(
        "\(path) is named for a report and for --results; give each a file of its own")
    }
    return try ReportFile(path, inputs: inputs)
  }
}

/// The lines on each log, kept for a report in a file.
private final class Verdicts: Sendable {
  let text = Lock("")
}
