import Synchronization
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
    let reports = try Reports(output.reports, inputs: paths + baseline.files + team.files)
    let (isPrinted, isFiled) = (reports.isPrinted(.text), reports.isFiled(.text))
    let verdicts = Verdicts()
    let many = ManyLogs(paths, team, known, statistics: stats) { line in
      if isPrinted { try Terminal.print(line) }
      if isFiled { verdicts.text.withLock { $0 += line } }
    }
    let results = try many.run(threads: jobs.count)
    try reports.write(
      results, style: output.color.style, verdicts: verdicts.text.withLock { $0 })
    try write(results)
    try ResultsStatus(results).check(failOn: output.failOn, strict: output.isStrict, baseline)
  }

  /// Writes the file that can be merged, when one is asked for.
  func write(_ results: @autoclosure () -> AnalysisResults) throws {
    if let path = self.results { try WholeFile.write(ResultsFile.text(results()), to: path) }
  }
}

/// The lines on each log, kept for a report in a file.
private final class Verdicts: Sendable {
  let text = Mutex("")
}
