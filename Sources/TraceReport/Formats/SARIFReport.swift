import LifecycleModel
import TraceAnalysis

/// Results as SARIF 2.1.0, for code scanning; the article `Formats` says what stands where.
public struct SARIFReport {
  let results: AnalysisResults
  private let toolVersion: String
  private let indices: [String: Int]
  /// Whether any result is suppressed: then each has to say whether it is.
  private let saysSuppressions: Bool

  /// Makes a report of results that this version of the tool has found.
  public init(_ results: AnalysisResults, toolVersion: String) {
    self.results = results
    self.toolVersion = toolVersion
    indices = Dictionary(results.rules.enumerated().map { ($1.rule.id, $0) }) { first, _ in first }
    saysSuppressions = results.listedFindings.contains { $0.finding.suppression != nil }
  }

  /// The whole text; the same results give the same text.
  public var text: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string(
        "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
      )
      writer.string("version", "2.1.0")
      writer.array("runs", [results]) { writer, _ in writer.object(nil, writeRun) }
    }
    return writer.text
  }

  private func writeRun(_ writer: inout JSONWriter) {
    writer.object("tool") { writer in
      writer.object("driver") { writer in
        writer.string("name", "tracectl")
        writer.string("semanticVersion", toolVersion)
        writer.array("rules", results.rules) { write(&$0, $1.rule) }
      }
    }
    writer.array("invocations", [results]) { writer, results in
      writer.object { writer in
        writer.raw("executionSuccessful", results.unreadable.isEmpty ? "true" : "false")
        writeNotifications(&writer)
      }
    }
    writer.array("results", results.listedFindings, write)
    writer.object("properties") { writer in
      writer.number("logs", results.logs)
      writer.number("events", results.events)
      writer.number("gaps", results.gaps)
    }
  }

  private func write(_ writer: inout JSONWriter, _ rule: AnalysisResults.RuleTally.Rule) {
    writer.object { writer in
      writer.string("id", rule.id)
      writer.object("shortDescription") { $0.string("text", InertText.line(rule.summary)) }
      writer.object("fullDescription") { $0.string("text", InertText.line(rule.why)) }
      writer.object("help") { writer in
        writer.string("text", InertText.line(rule.remedy))
        writer.string("markdown", InertText.prose(rule.remedy))
      }
      writer.object("defaultConfiguration") { writer in
        writer.string("level", SARIFReport.level(Severity(rawValue: rule.severity) ?? .info))
      }
      writer.object("properties") { writer in
        writer.number("number", rule.number)
        writer.array("sources", rule.sources) { $0.string(nil, $1) }
      }
    }
  }

  private static func level(_ severity: Severity) -> String {
    severity == .info ? "note" : severity.rawValue
  }

  // MARK: Notifications

  /// What is no result: logs that could not be read, rules that could not tell, and findings that are
  /// counted and not listed.
  ///
  /// A rule that cannot tell would be a result of the kind `open` by the standard; code scanning does
  /// not look at kinds, and would show an alert for each.
  private func writeNotifications(_ writer: inout JSONWriter) {
    let doubtful = results.rules.filter(\.isDoubtful)
    let cut = results.groups.filter { $0.count > $0.examples.count }
    let count = results.unreadable.count + doubtful.count + cut.count
    if count == 0 { return writer.raw("toolExecutionNotifications", "[]") }
    writer.array("toolExecutionNotifications", Array(0..<count)) { writer, index in
      if index < results.unreadable.count {
        return writeUnreadable(results.unreadable[index], &writer)
      }
      let next = index - results.unreadable.count
      if next < doubtful.count { return writeDoubt(doubtful[next], &writer) }
      writeCut(cut[next - doubtful.count], &writer)
    }
  }

  private func writeUnreadable(
    _ log: AnalysisResults.UnreadableLog, _ writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.string("level", "error")
      writer.message("cannot be read: \(log.error)")
      writer.array("locations", [log.log]) { writer, log in
        writer.object { $0.physicalLocation(log) }
      }
    }
  }

  private func writeDoubt(_ tally: AnalysisResults.RuleTally, _ writer: inout JSONWriter) {
    let logs = results.logs > 1 ? " in \(tally.doubtful) of \(results.logs) logs" : ""
    let reasons = tally.reasons.joined(separator: "; ")
    writer.object { writer in
      writer.string("level", "note")
      writer.message("\(tally.rule.id) cannot tell\(logs): \(reasons)")
      writeRule("associatedRule", tally.rule.id, &writer)
    }
  }

  private func writeCut(_ group: AnalysisResults.Group, _ writer: inout JSONWriter) {
    guard let rule = group.examples.first?.rule else { return writer.raw(nil, "{}") }
    writer.object { writer in
      writer.string("level", "note")
      writer.message(
        "\(group.count - group.examples.count) more findings of \(rule) with the fingerprint "
          + "\(group.fingerprint) are not listed")
      writeRule("associatedRule", rule, &writer)
    }
  }

  private func writeRule(_ key: String, _ id: String, _ writer: inout JSONWriter) {
    writer.object(key) { writer in
      writer.string("id", id)
      writer.number("index", indices[id])
    }
  }

  // MARK: Results

  private func write(_ writer: inout JSONWriter, _ listed: ListedFinding) {
    let finding = listed.finding
    writer.object { writer in
      writer.string("ruleId", finding.rule)
      writer.number("ruleIndex", indices[finding.rule])
      writer.string("level", SARIFReport.level(finding.level))
      let legal =
        finding.nearest.isEmpty ? "" : " (legal: \(finding.nearest.joined(separator: "; ")))"
      writer.message(finding.message + legal)
      writer.number("occurrenceCount", finding.occurrences)
      writer.array("locations", [finding]) { writer, finding in
        writer.object { writer in
          writer.physicalLocation(finding.log)
          writer.logicalLocations(finding)
        }
      }
      writer.object("partialFingerprints") { writer in
        writer.string("causal/v1", finding.fingerprint)
        // The only one that code scanning looks at.
        writer.string("primaryLocationLineHash", finding.fingerprint)
      }
      if !finding.witnesses.isEmpty { writer.codeFlow(finding) }
      if let cause = listed.cause { writer.cause(cause) }
      writer.string("baselineState", SARIFReport.state(finding))
      if saysSuppressions { writer.suppressions(finding.suppression) }
      writer.object("properties") { writer in
        writer.string("subject", finding.subject)
        writer.number("elapsed", finding.elapsed)
        writer.number("allowed", finding.allowed)
      }
    }
  }

  /// The standard's word for the state of a finding.
  private static func state(_ finding: ToldFinding) -> String? {
    finding.baselineState.map { $0 == Finding.BaselineState.known.rawValue ? "unchanged" : "new" }
  }
}
