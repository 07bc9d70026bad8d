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
    /// The findings that stand at it, by their places.
    fileprivate var findings: [Int] = []
    /// The verdict on the end that it states.
    fileprivate var verdict: [ExportDetail] = []

    /// The parts and the verdict as details.
    var details: [ExportDetail] {
      (parts.isEmpty ? [] : [ExportDetail("evidence", parts.joined(separator: ", "))]) + verdict
    }
  }

  /// The findings that were not written yet; `nil` of others.
  private var marks: [ExportMark?]
  private var evidence = RereadEvents<Evidence>()
  /// The findings that stand at no event, by their instants.
  private var timed: [(instant: Instant, finding: Int)] = []
  private let instants: [Instant?]

  /// The marks of an analysis whose events belong to `vocabulary`.
  init(_ analysis: Analysis, _ vocabulary: Vocabulary) {
    let findings = analysis.findings.flatMap { finding in
      [(finding, nil)] + finding.dependents.map { ($0, finding.rule) }
    }
    marks = findings.enumerated().map { index, finding in
      FindingMarks.mark(finding.0, cause: finding.1, flow: UInt64(index + 1), vocabulary)
    }
    instants = findings.map(\.0.instant)

    for (index, (finding, _)) in findings.enumerated() { add(finding, index, vocabulary) }
    for verdict in analysis.deaths.verdicts {
      let isOneOfSeveral = analysis.deaths.count > 1
      let text = DeathText(verdict, vocabulary, isOneOfSeveral: isOneOfSeveral).paragraph
      change(verdict.end, vocabulary) {
        $0.verdict = [ExportDetail("verdict", text), ExportDetail("died of", verdict.cause)]
      }
    }
    timed.sort { ($0.instant, $0.finding) < ($1.instant, $1.finding) }
  }

  /// What is known of an event of the second reading; `nil` of most.
  func evidence(of event: Event, _ vocabulary: Vocabulary) -> Evidence? {
    evidence[event, vocabulary]
  }

  /// The findings that stand at an event, each once.
  mutating func take(_ evidence: Evidence) -> [ExportMark] {
    evidence.findings.compactMap { take($0) }
  }

  /// The findings that stand at no event and at an instant before this one, each once.
  mutating func take(before instant: Instant) -> [(mark: ExportMark, instant: Instant)] {
    var due: [(ExportMark, Instant)] = []
    while let first = timed.first, first.instant < instant {
      timed.removeFirst()
      if let mark = take(first.finding) { due.append((mark, first.instant)) }
    }
    return due
  }

  /// The findings that were not written, with their instants where they have one, in order.
  mutating func takeRest() -> [(mark: ExportMark, instant: Instant?)] {
    let ordered = marks.indices.sorted {
      (instants[$0] ?? .distantFuture, $0) < (instants[$1] ?? .distantFuture, $1)
    }
    return ordered.compactMap { index in take(index).map { ($0, instants[index]) } }
  }

  private mutating func take(_ finding: Int) -> ExportMark? {
    defer { marks[finding] = nil }
    return marks[finding]
  }

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

    let anchor = finding.culprit ?? finding.witnesses.lazy.compactMap(\.event).first
    if let anchor {
      change(anchor, vocabulary) { $0.findings.append(index) }
    } else if let instant = finding.instant {
      timed.append((instant, index))
    }
  }

  private mutating func change(
    _ event: Event, _ vocabulary: Vocabulary, _ body: (inout Evidence) -> Void
  ) {
    evidence.change(event, vocabulary, from: Evidence(), body)
  }

  private static func mark(
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
