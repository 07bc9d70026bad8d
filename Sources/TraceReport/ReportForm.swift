import TraceAnalysis

/// A form that a report can have; the article `Formats` describes each.
///
/// ```swift
/// import LifecycleModel
/// import LifecycleRules
/// import TraceAnalysis
/// import TraceReport
///
/// func printReport(of trace: Trace) throws {
///   let results = AnalysisResults(Analyzer.analyze(trace), of: "flight.bin", trace.vocabulary)
///   print(try ReportForm.text.report(results, ReportForm.Look(toolVersion: "1.0")))
/// }
/// ```
public enum ReportForm: String, CaseIterable, Sendable {
  case text, json, sarif, junit, github, gitlab, xcode, markdown

  /// What a report is besides its results, as far as its form has a place for it.
  public struct Look: Sendable {
    /// How text looks.
    public var style: TextStyle
    /// Whether text has all of it: the evidence, what happened, and each rule; else it is the verdict.
    public var isVerbose: Bool
    /// The log as a person would name it in a command; `nil` when it has no name.
    public var log: String?
    /// The options that such a command needs.
    public var logOptions: [String]
    /// Lines on each of many logs that stand before the text; `nil` for one log.
    public var verdicts: String?
    /// The version of the tool.
    public var toolVersion: String

    /// Makes a look.
    public init(
      style: TextStyle = .plain, isVerbose: Bool = false, log: String? = nil,
      logOptions: [String] = [], verdicts: String? = nil, toolVersion: String
    ) {
      (self.style, self.isVerbose) = (style, isVerbose)
      (self.log, self.logOptions) = (log, logOptions)
      (self.verdicts, self.toolVersion) = (verdicts, toolVersion)
    }
  }

  /// The report in this form; the same results give the same text.
  public func report(_ results: AnalysisResults, _ look: Look) throws -> String {
    switch self {
    case .text:
      let report = TextReport(
        results, style: look.style, log: look.log, logOptions: look.logOptions)
      guard look.isVerbose else {
        let log = look.log.map { ShellWord.log($0, look.logOptions) }
        let verdict = VerdictText(results, style: look.style, log: log).text
        return verdict + (report.durations.map { "\n\($0)\n" } ?? "")
      }
      return (look.verdicts.map { $0 + "\n" } ?? "") + report.text
    case .json: return try results.json
    case .sarif: return SARIFReport(results, toolVersion: look.toolVersion).text
    case .junit: return JUnitReport(results).text
    case .github: return GitHubReport(results: results).text
    case .gitlab: return GitLabReport(results: results).text
    case .xcode: return XcodeReport(results: results).text
    case .markdown: return MarkdownReport(results: results).text
    }
  }
}
