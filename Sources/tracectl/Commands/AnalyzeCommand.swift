import ArgumentParser
import LifecycleModel
import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport

/// `tracectl analyze`: what went wrong, with evidence, or why that cannot be decided.
struct AnalyzeCommand: ParsableCommand {
  /// From which severity on a finding makes the command fail.
  enum FailOn: String, CaseIterable, ExpressibleByArgument {
    case error, warning, info, never

    var severity: Severity? { Severity(rawValue: rawValue) }

    /// What holds: as it was given, or else by the configuration, or else from a warning on.
    static func holding(_ given: FailOn?, _ team: Configuration) -> FailOn {
      given ?? team.failOn.flatMap { FailOn(rawValue: $0.value) } ?? .warning
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "analyze",
    abstract: "Report what went wrong in a log, with evidence.",
    discussion: """
      A log may be binary, notation (.trace), NDJSON (.ndjson), console text from Console.app, log show, Xcode or idevicesyslog, or a crash report (.ips, .crash, JetsamEvent, MetricKit); each may be compressed with gzip. tracectl detects the format from the first bytes.

      It prints the verdict in at most eight lines: what happened, why, how sure that is (certain, likely, possible), and what to do. With -v it prints the evidence, too, and of several logs a line each; there main#12 is the 12th event of the thread main, and -#3 the third of the system.

      With --crash, the end that a crash report tells is joined to the log of the same process:

        tracectl analyze log.bin --crash Notes.ips

      In CI you can make several reports at once:

        tracectl analyze log.bin --format sarif=out.sarif --format github
      """)

  @OptionGroup var logs: LogsArgument

  @OptionGroup var reportOptions: FormOptions<ReportForm>

  @Option(
    help: ArgumentHelp(
      """
      Exit with 1 if a finding has at least this severity: error, warning (the default), info or \
      never.
      """,
      valueName: "severity"))
  var failOn: FailOn?

  @Flag(
    inversion: .prefixedNo,
    help:
      """
      If nothing else failed, exit with 4 when events that a rule needs are missing, no rule could \
      check anything, a required hook is not recorded, or the log has unknown words.
      """
  )
  var strict: Bool?

  @Flag(
    help:
      """
      Also report the durations of callbacks, work, tasks and locks, and how close they came to \
      their limits.
      """
  )
  var stats = false

  @Flag(
    name: .shortAndLong,
    help: "Print the evidence, what happened, and the verdict of each rule, too (text only).")
  var verbose = false

  @OptionGroup var baseline: BaselineOption

  @OptionGroup var strictness: StrictBaselineOption

  @OptionGroup var jobs: JobsOption

  @Option(
    help: ArgumentHelp(
      """
      Write the smallest trace that still shows a finding to this directory, in notation, for the \
      first three findings of each rule.
      """,
      valueName: "dir"), completion: .directory)
  var reduce: String?

  @OptionGroup(title: ReadingOptions.title) var reading: ReadingOptions

  @OptionGroup var color: ColorOptions

  mutating func run() throws {
    var task = try reading.task(baseline, statistics: stats)
    let (one, many, areReports) = try logs.choice(orElse: reading.crash)
    if areReports { task.settings.reports = [] }
    try strictness.check(task.known)
    let output = try OutputSettings(
      task.team, reports: reportOptions, failOn: failOn, color: color, strict: strict)
    if let one { return try run(one, task, output) }
    let together = FoundTogether(many, task.settings)
    task.settings.reports += together.reports
    if together.paths.count == 1, !together.reports.isEmpty {
      try run(together.paths[0], task, output, joined: together.reports.map(\.path))
    } else {
      try run(together.paths, task, output)
    }
  }

  /// Analyzes one log, to which reports are `joined` that were found beside it.
  private func run(
    _ log: String, _ task: LogTask, _ output: OutputSettings, joined: [String] = []
  ) throws {
    if let reduce { try ReducedFiles.check(reduce, log) }
    let inputs = [log] + reading.inputs(task.team, baseline)
    let reports = try Reports(output.reports, inputs: inputs)
    let analyzed = try task.analyze(log)
    let (analysis, name) = (analyzed.analysis, analyzed.name)
    for line in task.settings.unused(in: analysis.profile, of: name) { Terminal.printError(line) }
    let results = analyzed.results(task.known, analyzed.clock)
    try reports.write(results, look(output, log: log == "-" ? nil : log, joined: joined))
    if let reduce {
      try ReducedFiles.write(to: reduce, analysis, of: log, task)
    }

    try checkFindings(results, output)
    guard output.isStrict && analysis.isInconclusive else { return }
    for hook in analysis.missingHooks {
      Terminal.printError(
        "\(name): the configuration requires the hook \(hook.rawValue), which the log does not record"
      )
    }
    throw ExitStatus.inconclusive
  }

  /// Throws when a finding makes the command fail, or an entry of the baseline that is fixed.
  private func checkFindings(_ results: AnalysisResults, _ output: OutputSettings) throws {
    if let limit = output.failOn.severity, let worst = results.worst, worst >= limit {
      throw ExitStatus.findings
    }
    try strictness.check(results.comparison)
  }

  /// How the reports look, of the log that is named so, or of many, on which there are these lines.
  private func look(
    _ output: OutputSettings, log: String? = nil, joined: [String] = [], verdicts: String? = nil
  ) -> ReportForm.Look {
    ReportForm.Look(
      style: output.color.style, isVerbose: verbose, log: log,
      logOptions: joined.flatMap { ["--crash", $0] } + reading.words, verdicts: verdicts,
      toolVersion: Tracectl.configuration.version)
  }

  // MARK: Many logs

  private func run(_ paths: [String], _ task: LogTask, _ output: OutputSettings) throws {
    if reduce != nil {
      throw CommandError.usage("--reduce takes one log; choose one of those with findings")
    }
    let reports = try Reports(output.reports, inputs: paths + reading.inputs(task.team, baseline))
    let (isPrinted, isFiled) = verbose ? reports.text : (false, false)
    // The lines on each log, for a report in a file.
    let verdicts = Lock("")

    let results = try ManyLogs.analyze(paths, task, threads: jobs.count) { line in
      if isPrinted { try Terminal.print(line) }
      if isFiled { verdicts.withLock { $0 += line } }
    }
    try reports.write(results, look(output, verdicts: verdicts.withLock { $0 }))
    // A finding is certain whatever else could not be read, so it comes first.
    try checkFindings(results, output)
    if !results.unreadable.isEmpty { throw ExitStatus.unreadable }
    if output.isStrict && results.logsInconclusive > 0 { throw ExitStatus.inconclusive }
  }
}
