import ArgumentParser
import TraceAnalysis
import TraceReport

/// `tracectl merge-results`: what shards have found, as if one command had.
struct MergeResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-results",
    abstract: "Merge the results of many logs, and report them.",
    discussion: """
      The files come from tracectl analyze --results, on this machine or others. Their order does not matter. Two files must not contain the same log, because it would count twice. The exit status is the same as for analyze.
      """)

  @Argument(
    help: ArgumentHelp("The files written by analyze --results.", valueName: "results"),
    completion: .file())
  var files: [String]

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write the merged results to this file.", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var reportOptions: ReportOptions

  @OptionGroup var baseline: BaselineOption

  @Option(
    help: ArgumentHelp(
      "Exit with 1 if a finding has at least this severity: error, warning, info or never.",
      valueName: "severity"))
  var failOn = AnalyzeCommand.FailOn.warning

  @Flag(help: "Exit with 4 if a log is inconclusive and nothing else failed.")
  var strict = false

  @OptionGroup var color: ColorOptions

  func run() throws {
    let reports = try Reports(reportOptions.requests, inputs: files + baseline.files)
    let merged = try output.map {
      try ReportFile($0, inputs: files + baseline.files, what: "the merged results")
    }
    let known = try baseline.load()
    var pile = ResultsPile()
    var owners: [UInt64: String] = [:]

    for file in files {
      let results = try MergeResultsCommand.read(file)
      for digest in results.digests {
        guard let other = owners.updateValue(file, forKey: digest) else { continue }
        throw CommandError.usage(
          other == file
            ? "\(file): is named twice and would count twice; name each file once"
            : "\(file): contains a log that is also in \(other) and would count twice; "
              + "merge each log once")
      }
      pile.add(results)
    }

    var results = pile.total
    if let known { results.compare(with: known) }
    try merged?.write(JSONReport.text(results))
    try reports.write(
      results,
      ReportForm.Look(style: color.color.style, toolVersion: Tracectl.configuration.version))
    try ResultsStatus(results).check(failOn: failOn, strict: strict, baseline)
  }

  private static func read(_ path: String) throws -> AnalysisResults {
    guard let bytes = try WholeFile.readIfThere(path) else {
      throw CommandError.unreadable("\(path): no such file; check the name")
    }
    do {
      return try JSONReport.read(bytes)
    } catch {
      throw CommandError.unreadable("\(path): \(error.description)")
    }
  }
}

/// How a command ends that has results of many logs.
struct ResultsStatus {
  let results: AnalysisResults

  init(_ results: AnalysisResults) { self.results = results }

  /// Throws the status: a finding is certain whatever else could not be read, so it comes first, then
  /// a log that could not be read, then what nobody can tell.
  func check(
    failOn: AnalyzeCommand.FailOn, strict: Bool, _ baseline: BaselineOption
  ) throws {
    if let limit = failOn.severity, let worst = results.worst, worst >= limit {
      throw ExitStatus.findings
    }
    try baseline.check(results.comparison)
    if !results.unreadable.isEmpty { throw ExitStatus.unreadable }
    if strict && results.logsInconclusive > 0 { throw ExitStatus.inconclusive }
  }
}
