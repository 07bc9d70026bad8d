import LifecycleModel
import TraceAnalysis
import TraceText

/// The findings of a log, and the verdicts on its ends, where they stand among its events when the log is
/// read a second time.
struct FindingMarks {
  /// What is known of an event.
  struct Evidence {
    /// The numbers of the findings that it is evidence of.
    var flows: [UInt64] = []
    /// Which parts it plays in them: `opens lock-at-suspend`.
    var parts: [String] = []
    /// The verdict on the end that it states.
    fileprivate var verdict: [ExportDetail] = []

    /// The parts and the verdict as details.
    var details: [ExportDetail] {
      (parts.isEmpty ? [] : [ExportDetail("evidence", parts.joined(separator: ", "))]) + verdict
    }
  }

  /// A finding, and where it stands; `nil` where nothing has an instant.
  typealias Timed = (mark: ExportMark, instant: Instant?)

  /// The findings in the order of their instants, those without one last.
  private let marks: [Timed]
  /// How many were written.
  private var taken = 0
  private var evidence = RereadEvents<Evidence>()

  /// The marks of an analysis whose events belong to `vocabulary`.
  init(_ analysis: Analysis, _ vocabulary: Vocabulary) {
    let findings = FindingMarks.all(analysis)
    let all = findings.enumerated().map { index, found -> Timed in
      let flow = UInt64(index + 1)
      return (FindingMarks.mark(found.0, cause: found.1, flow: flow, vocabulary), found.0.instant)
    }
    marks = all.sorted { $0.instant ?? .distantFuture < $1.instant ?? .distantFuture }

    for (index, (finding, _)) in findings.enumerated() { add(finding, index, vocabulary) }
    for verdict in analysis.deaths.verdicts {
      let isOneOfSeveral = analysis.deaths.count > 1
      let text = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral).paragraph
      change(verdict.end, vocabulary) {
        $0.verdict = [ExportDetail("verdict", text), ExportDetail("died of", verdict.cause)]
      }
    }
  }

  /// All findings, each with the rule of the one that has the same cause and stands above it; `nil` where none
  /// does.
  static func all(_ analysis: Analysis) -> [(finding: Finding, cause: String?)] {
    analysis.findings.flatMap { finding in
      [(finding, nil)] + finding.dependents.map { ($0, finding.rule) }
    }
  }

  /// What is known of an event of the second reading; `nil` of most.
  func evidence(of event: Event, _ vocabulary: Vocabulary) -> Evidence? {
    evidence[event, vocabulary]
  }

  /// The findings at an instant before this one, each once.
  mutating func take(before instant: Instant) -> ArraySlice<Timed> {
    let first = taken
    while taken < marks.count, marks[taken].instant ?? .distantFuture < instant { taken += 1 }
    return marks[first..<taken]
  }

  /// The findings that were not written, in order.
  func rest() -> ArraySlice<Timed> { marks[taken...] }

  // MARK: What is known

  private mutating func add(_ finding: Finding, _ index: Int, _ vocabulary: Vocabulary) {
    for witness in finding.witnesses {
      guard let event = witness.event else { continue }
      change(event, vocabulary) {
        let flow = UInt64(index + 1)
        if !$0.flows.contains(flow) { $0.flows.append(flow) }
        $0.parts.append("\(witness.role.rawValue) \(finding.rule)")
      }
    }
  }

  private mutating func change(
    _ event: Event, _ vocabulary: Vocabulary, _ body: (inout Evidence) -> Void
  ) {
    evidence.change(event, vocabulary, from: Evidence(), body)
  }

  /// A finding as a viewer shows it.
  static func mark(
    _ finding: Finding, cause: String?, flow: UInt64, _ vocabulary: Vocabulary
  ) -> ExportMark {
    var details = [
      ExportDetail("rule", finding.rule), ExportDetail("severity", finding.severity.rawValue),
      ExportDetail("fingerprint", finding.fingerprint),
      ExportDetail("occurrences", Int64(finding.occurrences)),
    ]
    if !finding.missing.isEmpty {
      let lines = finding.missing.map { $0.line(vocabulary) }
      details.append(ExportDetail("missing", lines.joined(separator: "; ")))
    }
    if let state = finding.state { details.append(ExportDetail("state", state.description)) }
    if let cause { details.append(ExportDetail("same cause as", cause)) }
    if let suppression = finding.suppression {
      details.append(ExportDetail("accepted", InertText.line(suppression.reason)))
    }
    let message = InertText.line(finding.message)

    return ExportMark(
      name: ExportText.cut("\(finding.severity.rawValue): \(message)"), category: "finding",
      details: details, flows: [flow])
  }
}
