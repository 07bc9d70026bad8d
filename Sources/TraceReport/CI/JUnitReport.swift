import LifecycleModel
import TraceAnalysis

/// Results as JUnit XML: a test case for each rule and subject; the article `Formats` says what is what.
///
/// It is valid by the schema of Ant's JUnit task.
struct JUnitReport {
  private let results: AnalysisResults
  private let name: String
  private let findings: [String: [ReportedFinding]]

  /// When the log begins, as `2026-11-21T08:15:30` in universal time; `nil` when it is not known.
  private let timestamp: String?

  /// Makes a report of results, named as the one log is, or by the number of logs.
  init(_ results: AnalysisResults, of name: String? = nil) {
    self.results = results
    let one = results.log
    timestamp = one?.first.flatMap { one?.clock?.timestamp(Instant(nanoseconds: $0)) }
    let logs = CountText.of(results.logs + results.unreadable.count, "log")
    let said = name ?? one?.name ?? logs
    self.name = said.allSatisfy(\.isWhitespace) ? "logs" : said
    findings = Dictionary(grouping: results.listedFindings.map(\.finding), by: \.rule)
  }

  /// The whole text; the same results give the same text.
  var text: String {
    let cases = results.unreadable.map(TestCase.init) + results.rules.flatMap(cases)
    var writer = XMLWriter()
    writer.element("testsuites") { writer in
      writer.element("testsuite", attributes(cases)) { writer in
        writer.element("properties") { writer in
          for (name, value) in [
            ("logs", "\(results.logs)"), ("events", "\(results.events)"),
            ("gaps", "\(results.gaps)"),
            ("processesEnded", "\(results.ended)"),
            ("rulesNotApplicable", "\(results.rules.count(where: \.hadNothingToJudge))"),
          ] {
            writer.element("property", [("name", name), ("value", value)])
          }
        }
        for testCase in cases { testCase.write(&writer) }
        writer.element(
          "system-out",
          lines: endLines + cases.flatMap(\.output)
            + (results.cutNotes + results.fixedNotes).map(\.text))
        writer.element("system-err")
      }
    }
    return writer.text
  }

  private func attributes(_ cases: [TestCase]) -> [(String, String)] {
    [
      ("id", "0"), ("package", "tracectl"), ("name", name),
    ]
      // No date is invented: without one the attribute is left out.
      + (timestamp.map { [("timestamp", $0)] } ?? []) + [
        ("hostname", "localhost"),
        ("tests", "\(cases.count)"),
        ("failures", "\(cases.count { $0.outcome?.element == "failure" })"),
        ("errors", "\(cases.count { $0.outcome?.element == "error" })"),
        ("skipped", "\(cases.count { $0.outcome?.element == "skipped" })"), ("time", "0"),
      ]
  }

  private var endLines: [String] {
    results.verdicts.map { "\($0.log), \($0.name): \($0.text)" }
  }

  private func cases(_ tally: AnalysisResults.RuleTally) -> [TestCase] {
    let findings = findings[tally.rule.id] ?? []
    if findings.isEmpty {
      return tally.hadNothingToJudge ? [] : [TestCase(tally, logs: results.logs)]
    }
    return findings.grouped(by: \.subject).map { TestCase(tally.rule, $0.key, $0.elements) }
  }
}

/// A rule's word on a subject, or on all of them.
private struct TestCase {
  struct Outcome {
    var element: String
    var attributes: [(String, String)]
    var lines: [String] = []
  }

  let rule: String
  let name: String
  /// How it did not pass; `nil` when it did.
  var outcome: Outcome?
  /// What is said of it beyond that.
  var output: [String] = []

  /// A log that could not be read.
  init(_ log: AnalysisResults.UnreadableLog) {
    (rule, name) = ("tracectl", log.log)
    outcome = Outcome(
      element: "error", attributes: [("message", log.error), ("type", "unreadable")])
  }

  /// A rule that found something; all of it is about one subject.
  init(_ rule: AnalysisResults.RuleTally.Rule, _ subject: String, _ findings: [ReportedFinding]) {
    self.rule = rule.id
    name = subject.isEmpty ? "log" : subject
    let failures = findings.filter { $0.isCounted && $0.severity > .info }
    if let worst = failures.max(by: { $0.severity < $1.severity }) {
      outcome = Outcome(
        element: "failure",
        attributes: [("message", worst.messageAndEnding), ("type", worst.severity.rawValue)],
        lines: ["fix: \(worst.advice(rule).remedy)"] + failures.flatMap(TestCase.lines))
    }

    output = findings.filter { !($0.isCounted && $0.severity > .info) }.flatMap { finding in
      let mark = finding.excuse ?? "note"
      return ["\(rule.id) \(name): \(mark)"] + TestCase.lines(finding)
    }
  }

  /// A rule that found nothing.
  init(_ tally: AnalysisResults.RuleTally, logs: Int) {
    (rule, name) = (tally.rule.id, "every subject")
    if !tally.isDoubtful { return }
    outcome = Outcome(
      element: "skipped", attributes: [("message", tally.doubt(of: logs))])
  }

  private static func lines(_ finding: ReportedFinding) -> [String] {
    [finding.messageAndEnding + finding.times] + finding.evidence.map { "  \($0)" }
      + ["  log     \(finding.log)", "  print   \(finding.fingerprint)"]
  }

  func write(_ writer: inout XMLWriter) {
    let attributes = [("name", name), ("classname", rule), ("time", "0")]
    guard let outcome else { return writer.element("testcase", attributes) }
    writer.element("testcase", attributes) { writer in
      writer.element(outcome.element, outcome.attributes, lines: outcome.lines)
    }
  }
}
