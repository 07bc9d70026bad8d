import Foundation
import LifecycleModel
import LifecycleRules
import TraceAnalysis
import TraceText

@testable import TraceReport
@testable import TraceResults

/// Results to be written, made from notation.
struct FormatBench {
  /// The analysis, to be changed before the results are asked for.
  var analysis: Analysis
  let vocabulary: Vocabulary
  let log: String

  init(_ notation: String, log: String = "logs/run.bin") throws {
    let trace = try TraceNotation.parse(notation)
    (analysis, vocabulary, self.log) = (Analyzer.analyze(trace), trace.vocabulary, log)
  }

  /// How findings stand to a baseline, by rule; the last that is about a finding counts.
  private var states: [(rule: String, state: Finding.BaselineState)] = []

  var results: AnalysisResults {
    var results = AnalysisResults(analysis, of: InertText.word(log), vocabulary)
    for group in results.groups.indices {
      for example in results.groups[group].examples.indices {
        for (rule, state) in states {
          mark(&results.groups[group].examples[example], rule, state)
        }
      }
    }
    return results
  }

  private func mark(
    _ finding: inout ReportedFinding, _ rule: String, _ state: Finding.BaselineState
  ) {
    let isWhole = finding.rule == rule
    if isWhole { finding.baselineState = state }
    for index in finding.dependents.indices
    where isWhole || finding.dependents[index].rule == rule {
      finding.dependents[index].baselineState = state
    }
  }

  /// The results held against a baseline that has this besides all that was found.
  func results(fixed entry: Baseline.Entry) -> AnalysisResults {
    var baseline = results.baseline()
    baseline = baseline.union(Baseline([entry]))
    return AnalysisResults(analysis, of: log, vocabulary, baseline)
  }

  /// Says of each finding of `rule`, and of what stands under it, how it stands to a baseline.
  mutating func compare(_ rule: String, _ state: Finding.BaselineState) {
    states.append((rule, state))
  }

  /// Accepts each finding of `rule`, and what stands under it.
  mutating func accept(_ rule: String, _ reason: String, at place: String) {
    change(rule) { $0.suppression = Finding.Suppression(reason: reason, place: place) }
  }

  private mutating func change(_ rule: String, _ change: (inout Finding) -> Void) {
    for index in analysis.findings.indices where analysis.findings[index].rule == rule {
      change(&analysis.findings[index])
      for dependent in analysis.findings[index].dependents.indices {
        change(&analysis.findings[index].dependents[dependent])
      }
    }
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The sample of the README: a leaked task (an error, with three findings of the same cause), a slow
  /// callback and a forgotten timer that fires three times (warnings).
  static let sampleText = try? String(
    contentsOf: root.appendingPathComponent("samples/traces/slow-background.trace"),
    encoding: .utf8)

  static func sample() throws -> FormatBench { try FormatBench(sampleText ?? "") }

  /// An article of the report's documentation.
  static func document(_ name: String) throws -> String {
    let folder = root.appendingPathComponent("Sources/TraceReport/TraceReport.docc")
    return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }

  /// What a baseline may have that the sample does not show; its rule finds all as it should be there.
  static let fixed = Baseline.Entry(
    rule: "budget-resign", fingerprint: "00000000000000aa", count: 2, severity: "warning",
    subject: "app", message: "it took 3s")

  /// A log with so many gaps, each of a cause of its own: a warning of another fingerprint each.
  static func gaps(_ count: Int) -> String {
    (["0s - profile hooks=work"] + (0..<count).map { "\($0 + 1)s - gap \(cause($0)) 3 writer=main" })
      .joined(separator: "\n")
  }

  /// A cause's name, without digits: those make no difference to a fingerprint.
  static func cause(_ number: Int) -> String {
    "cause-"
      + [number / 26, number % 26].map { String(Array("abcdefghijklmnopqrstuvwxyz")[$0]) }
      .joined()
  }

  /// A hole in the log: one warning, `lost-events`.
  static let hole = "0s - profile hooks=work\n1s - gap ring-full 3 writer=main"

  /// A torn tail: one note, `lost-events`.
  static let tornTail = "0s - profile hooks=work\n1s - gap torn-tail -1"
}

/// JSON as a test reads it.
struct JSON {
  let value: Any?

  init(_ text: String) throws {
    value = try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  private init(value: Any?) { self.value = value }

  subscript(_ key: String) -> JSON { JSON(value: (value as? [String: Any])?[key]) }
  subscript(_ index: Int) -> JSON {
    JSON(value: list.indices.contains(index) ? list[index].value : nil)
  }

  var list: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
  var text: String? { value as? String }
  var number: Int? { value as? Int }
  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var isAbsent: Bool { value == nil }
}
