import LifecycleModel
import TraceAnalysis

/// A row of `findings`.
struct FindingRow: TableRow {
  let number: Int
  let parent: Int?
  let finding: ReportedFinding
  let event: UInt64?
  let process: Int?

  static let meaning = "a finding"
  static let columns: [Column<FindingRow>] = [
    Column("finding", "its place among the log's findings, from 1") { $0.number },
    Column("parent", "the finding of the same cause under which it stands") { $0.parent },
    Column("rule", "the rule that was broken") { $0.finding.rule },
    Column("severity", "error, warning or info") { $0.finding.severity.rawValue },
    Column("subject", "what it is about") { $0.finding.subject.unlessEmpty },
    Column("message", "what is wrong, in words") { $0.finding.message },
    Column("fingerprint", "the same for the same bug in other logs") { $0.finding.fingerprint },
    Column("ts", "when its culprit happened") { $0.finding.instant?.nanoseconds },
    Column("event", "its culprit") { $0.event },
    Column("elapsed", "the time that it took") { $0.finding.elapsed },
    Column("allowed", "the time that was allowed") { $0.finding.allowed },
    Column("occurrences", "how often it happened in the same window") { $0.finding.occurrences },
    Column("accepted", "whether the configuration accepts it") { $0.finding.suppression != nil },
    Column("baseline", "new or known; NULL without a baseline") {
      $0.finding.baselineState?.rawValue
    },
    .process { $0.process },
  ]
}

/// A row of `witnesses`.
struct WitnessRow: TableRow {
  let finding: Int
  let witness: ReportedWitness
  let event: UInt64?

  static let meaning = "a piece of a finding's evidence"
  static let columns: [Column<WitnessRow>] = [
    Column("finding", "the finding") { $0.finding },
    Column("role", "opens, culprit, closes or missing") { $0.witness.role.rawValue },
    Column("event", "the event; NULL for what is missing") { $0.event },
    Column("says", "the event, or what is missing, in notation") { $0.witness.text.unlessEmpty },
    Column("until", "when what is missing was due") { $0.witness.until?.nanoseconds },
  ]
}

/// The rows of `findings` and `witnesses`: what is known of them once the log was analyzed, and where their
/// events stand in it, which a second look at the events finds.
struct FindingRows {
  private var findings: [(finding: ReportedFinding, parent: Int?)] = []
  /// The places in the log of the events that are evidence; 0 until they are known.
  private var places = RereadEvents<UInt64>()
  private var unknown = 0
  private var number: UInt64 = 0

  /// The rows of the findings of a log.
  init(_ all: [ReportedFinding]) {
    for finding in all {
      findings.append((finding, nil))
      let parent = findings.count
      for dependent in finding.dependents { findings.append((dependent, parent)) }
    }

    for event in findings.flatMap(\.finding.witnesses).compactMap(\.event) {
      places[event] = 0
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
      places[event, vocabulary] = number
      unknown -= 1
    }
  }

  /// Adds all rows; `process` says whose an event is.
  func add(
    to rows: inout LogTables, in window: ClosedRange<Instant>, _ process: (UInt64) -> Int?
  ) {
    for (index, (finding, parent)) in findings.enumerated() {
      if let instant = finding.instant, !window.contains(instant) { continue }
      let place = finding.anchor.flatMap(place)
      rows.add(
        FindingRow(
          number: index + 1, parent: parent, finding: finding, event: place,
          process: place.flatMap(process)), to: .findings)

      for witness in finding.witnesses {
        rows.add(
          WitnessRow(
            finding: index + 1, witness: witness, event: witness.event.flatMap(self.place)),
          to: .witnesses)
      }
    }
  }

  private func place(_ event: ReportedEvent) -> UInt64? {
    places[event].flatMap { $0 == 0 ? nil : $0 }
  }
}
