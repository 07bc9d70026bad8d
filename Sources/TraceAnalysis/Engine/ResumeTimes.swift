import LifecycleModel

/// When the process was resumed last, as far as a loop of resumes shows in it.
package struct ResumeTimes: Sendable {
  /// So many resumes within ``span`` are a loop; no document has a number.
  package static let loop = 12
  /// The time in which they come.
  package static let span: Nanoseconds = .seconds(60)

  /// The last resumes, oldest first, as many as a loop has.
  package private(set) var facts = Remembered<OpenEvent>(ResumeTimes.loop, beyond: .oldestGoes)

  /// Sees a `resume`.
  mutating func note(_ opener: OpenEvent) { facts.append(opener) }

  /// The resumes within the span that ends at `instant`.
  package func recent(at instant: Instant) -> [OpenEvent] {
    facts.filter { instant.since($0.event.instant) <= ResumeTimes.span }
  }
}
