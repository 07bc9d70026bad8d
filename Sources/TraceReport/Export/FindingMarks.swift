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
    /// The places of the findings that stand at it.
    fileprivate var found: [Int] = []
    /// The verdict on the end that it states.
    fileprivate var verdict: [ExportDetail] = []

    /// The parts and the verdict as details.
    var details: [ExportDetail] {
      (parts.isEmpty ? [] : [ExportDetail("evidence", parts.joined(separator: ", "))]) + verdict
    }
  }

  /// A finding as a viewer shows it.
  struct Found {
    let finding: ReportedFinding
    let mark: ExportMark
  }

  /// The findings in the order of their instants, those without one last.
  private let all: [Found]
  /// Which of them were taken, and how many of the first ones at least.
  private var isTaken: [Bool]
  private var passed = 0
  /// What is known of events of the second reading.
  private(set) var evidence = RereadEvents<Evidence>()

  /// The marks of what was found in one log.
  init(_ results: AnalysisResults) {
    let marks = results.listedFindings.enumerated().map { index, issue in
      Found(finding: issue.finding, mark: FindingMarks.mark(issue, flow: UInt64(index + 1)))
    }
    all = marks.sorted {
      $0.finding.instant ?? .distantFuture < $1.finding.instant ?? .distantFuture
    }
    isTaken = all.map { _ in false }

    for (index, found) in marks.enumerated() { add(found.finding, UInt64(index + 1)) }
    for (place, found) in all.enumerated() {
      if let anchor = found.finding.anchor { evidence[anchor]?.found.append(place) }
    }
    for end in results.verdicts {
      evidence[end.event, default: Evidence()].verdict = [
        ExportDetail("verdict", end.text), ExportDetail("died of", InertText.plain(end.cause)),
      ]
    }
  }

  private mutating func add(_ finding: ReportedFinding, _ flow: UInt64) {
    for witness in finding.witnesses {
      guard let event = witness.event else { continue }
      if evidence[event]?.flows.last != flow {
        evidence[event, default: Evidence()].flows.append(flow)
      }
      evidence[event]?.parts.append("\(witness.role.rawValue) \(finding.rule)")
    }
  }

  /// The findings at an instant before this one, each once.
  mutating func take(before instant: Instant) -> [Found] {
    let first = passed
    while passed < all.count, all[passed].finding.instant ?? .distantFuture < instant {
      passed += 1
    }
    return take(first..<passed)
  }

  /// The findings that stand at an event of the second reading, each once.
  mutating func take(at event: Event, _ vocabulary: Vocabulary) -> [Found] {
    take(evidence[event, vocabulary]?.found ?? [])
  }

  /// The findings that were not taken, in order.
  mutating func takeRest() -> [Found] { take(all.indices) }

  private mutating func take(_ places: some Sequence<Int>) -> [Found] {
    places.compactMap { place in
      if isTaken[place] { return nil }
      isTaken[place] = true
      return all[place]
    }
  }

  private static func mark(_ issue: Issue, flow: UInt64) -> ExportMark {
    let finding = issue.finding
    var details = [
      ExportDetail("rule", finding.rule), ExportDetail("severity", finding.severity.rawValue),
      ExportDetail("fingerprint", finding.fingerprint),
      ExportDetail("occurrences", Int64(finding.occurrences)),
    ]
    let missing = finding.witnesses.compactMap(\.says)
    if !missing.isEmpty {
      details.append(ExportDetail("missing", missing.joined(separator: "; ")))
    }
    if let state = finding.state { details.append(ExportDetail("state", "\(state)")) }
    if let cause = issue.cause { details.append(ExportDetail("same cause as", cause.rule)) }
    if let suppression = finding.suppression {
      details.append(ExportDetail("accepted", InertText.line(suppression.reason)))
    }
    let message = InertText.line(finding.message)

    return ExportMark(
      name: ExportText.cut("\(finding.severity.rawValue): \(message)"), category: "finding",
      details: details, flows: [flow])
  }
}
