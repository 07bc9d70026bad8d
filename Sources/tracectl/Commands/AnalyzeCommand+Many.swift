import Platform
import TraceAnalysis
import TraceConfiguration
import TraceReport

/// `tracectl analyze` of many logs: a line for each, and what they show together.
extension AnalyzeCommand {
  func run(
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
    try reports.write(
      results, style: output.color.style, verdicts: verdicts.text.withLock { $0 })
    try resultsFile?.write(ResultsFile.text(results))
    try ResultsStatus(results).check(failOn: output.failOn, strict: output.isStrict, baseline)
  }

  /// The file that can be merged, when one is asked for: no input, and no report's file.
  func resultsFile(inputs: [String], _ output: OutputSettings) throws -> ReportFile? {
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
