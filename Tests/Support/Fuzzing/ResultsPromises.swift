import Foundation
import TraceAnalysis
import TraceReport
import TraceText

/// What must hold for any file that is read as a baseline or as results.
enum ResultsPromises {
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

  /// Reads results as they are, and with a check that fits them.
  static func checkResults(_ bytes: [UInt8]) throws {
    for file in [bytes, ResultsSeal.sealed(bytes)] {
      let results: AnalysisResults
      do { results = try JSONReport.read(file) } catch {
        try hold(
          InertText.isInert(error.description), "an error has control characters: \(error)")
        continue
      }
      try check(results)
    }
  }

  /// The text of results without its check, so that what is changed gets one that fits.
  static func unsealed(_ results: AnalysisResults) throws -> [UInt8] {
    let text = String(decoding: try JSONReport.text(results), as: UTF8.self)
    guard let check = text.range(of: ",\n  \"check\"", options: .backwards) else { return [] }
    return Array((text[..<check.lowerBound] + "\n}\n").utf8)
  }

  private static func check(_ results: AnalysisResults) throws {
    let text = try JSONReport.text(results)
    let again = try JSONReport.text(JSONReport.read(text))
    try hold(text == again, "results are read otherwise")

    var pile = ResultsPile()
    pile.add(results)
    pile.add(results)
    _ = try JSONReport.text(pile.total)
    for form in ReportForm.allCases { try check(form, results) }
  }

  private static func check(_ form: ReportForm, _ results: AnalysisResults) throws {
    let report = try form.report(results, ReportForm.Look(toolVersion: "1"))
    try hold(TracePromises.isInert(report), "\(form) has control characters: \(report)")
    switch form {
    case .json, .sarif, .gitlab:
      let json = try? JSONSerialization.jsonObject(with: Data(report.utf8))
      try hold(json != nil, "\(form) is no JSON: \(report)")
    default: break
    }
  }
}
