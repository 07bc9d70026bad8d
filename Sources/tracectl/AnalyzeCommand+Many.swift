import TraceAnalysis
import TraceReport

/// `tracectl analyze` of many logs: a line for each, and what they show together.
extension AnalyzeCommand {
  func run(_ paths: [String], _ known: Baseline?) throws {
    if reduction.reduce != nil {
      throw CommandError.usage("--reduce takes one log; choose one of those with findings")
    }
    let reports = try Reports(reportOptions, named: "logs", ofOne: false, inputs: paths)
    let isPrinting = reports.isPrintingText
    let many = ManyLogs(paths, statistics: stats) { line in
      if isPrinting { try Terminal.print(line) }
    }
    var results = try many.run(threads: jobs.count)
    if let known { results.compare(with: known) }
    if isPrinting { try Terminal.print("\n") }
    try reports.write(results, style: color.color.style)
    try write(results)
    try ResultsStatus(results).check(failOn: failOn, strict: strict, baseline)
  }

  /// Writes the file that can be merged, when one is asked for.
  func write(_ results: @autoclosure () -> AnalysisResults) throws {
    if let path = self.results { try WholeFile.write(ResultsFile.text(results()), to: path) }
  }
}
