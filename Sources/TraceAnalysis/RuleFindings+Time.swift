import LifecycleModel

extension RuleFindings {
  /// Whether the rule has said nothing.
  var isEmpty: Bool {
    reports.isEmpty && checks == 0 && doubts.isEmpty && wakeTime == nil && idleReason == nil
  }

  /// Reports a culprit that came before the event that shows it, with the time that was taken.
  ///
  /// `closing` ended what took too long, or shows that it never ended. `missing` is what had to come
  /// and did not; where it says nothing of its place, it was due between culprit and closing.
  public mutating func report(
    _ culprit: Fact, since opener: Fact? = nil, until closing: Event? = nil,
    elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil, severity: Severity? = nil,
    missing: [MissingEvent] = [], says message: String
  ) {
    reports.append(
      Report(
        culprit: culprit.event, opener: opener, message: message, severity: severity,
        earlier: culprit, closing: closing, elapsed: elapsed, allowed: allowed, missing: missing))
  }

  /// Asks for ``RuleLogic/wake(_:_:_:)`` at this awake time of the process, at the earliest after this
  /// event; it takes the place of what was asked for before.
  public mutating func wake(at time: Nanoseconds) { wakeTime = time }

  /// Asks for ``RuleLogic/wake(_:_:_:)`` when what is observed now has become true.
  public mutating func wakeNext() { wakeTime = .min }
}
