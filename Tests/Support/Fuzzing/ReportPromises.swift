import Foundation
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceReport
import TraceText

/// What must hold for any file that is read as a baseline, and for the reports of any trace.
enum ReportPromises {
  /// Reads a baseline, and what it is written as.
  static func checkBaseline(_ bytes: [UInt8]) throws {
    let baseline: Baseline
    do { baseline = try Baseline(text: bytes) } catch {
      return try hold(
        InertText.isInert(error.description), "an error has control characters: \(error)")
    }
    try hold(TracePromises.isInert(baseline.text), "the text has control characters")
    try hold(try Baseline(text: baseline.text.utf8) == baseline, "it is read otherwise")
    try hold(baseline.union(Baseline()) == baseline, "nothing changes it")
  }

  /// Reads a trace in notation, and reports what is wrong in it in every form, alone and as two logs.
  static func checkReports(_ bytes: [UInt8]) throws {
    guard let trace = try? TraceNotation.parse(String(decoding: bytes, as: UTF8.self)) else {
      return
    }
    let results = AnalysisResults(Analyzer.analyze(trace), of: "log.trace", trace.vocabulary)
    var pile = ResultsPile()
    pile.add(results)
    pile.add(results)
    for results in [results, pile.total] {
      for form in ReportForm.allCases { try check(form, results) }
    }
  }

  private static func check(_ form: ReportForm, _ results: AnalysisResults) throws {
    let report = try form.report(results, ReportForm.Look(toolVersion: "1"))
    try hold(TracePromises.isInert(report), "\(form) has control characters: \(report)")
    switch form {
    case .json, .sarif, .gitlab:
      let json = try? JSONSerialization.jsonObject(with: Data(report.utf8))
      try hold(json != nil, "\(form) is no JSON: \(report)")
    case .text:
      let lines = report.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      try hold((1...8).contains(lines), "the verdict has \(lines) lines: \(report)")
    default: break
    }
  }
}
