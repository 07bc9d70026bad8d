import LifecycleModel
import TraceAnalysis
import TraceText

/// The rows of `findings` and `witnesses`: what is known of them once the log was analyzed, and where their
/// events stand in it, which a second look at the events tells.
struct FindingRows {
  private let log: String
  private let findings: [(finding: Finding, parent: Int?)]
  private let vocabulary: Vocabulary
  /// The places in the log of the events that are evidence; 0 until they are known.
  private var places = RereadEvents<UInt64>()
  private var unknown = 0
  private var number: UInt64 = 0

  /// Of an analysis whose events belong to `vocabulary`.
  init(_ analysis: Analysis, of log: String, _ vocabulary: Vocabulary) {
    (self.log, self.vocabulary) = (log, vocabulary)
    var findings: [(Finding, Int?)] = []
    for finding in analysis.findings {
      findings.append((finding, nil))
      let parent = findings.count
      for dependent in finding.dependents { findings.append((dependent, parent)) }
    }
    self.findings = findings

    for (finding, _) in findings {
      for event in finding.witnesses.compactMap(\.event) {
        places.change(event, vocabulary, from: 0) { $0 = 0 }
      }
    }
    unknown = places.count
  }

  /// Whether the place of an event is not known yet.
  var isLooking: Bool { unknown > 0 }

  /// Looks at the next events of the log, from the first on.
  mutating func look(at events: [Event], _ vocabulary: Vocabulary) {
    for event in events {
      number += 1
      guard places[event, vocabulary] == 0 else { continue }
      places.change(event, vocabulary, from: 0) { $0 = number }
      unknown -= 1
    }
  }

  /// Adds all rows; `process` says whose an event is.
  func add(
    to rows: inout TableRows, in window: ClosedRange<Instant>, _ process: (UInt64) -> Int?
  ) {
    for (index, (finding, parent)) in findings.enumerated() {
      if let instant = finding.instant, !window.contains(instant) { continue }
      add(finding, number: index + 1, parent, to: &rows.findings, process)
      let reported = ReportedFinding(finding, of: log, vocabulary)
      for (witness, words) in zip(finding.witnesses, reported.witnesses) {
        rows.witnesses.add([
          .text(log), .of(index + 1), .text(witness.role.rawValue),
          .of(witness.event.flatMap(place)), .word(words.text), .of(words.until),
        ])
      }
    }
  }

  private func add(
    _ finding: Finding, number: Int, _ parent: Int?, to chunk: inout TableChunk,
    _ process: (UInt64) -> Int?
  ) {
    let anchor = finding.culprit ?? finding.witnesses.lazy.compactMap(\.event).first
    let place = anchor.flatMap(place)
    chunk.add([
      .text(log), .of(number), .of(parent), .text(finding.rule),
      .text(finding.severity.rawValue), .word(finding.subject.description),
      .text(finding.message), .text(finding.fingerprint), .of(finding.instant?.nanoseconds),
      .of(place), .of(finding.elapsed), .of(finding.allowed), .of(finding.occurrences),
      .boolean(finding.suppression != nil), .of(finding.baselineState?.rawValue),
      .of(place.flatMap(process)),
    ])
  }

  private func place(_ event: Event) -> UInt64? {
    places[event, vocabulary].flatMap { $0 == 0 ? nil : $0 }
  }
}
