import LifecycleModel
import TraceAnalysis
import TraceText

/// Results as SARIF 2.1.0, for code scanning; the article `Formats` says what stands where.
struct SARIFReport {
  private let results: AnalysisResults
  private let toolVersion: String
  /// The rules that are named, in their order.
  private let rules: [RuleDescription]
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
    let report: JSONTree = [
      "$schema":
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0", "runs": [run],
    ]
    return report.document
  }

  private var run: JSONTree {
    [
      "tool": [
        "driver": [
          "name": "tracectl", "semanticVersion": .text(toolVersion),
          "rules": .array(rules.map(SARIFReport.rule)),
        ]
      ],
      "invocations": [
        [
          "executionSuccessful": .flag(results.unreadable.isEmpty),
          "toolExecutionNotifications": .array(notifications),
        ]
      ],
      "results": .array(results.listedFindings.map { result($0.finding, cause: $0.cause) }),
      "properties": [
        "processesEnded": .array(results.verdicts.map(SARIFReport.end)),
        "logs": .number(results.logs), "events": .number(results.events),
        "gaps": .number(results.gaps),
      ],
    ]
  }

  private static func end(_ death: ReportedDeath) -> JSONTree {
    [
      "log": .text(death.log), "process": .text(death.name), "class": .text(death.class.rawValue),
      "cause": .text(death.cause), "text": .text(death.text),
    ]
  }

  private static func rule(_ rule: RuleDescription) -> JSONTree {
    let former = rule.formerNames.filter { $0.contains("-") }
    // What the rules of the catalogue are about stands first in their ids.
    let family = rule.number == nil ? nil : rule.id.split(separator: "-").first.map(String.init)
    return [
      "id": .text(rule.id), "deprecatedIds": JSONTree.texts(former).unlessEmpty,
      "shortDescription": ["text": .text(InertText.line(rule.summary))],
      "fullDescription": ["text": .text(InertText.line(rule.why))],
      "helpUri": .text(rule.sources.lazy.compactMap(\.url).first),
      "help": [
        "text": .text(InertText.line(rule.remedy)), "markdown": .text(InertText.prose(rule.remedy)),
      ],
      "defaultConfiguration": ["level": .text(rule.severity.word)],
      "properties": [
        // Code scanning's word for what a rule's findings matter.
        "problem.severity": rule.severity == .info
          ? "recommendation" : .text(rule.severity.rawValue),
        "tags": .texts(["app-lifecycle"] + (family.map { [$0] } ?? [])),
        "number": .number(rule.number), "sources": .texts(rule.sources.map(\.text)),
      ],
    ]
  }

  // MARK: Notifications

  /// What is no result.
  ///
  /// A rule that cannot tell would be a result of the kind `open` by the standard; code scanning does
  /// not look at kinds, and would show an alert for each; so it would for a baseline's `absent`.
  private var notifications: [JSONTree] {
    let doubts = results.rules.filter(\.isDoubtful).grouped { $0.doubt(of: results.logs) }
    return results.unreadable.map { notification("cannot be read: \($0.error)", log: $0.path) }
      + doubts.map { doubt, rules in
        notification("\(rules.map(\.rule.id).joined(separator: ", ")) \(doubt)")
      } + (results.cutNotes + results.fixedNotes).map { notification($0.text, rule: $0.rule) }
  }

  private func notification(_ text: String, log: String? = nil, rule: String? = nil) -> JSONTree {
    [
      "level": log == nil ? "note" : "error", "message": SARIFReport.message(text),
      "locations": log.map { [["physicalLocation": SARIFReport.file($0)]] } ?? .absent,
      "associatedRule": rule.map { ["id": .text($0), "index": .number(indices[$0])] } ?? .absent,
    ]
  }

  // MARK: Results

  private func result(_ finding: ReportedFinding, cause: ReportedFinding?) -> JSONTree {
    let says = finding.nearest?.says ?? []
    let legal = says.isEmpty ? "" : " (legal: \(says.joined(separator: "; ")))"
    let flows = finding.flows.map { writer, steps -> JSONTree in
      [
        "id": .text(InertText.line(writer)),
        "locations": .array(steps.map { SARIFReport.step($0, finding.path) }),
      ]
    }
    let suppressions = JSONTree.array(
      finding.suppression.map { [SARIFReport.suppression($0)] } ?? [])

    return [
      "ruleId": .text(finding.rule), "ruleIndex": .number(indices[finding.rule]),
      "level": .text(finding.severity.word),
      "message": SARIFReport.message(finding.messageAndEnding + legal),
      "occurrenceCount": .number(finding.occurrences),
      "locations": [SARIFReport.location(finding, at: finding.annotated)],
      "partialFingerprints": [
        "causal/v1": .text(finding.fingerprint),
        // The only one that code scanning looks at.
        "primaryLocationLineHash": .text(finding.fingerprint),
      ],
      "codeFlows": finding.witnesses.isEmpty ? .absent : [["threadFlows": .array(flows)]],
      "relatedLocations": SARIFReport.related(finding, cause: cause),
      // The standard's word for the state of a finding.
      "baselineState": .text(finding.baselineState.map { $0 == .known ? "unchanged" : "new" }),
      "suppressions": saysSuppressions ? suppressions : .absent,
      "properties": [
        "subject": .text(finding.subject), "elapsed": .number(finding.elapsed),
        "allowed": .number(finding.allowed),
      ],
    ]
  }

  /// The log, where the finding's own place is in the app's code; and the finding of the same cause that it
  /// stands under.
  private static func related(_ finding: ReportedFinding, cause: ReportedFinding?) -> JSONTree {
    var places: [JSONTree] = []
    func add(_ finding: ReportedFinding, _ words: String) {
      places.append(location(finding, at: (finding.path, finding.sourceLine), message(words)))
    }
    if finding.codeLocation != nil { add(finding, "the log that shows this finding") }
    if let cause { add(cause, "has the same cause: \(cause.rule): \(cause.message)") }
    return .array(places).unlessEmpty
  }

  private static func suppression(_ suppression: Finding.Suppression) -> JSONTree {
    let place = CodeLocation(suppression.place)
    let location = file(place?.file ?? suppression.place, line: place?.line)
    return [
      "kind": "external", "status": "accepted",
      "justification": .text(InertText.line(suppression.reason)),
      "location": ["physicalLocation": location],
    ]
  }

  // MARK: Evidence

  /// A witness.
  ///
  /// What did not come has no place in a file, no order of execution and no instant.
  private static func step(_ step: ReportedFinding.Step, _ log: String) -> JSONTree {
    let (witness, role) = (step.witness, step.witness.role)
    let event: JSONTree = ["kind": "event", "fullyQualifiedName": .text(witness.reference)]
    let isMissing = step.order == nil
    return [
      "location": [
        "physicalLocation": isMissing ? .absent : file(log, line: witness.event?.sourceLine),
        "logicalLocations": isMissing ? .absent : [event],
        "message": message("\(role.rawValue): \(witness.text)"),
      ],
      "executionOrder": .number(step.order),
      "importance": role == .culprit || isMissing ? "essential" : "important",
      // An instant is counted from somewhere: it is no date, so `executionTimeUtc` would be invented.
      "properties": [
        "role": .text(role.rawValue), "instant": .number(witness.event?.t),
        "sequence": .number(witness.event?.sequence), "until": .number(witness.until?.nanoseconds),
        "backgroundTime": .number(witness.backgroundTime),
      ],
    ]
  }

  // MARK: Places

  private static func message(_ text: String) -> JSONTree {
    ["text": .text(InertText.sarif(text))]
  }

  /// A finding's place, with what it is about and its culprit.
  private static func location(
    _ finding: ReportedFinding, at place: (file: String, line: Int?), _ message: JSONTree = .absent
  ) -> JSONTree {
    let subject = finding.subject.unlessEmpty
    let names = [("subject", subject), ("event", finding.culprit?.reference)]
    let logical = names.compactMap { kind, name -> JSONTree? in
      name.map { ["kind": .text(kind), "fullyQualifiedName": .text($0)] }
    }
    return [
      "physicalLocation": file(place.file, line: place.line),
      "logicalLocations": .array(logical).unlessEmpty, "message": message,
    ]
  }

  /// A file, with the line where it is a text.
  ///
  /// A binary log has no lines, and its events no bytes of their own: they lie in compressed columns.
  private static func file(_ path: String, line: Int? = nil) -> JSONTree {
    [
      "artifactLocation": [
        "uri": .text(InertText.uri(path)),
        "description": path == "-" ? ["text": "standard input"] : .absent,
      ],
      "region": line.map { ["startLine": .number($0)] } ?? .absent,
    ]
  }
}
