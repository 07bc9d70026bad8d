import LifecycleModel

/// A time from which on a budget is worth a finding.
package struct BudgetLimit: Hashable, Sendable {
  /// How much a finding matters from here on.
  package var severity: Severity
  /// The time.
  package var time: Nanoseconds

  /// Makes a limit.
  package init(_ severity: Severity, from time: Nanoseconds) {
    self.severity = severity
    self.time = time
  }
}

extension RulePattern {
  /// The time of each span by itself stays within `limits`, which rise; the last is what is allowed.
  ///
  /// Only spans count that begin while the app is on screen, in a process in which it has been active:
  /// before that it is launched, and has more time.
  static func budgetWhileVisible(
    ofEach spans: EventPattern, _ limits: [BudgetLimit], says message: String
  ) -> RulePattern {
    var pattern = RulePattern(
      .budget(spans: spans, limits: limits, until: .nothing), per: .app, says: message)
    pattern.isPerSpan = true
    pattern.isWhileVisible = true
    return pattern
  }

  /// From the first `opening` of a process to its first `closing` passes less than `allowed`, once in
  /// a process; the process is awake for that time.
  ///
  /// `cancelling` forgets the opening, and an opening on the same event comes after it. Measured when
  /// the closing comes or the watchdog kills the process: that it never comes may mean that it is not recorded.
  static func stretch(
    from opening: EventPattern, to closing: EventPattern, cancelledBy cancelling: EventPattern,
    allowed: Nanoseconds, says message: String
  ) -> RulePattern {
    RulePattern(
      .stretch(opening: opening, closing: closing, cancelling: cancelling, allowed: allowed),
      per: .app, says: message)
  }

  /// The same, with another severity for a stretch that takes `time` or more.
  func worse(_ severity: Severity, from time: Nanoseconds) -> RulePattern {
    var pattern = self
    pattern.worse = BudgetLimit(severity, from: time)
    return pattern
  }

  /// A `first` comes before any `then`, once for each scope in a process; either may be absent.
  ///
  /// A `settling` event ends the question without an answer.
  static func orderOnce(
    _ first: EventPattern, then: EventPattern, settledBy settling: EventPattern? = nil,
    per scope: Scope, says message: String
  ) -> RulePattern {
    RulePattern(
      .order(first: first, then: then, until: settling, .once), per: scope, says: message)
  }
}
