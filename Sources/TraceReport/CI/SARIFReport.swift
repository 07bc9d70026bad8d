import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as SARIF 2.1.0, for code scanning; the article `Formats` says what stands where.
struct SARIFReport {
  let results: AnalysisResults
  private let toolVersion: String
  /// The rules that are named, in their order.
  private let rules: [AnalysisResults.RuleTally.Rule]
  private let indices: [String: Int]
  /// Whether any result is suppressed: then each has to say whether it is.
  private let saysSuppressions: Bool

  /// Makes a report of results that this version of the tool has found.
  init(_ results: AnalysisResults, toolVersion: String) {
    self.results = results
    self.toolVersion = toolVersion
    let named = results.namedRules
    rules = results.rules.map(\.rule).filter { named.contains($0.id) }
    indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
    saysSuppressions = results.listedFindings.contains { $0.finding.suppression != nil }
  }

  /// The whole text; the same results give the same text.
  var text: String {
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
        writer.array("rules", rules, write)
      }
    }

    writer.objects("invocations", [results]) { writer, results in
      writer.raw("executionSuccessful", results.unreadable.isEmpty ? "true" : "false")
      writeNotifications(&writer)
    }
    writer.array("results", results.listedFindings, write)
    writer.object("properties") { writer in
      writer.objects("processesEnded", results.verdicts) { writer, death in
        writer.string("log", death.log)
        writer.string("process", death.name)
        writer.string("class", death.class.rawValue)
        writer.string("cause", death.cause)
        writer.string("text", death.text)
      }
      writer.number("logs", results.logs)
      writer.number("events", results.events)
      writer.number("gaps", results.gaps)
    }
  }

  private func write(_ writer: inout JSONWriter, _ rule: AnalysisResults.RuleTally.Rule) {
    writer.object { writer in
      writer.string("id", rule.id)
      let former = rule.formerNames.filter { $0.contains("-") }
      if !former.isEmpty { writer.strings("deprecatedIds", former) }
      writer.object("shortDescription") { $0.string("text", InertText.line(rule.summary)) }
      writer.object("fullDescription") { $0.string("text", InertText.line(rule.why)) }
      writer.string("helpUri", rule.links?.first)
      writer.object("help") { writer in
        writer.string("text", InertText.line(rule.remedy))
        writer.string("markdown", InertText.prose(rule.remedy))
      }
      writer.object("defaultConfiguration") { writer in
        writer.string("level", SARIFReport.level(rule.severity))
      }
      writer.object("properties") { writer in
        writer.string(
          "problem.severity", SARIFReport.problem(rule.severity))
        // What the rules of the catalogue are about stands first in their ids.
        let family = rule.number == nil ? nil : rule.id.split(separator: "-").first.map(String.init)
        writer.strings("tags", ["app-lifecycle"] + (family.map { [$0] } ?? []))
        writer.number("number", rule.number)
        writer.strings("sources", rule.sources)
      }
    }
  }

  private static func level(_ severity: Severity) -> String {
    severity == .info ? "note" : severity.rawValue
  }

  /// Code scanning's word for what a rule's findings matter.
  private static func problem(_ severity: Severity) -> String {
    severity == .info ? "recommendation" : severity.rawValue
  }

  // MARK: Notifications

  /// What is no result: logs that could not be read, rules that could not tell, findings that are
  /// counted and not listed, and what is fixed.
  ///
  /// A rule that cannot tell would be a result of the kind `open` by the standard; code scanning does
  /// not look at kinds, and would show an alert for each; so it would for a baseline's `absent`.
  private func writeNotifications(_ writer: inout JSONWriter) {
    let notes = doubts + results.groups.compactMap(cut) + results.fixed.map(fixed)
    let errors = results.unreadable.map { Note(error: $0) }
    writer.array("toolExecutionNotifications", errors + notes, write)
  }

  private struct Note {
    /// The rule that it is about, or a log.
    var rule: String?
    var log: String?
    var text: String

    init(rule: String? = nil, text: String) { (self.rule, self.text) = (rule, text) }

    init(error: AnalysisResults.UnreadableLog) {
      (log, text) = (error.path, "cannot be read: \(error.error)")
    }
  }

  private func write(_ writer: inout JSONWriter, _ note: Note) {
    writer.object { writer in
      writer.string("level", note.log == nil ? "note" : "error")
      writer.message(note.text)
      if let log = note.log {
        writer.array("locations", [log]) { writer, log in
          writer.object { $0.physicalLocation(log) }
        }
      }
      if let rule = note.rule {
        writer.object("associatedRule") { writer in
          writer.string("id", rule)
          writer.number("index", indices[rule])
        }
      }
    }
  }

  /// The rules that cannot tell, those with the same reasons in one note.
  private var doubts: [Note] {
    var notes: [(reasons: String, rules: [String])] = []
    for tally in results.rules where tally.isDoubtful {
      let logs = results.logs > 1 ? " in \(tally.doubtful) of \(results.logs) logs" : ""
      let reasons = "cannot tell\(logs): \(tally.reasons.joined(separator: "; "))"
      if let index = notes.firstIndex(where: { $0.reasons == reasons }) {
        notes[index].rules.append(tally.rule.id)
      } else {
        notes.append((reasons, [tally.rule.id]))
      }
    }
    return notes.map { Note(text: "\($0.rules.joined(separator: ", ")) \($0.reasons)") }
  }

  private func cut(_ group: AnalysisResults.Group) -> Note? {
    guard let rule = group.examples.first?.rule, group.count > group.examples.count else {
      return nil
    }
    return Note(
      rule: rule,
      text: "\(group.count - group.examples.count) more findings of \(rule) with the fingerprint "
        + "\(group.fingerprint) are not listed")
  }

  private func fixed(_ entry: Baseline.Entry) -> Note {
    Note(rule: entry.rule, text: "fixed: \(entry.times)\(entry.rule): \(entry.message)")
  }

  // MARK: Results

  private func write(_ writer: inout JSONWriter, _ listed: ListedFinding) {
    let finding = listed.finding
    writer.object { writer in
      writer.string("ruleId", finding.rule)
      writer.number("ruleIndex", indices[finding.rule])
      writer.string("level", SARIFReport.level(finding.severity))
      let says = finding.nearest?.says ?? []
      let legal = says.isEmpty ? "" : " (legal: \(says.joined(separator: "; ")))"
      writer.message(finding.messageAndEnding + legal)
      writer.number("occurrenceCount", finding.occurrences)

      writer.objects("locations", [finding]) { writer, finding in
        writer.physicalLocation(finding.annotated.file, line: finding.annotated.line)
        writer.logicalLocations(finding)
      }
      writer.object("partialFingerprints") { writer in
        writer.string("causal/v1", finding.fingerprint)
        // The only one that code scanning looks at.
        writer.string("primaryLocationLineHash", finding.fingerprint)
      }

      if !finding.witnesses.isEmpty { writer.codeFlow(finding) }
      writer.related(finding, cause: listed.cause)
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
  private static func state(_ finding: ReportedFinding) -> String? {
    finding.baselineState.map { $0 == .known ? "unchanged" : "new" }
  }
}
