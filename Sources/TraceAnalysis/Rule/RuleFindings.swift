import LifecycleModel

/// Where a rule puts what it found, and what it could not tell.
///
/// A finding rests on facts: its opener, its culprit, and what else the rule names. If a gap may
/// hide what became of one of them, the finding is refused and the rule cannot tell. A rule that
/// reports it anyway says why the gap does not matter.
public struct RuleFindings {
  struct Report {
    var culprit: OpenEvent
    var opener: OpenEvent?
    var closing: Event?
    var elapsed: Nanoseconds?
    var allowed: Nanoseconds?
    var severity: Severity?
    /// What is said of it, where that is not what a pattern says.
    var message: String?
    /// What had to come and did not.
    var missing: [MissingEvent] = []
    /// What makes it the same in another log, where that is not its witnesses.
    var identity: [String] = []
    /// What to do about it, where that is not what the rule says.
    var remedy: String?
  }

  /// What is true while the rule is called; it ends with the call.
  var moment: Moment?
  var reports: [Report] = []
  var checks = 0
  var doubts: [Doubt] = []
  /// Why there was nothing to judge.
  var idleReason: String?
  /// The awake time at which the rule wants to be woken.
  var wakeTime: Nanoseconds?

  /// Whether the rule has said nothing.
  var isEmpty: Bool {
    checks == 0 && wakeTime == nil && hasOnlyChecked
  }

  /// Whether the rule has said at most that all is as it should be, and when it wants to be woken.
  var hasOnlyChecked: Bool { reports.isEmpty && doubts.isEmpty && idleReason == nil }

  /// Reports `culprit`, which comes next; `opener` opened the window in which it must not come.
  ///
  /// All else is as for a culprit that came before.
  @discardableResult
  public mutating func report(
    _ culprit: Event, since opener: OpenEvent? = nil, severity: Severity? = nil,
    missing: [MissingEvent] = [], restingOn grounds: [OpenEvent?] = [], unless doubt: Doubt? = nil,
    regardlessOfGaps reason: StaticString? = nil, says message: String, remedy: String? = nil
  ) -> Bool {
    guard let moment else { return false }
    return report(
      moment.state.nextFact(culprit), since: opener, severity: severity, missing: missing,
      restingOn: grounds, unless: doubt, regardlessOfGaps: reason, says: message, remedy: remedy)
  }

  /// Reports a culprit that came before the event that shows it, with the time that was taken.
  ///
  /// The message may hold the placeholders of ``RulePattern``. `closing` ended what took too long, or
  /// shows that it never ended. `missing` is what had to come and did not; where it says nothing of its
  /// place, it was due between opener and culprit, or between culprit and closing. `identity` makes the
  /// finding the same in another log, where that is not its witnesses. `remedy` is what to do about it,
  /// where that is not what the rule says.
  ///
  /// `grounds` are the other facts that the finding rests on; `nil` stands for the beginning of the log.
  /// `doubt` is the rule's own reason not to know; a gap comes first. If a clock was set meanwhile, the
  /// time has no known length and the rule cannot tell. With a `reason`, which says why that does not
  /// matter, it is reported even if events are missing or a clock was set.
  ///
  /// - Returns: Whether it was reported.
  @discardableResult
  public mutating func report(
    _ culprit: OpenEvent, since opener: OpenEvent? = nil, until closing: Event? = nil,
    elapsed: Nanoseconds? = nil, allowed: Nanoseconds? = nil, severity: Severity? = nil,
    missing: [MissingEvent] = [], identity: [String] = [], restingOn grounds: [OpenEvent?] = [],
    unless doubt: Doubt? = nil, regardlessOfGaps reason: StaticString? = nil, says message: String,
    remedy: String? = nil
  ) -> Bool {
    if reason == nil {
      let isTimed = elapsed == nil || moment?.isLengthKnown(since: culprit) ?? false
      let isWhole = areCertain([culprit, opener ?? culprit] + grounds)
      if let doubt = isWhole ? doubt ?? (isTimed ? nil : .clockSet) : .gap {
        cannotTell(doubt)
        return false
      }
    }

    reports.append(
      Report(
        culprit: culprit, opener: opener, closing: closing, elapsed: elapsed, allowed: allowed,
        severity: severity, message: message, missing: missing, identity: identity, remedy: remedy))
    return true
  }

  /// Whether no gap can hide what became of these facts; if one can, the rule cannot tell.
  ///
  /// For conclusions other than a finding, such as that all is as it should be.
  public mutating func canRely(on facts: OpenEvent...) -> Bool {
    if areCertain(facts) { return true }
    cannotTell(.gap)
    return false
  }

  private func areCertain(_ facts: [OpenEvent?]) -> Bool {
    facts.allSatisfy { moment?.isCertain($0) ?? false }
  }

  /// Says that the rule looked and all was as it should be.
  public mutating func foundClean() { checks += 1 }

  /// Says that the rule saw what it is about and had nothing to judge, and why; told when it has judged
  /// nothing else.
  public mutating func didNotJudge(_ reason: String) { idleReason = reason }

  /// Says that the rule could not tell, and why.
  public mutating func cannotTell(_ doubt: Doubt) { doubts.append(doubt) }

  /// Asks for ``RuleLogic/wake(_:_:_:)`` at this awake time of the process, at the earliest after this
  /// event; it takes the place of what was asked for before.
  public mutating func wake(at time: Nanoseconds) { wakeTime = time }

  /// Asks for ``RuleLogic/wake(_:_:_:)`` when what is observed now has become true.
  public mutating func wakeNext() { wakeTime = .min }
}
