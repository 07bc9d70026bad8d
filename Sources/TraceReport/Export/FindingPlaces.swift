import LifecycleModel
import TraceAnalysis

/// The findings of a log, each at the event that is wrong, when the log is read a second time.
struct FindingPlaces {
  /// A finding as an event of a span.
  struct Found {
    let fingerprint: String
    /// Where it stands; `nil` where nothing of it has an instant.
    let instant: Instant?
    let details: [ExportDetail]
    /// What is wrong, where it is an error that nobody accepts; `nil` of others.
    let error: String?
  }

  private var places = RereadEvents<[Int]>()
  /// The findings that no event has taken, by their places.
  private var left: [Int: Found] = [:]

  /// The findings of an analysis whose events belong to `vocabulary`.
  init(_ analysis: Analysis, _ vocabulary: Vocabulary) {
    for (place, (finding, cause)) in FindingMarks.all(analysis).enumerated() {
      let mark = FindingMarks.mark(finding, cause: cause, flow: 0, vocabulary)
      let isError = finding.severity == .error && finding.suppression == nil
      left[place] = Found(
        fingerprint: finding.fingerprint, instant: finding.instant,
        details: [ExportDetail("tracectl.finding", mark.name)] + mark.details.map(\.ours),
        error: isError ? mark.name : nil)

      let event = finding.culprit ?? finding.witnesses.lazy.compactMap(\.event).first
      guard let event else { continue }
      places.change(event, vocabulary, from: []) { $0.append(place) }
    }
  }

  /// The findings that stand at an event of the second reading, each once.
  mutating func take(at event: Event, _ vocabulary: Vocabulary) -> [Found] {
    guard let places = places[event, vocabulary] else { return [] }
    return places.compactMap { left.removeValue(forKey: $0) }
  }

  /// The findings that no event has taken, in order.
  func rest() -> [Found] { left.sorted { $0.key < $1.key }.map(\.value) }
}
