import LifecycleModel
import TraceAnalysis
import TraceText

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
    timestamp = one?.first.flatMap { one?.clock?.timestamp($0) }
    let logs = CountText.of(results.logs + results.unreadable.count, "log")
    let said = name ?? one?.name ?? logs
    self.name = said.allSatisfy(\.isWhitespace) ? "logs" : said
    findings = Dictionary(grouping: results.listedFindings.map(\.finding), by: \.rule)
  }

  /// The whole text; the same results give the same text.
  var text: String {
    let cases = results.unreadable.map(TestCase.init) + results.rules.flatMap(cases)
    let idle = results.rules.count(where: \.hadNothingToJudge)
    func count(_ element: String) -> Int { cases.count { $0.outcome?.element == element } }
    func property(_ name: String, _ value: some BinaryInteger) -> Markup {
      "      <property name=\"\(name)\" value=\"\(value)\"/>\n"
    }

    // No date is invented: without one the attribute is left out.
    let time: Markup? = timestamp.map { " timestamp=\"\($0)\"" }
    let notes = (results.cutNotes + results.fixedNotes).map(\.text)
    let output = Markup.element("system-out", lines: endLines + cases.flatMap(\.output) + notes)
    let report: Markup = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite id="0" package="tracectl" name="\(name)"\(time) hostname="localhost" \
      tests="\(cases.count)" failures="\(count("failure"))" errors="\(count("error"))" \
      skipped="\(count("skipped"))" time="0">
          <properties>
      \(property("logs", results.logs))\(property("events", results.events))\
      \(property("gaps", results.gaps))\(property("processesEnded", results.ended))\
      \(property("rulesNotApplicable", idle))\
          </properties>
      \(cases.map(\.markup))\
          \(output)
          <system-err/>
        </testsuite>
      </testsuites>

      """
    return report.text
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
    var message: String
    var type: String?
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
    outcome = Outcome(element: "error", message: log.error, type: "unreadable")
  }

  /// A rule that found something; all of it is about one subject.
  init(_ rule: RuleDescription, _ subject: String, _ findings: [ReportedFinding]) {
    self.rule = rule.id
    name = subject.isEmpty ? "log" : subject
    let failures = findings.filter { $0.isCounted && $0.severity > .info }
    if let worst = failures.max(by: { $0.severity < $1.severity }) {
      outcome = Outcome(
        element: "failure", message: worst.messageAndEnding, type: worst.severity.rawValue,
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
    outcome = Outcome(element: "skipped", message: tally.doubt(of: logs))
  }

  private static func lines(_ finding: ReportedFinding) -> [String] {
    [finding.messageAndEnding + finding.times] + finding.evidence.map { "  \($0)" }
      + ["  log     \(finding.log)", "  print   \(finding.fingerprint)"]
  }

  /// Its lines, each with its end.
  var markup: Markup {
    let attributes: Markup = "name=\"\(name)\" classname=\"\(rule)\" time=\"0\""
    guard let outcome else { return "    <testcase \(attributes)/>\n" }
    let type: Markup? = outcome.type.map { " type=\"\($0)\"" }
    let element = Markup.element(
      outcome.element, " message=\"\(outcome.message)\"\(type)", lines: outcome.lines)
    return "    <testcase \(attributes)>\n      \(element)\n    </testcase>\n"
  }
}

extension Markup {
  /// An element with lines of text in it, or with nothing.
  fileprivate static func element(
    _ name: String, _ attributes: Markup = "", lines: [String]
  ) -> Markup {
    if lines.isEmpty { return "<\(name)\(attributes)/>" }
    let text = Markup(verbatim: lines.map(InertText.xml).joined(separator: "\n"))
    return "<\(name)\(attributes)>\(text)</\(name)>"
  }
}
