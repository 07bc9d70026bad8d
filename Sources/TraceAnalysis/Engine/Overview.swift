import LifecycleModel

/// How much was looked at.
struct Overview {
  private(set) var events: UInt64 = 0
  private(set) var gaps = 0
  private(set) var lostEvents: Int64 = 0
  private(set) var disorder = 0
  private var first = Instant.origin
  private var latest = Instant.distantPast
  /// For how long the processes before the last one were suspended.
  var suspendedBefore: Nanoseconds = 0

  /// Counts an event; whether it stands behind a later instant.
  @inline(__always)
  mutating func count(_ event: Event) -> Bool {
    if events == 0 { first = event.instant }
    events &+= 1
    if event.instant >= latest {
      latest = event.instant
      return false
    }
    disorder &+= 1
    return true
  }

  mutating func count(_ gap: Gap?) {
    gaps += 1
    lostEvents = lostEvents.addingReportingOverflow(gap?.count ?? 0).partialValue
  }

  var extent: ClosedRange<Instant>? { events == 0 ? nil : min(first, latest)...latest }

  func awakeTotal(_ state: LifecycleState) -> Nanoseconds {
    events == 0
      ? 0 : max(0, latest.since(first) &- suspendedBefore &- state.suspended(at: latest))
  }
}
