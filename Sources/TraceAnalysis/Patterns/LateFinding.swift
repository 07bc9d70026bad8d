import LifecycleModel

/// What is found when a limit passes, and goes on.
extension Finding {
  /// It has passed the next limit.
  mutating func escalate(
    to severity: Severity, _ elapsed: Nanoseconds, missing: [MissingEvent]
  ) {
    witnesses = Finding.ordered(witnesses.filter { $0.role != .missing }, missing: missing)
    self.severity = max(self.severity, severity)
    self.elapsed = max(self.elapsed ?? 0, elapsed)
  }

  /// What took too long has ended at last: too late, and not missing any more.
  mutating func finish(at event: Event, elapsed: Nanoseconds) {
    self.elapsed = elapsed
    witnesses.removeAll { $0.role == .closes || $0.role == .missing }
    witnesses.append(Witness(role: .closes, event: event))
  }
}
