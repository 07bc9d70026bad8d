import LifecycleModel
import TraceAnalysis
import TraceReport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The reports of a command, on their way to files and to standard output.
struct Reports {
  private let requests: [ReportRequest]
  private let files: [ReportFile?]
  private let summary: String?
  /// What the reports are about.
  private let name: String
  /// The findings while they appear, when they go to standard output.
  private var stream: FindingStream?

  /// Finds out before anything is read whether the reports can be written; no input is overwritten.
  ///
  /// They are about what is `named` so. Of one log the findings can be told as they appear.
  init(_ options: ReportOptions, named name: String, ofOne: Bool, inputs: [String]) throws {
    requests = options.requests
    self.name = name
    files = try requests.map { try $0.path.map { try ReportFile($0, inputs: inputs) } }
    summary = requests.contains { $0.form == .github } ? Reports.summaryFile : nil
    if ofOne && requests.contains(where: { $0.form == .ndjson && $0.path == nil }) {
      stream = FindingStream(of: name)
    }
  }

  /// Whether text goes to standard output.
  var isPrintingText: Bool { requests.contains { $0.form == .text && $0.path == nil } }

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

  /// Writes all reports of one log.
  func write(
    _ analysis: Analysis, _ results: AnalysisResults, _ vocabulary: Vocabulary, style: TextStyle,
    isVerbose: Bool
  ) throws {
    let death = analysis.deathParagraph(vocabulary)
    try write(results, death: death) { form, isPrinted in
      switch form {
      case .text:
        TextReport(
          analysis, vocabulary, style: isPrinted ? style : .plain, isVerbose: isVerbose
        ).text
      case .json: JSONReport(analysis, vocabulary).text
      case .ndjson where isPrinted: stream?.end(analysis, results, vocabulary)
      default: nil
      }
    }
  }

  /// Writes all reports of many logs.
  func write(_ results: AnalysisResults, style: TextStyle) throws {
    try write(results) { form, isPrinted in
      switch form {
      case .text: ResultsReport(results, style: isPrinted ? style : .plain).text
      case .json: try String(decoding: ResultsFile.text(results), as: UTF8.self)
      default: nil
      }
    }
  }

  /// Writes all reports: files first, standard output last.
  ///
  /// `own` gives the text of forms that are not made from the results; for the others it is `nil`.
  private func write(
    _ results: AnalysisResults, death: String? = nil,
    own: (_ form: ReportForm, _ isPrinted: Bool) throws -> String?
  ) throws {
    func text(_ form: ReportForm, isPrinted: Bool) throws -> String {
      try own(form, isPrinted) ?? Reports.text(form, results, named: name, death: death)
    }
    var failures: [CommandError] = []
    for (request, file) in zip(requests, files) {
      guard let file else { continue }
      do {
        try file.write(try text(request.form, isPrinted: false))
      } catch let error as CommandError {
        failures.append(error)
      }
    }
    if let summary {
      try ReportFile.append(try text(.markdown, isPrinted: false), to: summary)
    }
    for request in requests where request.path == nil {
      try Terminal.print(try text(request.form, isPrinted: true))
    }
    for failure in failures.dropLast() { Terminal.printError(failure.description) }
    if let last = failures.last { throw last }
  }

  /// The text of a form that is made from results.
  private static func text(
    _ form: ReportForm, _ results: AnalysisResults, named name: String, death: String?
  ) -> String {
    switch form {
    case .ndjson: NDJSONReport(results).text
    case .sarif: SARIFReport(results, toolVersion: Tracectl.configuration.version).text
    case .junit: JUnitReport(results, of: name).text
    case .github: GitHubReport(results).text
    case .gitlab: GitLabReport(results).text
    case .markdown, .text, .json: MarkdownReport(results, death: death).text
    }
  }
}
