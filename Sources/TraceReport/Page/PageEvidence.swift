import LifecycleModel
import TraceAnalysis
import TraceText

/// The findings of a page, with the places of their events.
struct PageEvidence {
  /// How much of something is missing.
  enum Missing { case nothing, some, all }

  /// A finding, with where its witnesses stand.
  struct Told {
    let finding: ReportedFinding
    /// The place of each witness's event; `nil` where the page has none.
    let places: [Int?]
    let after: [Int?]
    let before: [Int?]

    /// How much of its evidence the page has not.
    var missing: Missing {
      let events = zip(finding.witnesses, places).filter { $0.0.event != nil }
      let count = events.count { $0.1 == nil }
      return count == 0 ? .nothing : count == events.count ? .all : .some
    }

    /// Where its flag stands: at its culprit, else at another event, else at a deadline.
    var flag: Instant? {
      let culprit = finding.culprit?.event ?? finding.witnesses.lazy.compactMap(\.event).first
      let due = finding.witnesses.lazy.compactMap(\.until).first
      return culprit?.instant ?? due.map { Instant(nanoseconds: $0) }
    }
  }

  /// The findings of a rule that are not told.
  struct LeftOut {
    let rule: String
    let count: Int
  }

  /// So many findings are told, and so many of one fingerprint.
  private static let (told, toldPerFingerprint) = (100, 3)

  private struct Place: Hashable {
    let writer: String
    let sequence: UInt64
    /// The instant, where the events of a writer have no numbers.
    let instant: Int64
  }

  private let shown: [ReportedFinding]
  /// What is not told: the rules with most of it first.
  let leftOut: [LeftOut]
  private var places: [Place: Int?] = [:]
  /// The numbers of the events that are looked for.
  private var sequences: Set<UInt64> = []

  init(_ results: AnalysisResults) {
    let ordered = results.findings.enumerated().sorted { first, second in
      let (one, other) = (first.element, second.element)
      if one.isCounted != other.isCounted { return one.isCounted }
      return (other.severity, first.offset) < (one.severity, second.offset)
    }
    var counts: [String: Int] = [:]
    let first = ordered.map(\.element).filter { finding in
      counts[finding.fingerprint, default: 0] += 1
      return counts[finding.fingerprint, default: 0] <= PageEvidence.toldPerFingerprint
    }
    shown = Array(first.prefix(PageEvidence.told))
    leftOut = PageEvidence.leftOut(results, but: shown)

    for witness in shown.flatMap(\.witnesses) {
      for place in [
        witness.event.map(Self.place), Self.place(witness.after), Self.place(witness.before),
      ] {
        guard let place else { continue }
        places[place] = .some(nil)
        sequences.insert(place.sequence)
      }
    }
  }

  private static func leftOut(
    _ results: AnalysisResults, but shown: [ReportedFinding]
  ) -> [LeftOut] {
    var counts: [String: Int] = [:]
    for group in results.groups {
      if let rule = group.examples.first?.rule { counts[rule, default: 0] += group.count }
    }
    for finding in shown { counts[finding.rule, default: 0] -= 1 }
    return counts.filter { $0.value > 0 }.map { LeftOut(rule: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.rule) < ($0.count, $1.rule) }
  }

  /// Takes the next event of the page; true when it is evidence.
  @discardableResult
  mutating func observe(_ event: Event, at place: Int, _ vocabulary: Vocabulary) -> Bool {
    guard !sequences.isEmpty, sequences.contains(event.sequence) else { return false }
    let key = Place(
      writer: vocabulary.name(of: event.writer), sequence: event.sequence,
      instant: event.sequence == 0 ? event.instant.nanoseconds : 0)
    if places[key] == nil { return false }
    places[key] = place
    return true
  }

  /// The findings, the most serious first, with the places that were found.
  var findings: [Told] {
    shown.map { finding in
      Told(
        finding: finding, places: finding.witnesses.map { found($0.event.map(Self.place)) },
        after: finding.witnesses.map { found(Self.place($0.after)) },
        before: finding.witnesses.map { found(Self.place($0.before)) })
    }
  }

  private func found(_ place: Place?) -> Int? { place.flatMap { places[$0] ?? nil } }

  private static func place(_ event: ReportedEvent) -> Place {
    Place(
      writer: event.writer, sequence: event.sequence, instant: event.sequence == 0 ? event.t : 0)
  }

  private static func place(_ place: ReportedPlace?) -> Place? {
    place.map { Place(writer: $0.writer, sequence: $0.sequence, instant: 0) }
  }

  /// Tells the findings in the head of the data.
  func write(_ findings: [Told], to head: inout JSONWriter) {
    head.objects("findings", findings) { writer, told in
      let finding = told.finding
      writer.string("rule", finding.rule)
      writer.string("severity", finding.severity.rawValue)
      writer.string("message", finding.message)
      writer.string("fingerprint", finding.fingerprint)
      writer.objects("witnesses", Array(finding.witnesses.enumerated())) { writer, element in
        let (index, witness) = element
        writer.string("role", witness.role.rawValue)
        writer.number("event", told.places[index])
        if told.places[index] == nil { writer.string("says", witness.text) }
        writer.number("after", told.after[index])
        writer.number("before", told.before[index])
        writer.number("until", witness.until)
      }
    }
  }
}
