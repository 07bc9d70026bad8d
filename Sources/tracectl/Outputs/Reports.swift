import LifecycleModel
import Platform
import TraceAnalysis
import TraceReport

/// The reports of a command, on their way to files and to standard output.
struct Reports {
  private let requests: [ReportRequest]
  private let files: [ReportFile?]
  private let summary: String?
  /// The log, when it is one.
  private let log: String?
  /// The findings while they appear, when they go to standard output.
  private var stream: FindingStream?

  /// Finds out before anything is read whether the reports can be written.
  ///
  /// With `log` the findings of that log are told as they appear.
  init(_ requests: [ReportRequest], log: String? = nil, inputs: [String]) throws {
    self.requests = requests
    files = try requests.map { try $0.path.map { try ReportFile($0, inputs: inputs) } }
    self.log = log
    summary = requests.contains { $0.form == .github } ? Reports.summaryFile : nil
    if let log, requests.contains(where: { $0.form == .ndjson && $0.path == nil }) {
      stream = FindingStream(of: log)
    }
  }

  /// The file that GitHub shows as the summary of a step.
  private static var summaryFile: String? {
    guard let path = getenv("GITHUB_STEP_SUMMARY"), path.pointee != 0 else { return nil }
    return String(cString: path)
  }

  /// Tells what was found since the last call; call it before the analyzer forgets words.
  mutating func follow(_ analyzer: Analyzer, _ vocabulary: Vocabulary) throws {
    guard stream != nil else { return }
    let lines = stream?.lines(analyzer, vocabulary) ?? ""
    if !lines.isEmpty { try Terminal.print(lines) }
  }

  /// Tells that the reading begins.
  func begin() throws {
    if let stream { try Terminal.print(stream.begin) }
  }

  /// Whether a form goes to standard output.
  func isPrinted(_ form: ReportForm) -> Bool {
    requests.contains { $0.form == form && $0.path == nil }
  }

  /// Whether a form goes into a file.
  func isFiled(_ form: ReportForm) -> Bool {
    requests.contains { $0.form == form && $0.path != nil }
  }

  /// Writes all reports of one log; `results` is the analysis in words, for the forms that want it.
  func write(
    _ analysis: Analysis, _ results: @autoclosure () -> AnalysisResults, _ vocabulary: Vocabulary,
    style: TextStyle, isVerbose: Bool, clock: WallClock? = nil, logOptions: [String] = []
  ) throws {
    try write { form, isPrinted in
      switch form {
      case .text:
        TextReport(
          analysis, vocabulary, style: isPrinted ? style : .plain, isVerbose: isVerbose,
          clock: clock, log: log == "-" ? nil : log, logOptions: logOptions
        ).text
      case .json: JSONReport(analysis, vocabulary, clock: clock).text
      case .ndjson:
        isPrinted
          ? stream?.end(analysis, results(), vocabulary) ?? "" : NDJSONReport(results()).text
      case .junit:
        JUnitReport(
          results(), of: log ?? "", timestamp: clock.flatMap { $0.timestamp(of: analysis) }
        ).text
      case .markdown: MarkdownReport(results()).text
      case .sarif: SARIFReport(results(), toolVersion: Reports.version).text
      case .github: GitHubReport(results()).text
      case .gitlab: GitLabReport(results()).text
      }
    }
  }

  private static let version = Tracectl.configuration.version

  /// Writes all reports of many logs.
  ///
  /// `verdicts` are lines on each of them, which are printed already; a text in a file begins with them.
  func write(
    _ results: AnalysisResults, style: TextStyle, verdicts: String? = nil
  ) throws {
    let count = results.logs + results.unreadable.count
    try write { form, isPrinted in
      switch form {
      case .text:
        let lines = verdicts.map { (isPrinted ? "" : $0) + "\n" } ?? ""
        return lines + ResultsReport(results, style: isPrinted ? style : .plain).text
      case .json: return String(decoding: try ResultsFile.text(results), as: UTF8.self)
      case .ndjson: return NDJSONReport(results).text
      case .junit: return JUnitReport(results, of: CountText.of(count, "log")).text
      case .markdown: return MarkdownReport(results).text
      case .sarif: return SARIFReport(results, toolVersion: Reports.version).text
      case .github: return GitHubReport(results).text
      case .gitlab: return GitLabReport(results).text
      }
    }
  }

  /// Writes all reports: files first, standard output last.
  private func write(_ text: (_ form: ReportForm, _ isPrinted: Bool) throws -> String) throws {
    var failures: [CommandError] = []
    for (request, file) in zip(requests, files) {
      guard let file else { continue }
      do {
        try file.write(Array(text(request.form, false).utf8))
      } catch let error as CommandError {
        failures.append(error)
      }
    }
    if let summary {
      try ReportFile.append(Array(text(.markdown, false).utf8), to: summary)
    }
    for request in requests where request.path == nil {
      try Terminal.print(text(request.form, true))
    }
    for failure in failures.dropLast() { Terminal.printError(failure.description) }
    if let last = failures.last { throw last }
  }
}
