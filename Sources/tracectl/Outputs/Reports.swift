import Platform
import TraceReport

/// The reports of a command, on their way to files and to standard output.
struct Reports {
  private let requests: [ReportRequest]
  private let files: [ReportFile?]
  private let summary: String?
  /// Finds out before anything is read whether the reports can be written.
  init(_ requests: [ReportRequest], inputs: [String]) throws {
    self.requests = requests
    files = try requests.map { try $0.path.map { try ReportFile($0, inputs: inputs) } }
    summary = requests.contains { $0.form == .github } ? Reports.summaryFile : nil
  }

  /// The file that GitHub shows as the summary of a step.
  private static var summaryFile: String? {
    guard let path = getenv("GITHUB_STEP_SUMMARY"), path.pointee != 0 else { return nil }
    return String(cString: path)
  }

  /// Whether text goes to standard output, and whether it goes into a file.
  var text: (isPrinted: Bool, isFiled: Bool) {
    let files = requests.filter { $0.form == .text }.map { $0.path != nil }
    return (files.contains(false), files.contains(true))
  }

  /// Writes all reports: files first, standard output last.
  ///
  /// The lines on each of many logs are printed already: only a text in a file begins with them.
  func write(_ results: AnalysisResults, _ look: ReportForm.Look) throws {
    var filed = look
    filed.style = .plain
    var failures: [CommandError] = []
    for (request, file) in zip(requests, files) {
      guard let file else { continue }
      do {
        try file.write(Array(request.form.report(results, filed).utf8))
      } catch let error as CommandError {
        failures.append(error)
      }
    }
    if let summary {
      try ReportFile.append(Array(ReportForm.markdown.report(results, filed).utf8), to: summary)
    }

    var printed = look
    printed.verdicts = look.verdicts.map { _ in "" }
    for request in requests where request.path == nil {
      try Terminal.print(request.form.report(results, printed))
    }
    for failure in failures.dropLast() { Terminal.printError(failure.description) }
    if let last = failures.last { throw last }
  }
}
