import LifecycleModel

/// Where a rule puts what it found, and what it could not tell.
public struct RuleFindings {
  struct Report {
    var culprit: Event
    var opener: Fact?
    var message: String
    var severity: Severity?
    /// The culprit, when it came before the event that shows it.
    var earlier: Fact?
    var closing: Event?
    var elapsed: Nanoseconds?
    var allowed: Nanoseconds?
    /// What had to come and did not.
    var missing: [MissingEvent] = []
    /// What makes it the same in another log, where that is not its witnesses.
    var identity: [String] = []
  }

  var reports: [Report] = []
  var checks = 0
  var doubts: [Doubt] = []
  /// Why there was nothing to judge.
  var idleReason: String?
  /// The awake time at which the rule wants to be woken.
  var wakeTime: Nanoseconds?

  /// Reports `culprit`; `opener` is what opened the window in which it must not come.
  ///
  /// The message may hold the placeholders of ``RulePattern``. `missing` is what had to come and did
  /// not; where it says nothing of its place, it was due between opener and culprit.
  public mutating func report(
    _ culprit: Event, since opener: Fact? = nil, severity: Severity? = nil,
    missing: [MissingEvent] = [], says message: String
  ) {
    reports.append(
      Report(
        culprit: culprit, opener: opener, message: message, severity: severity, missing: missing))
  }

  /// Makes what was reported last the same in another log by these words, and not by its witnesses.
  mutating func identify(by words: [String]) {
    if !reports.isEmpty { reports[reports.count - 1].identity = words }
  }

  /// Says that the rule looked and all was as it should be.
  public mutating func foundClean() { checks += 1 }

  /// Says that the rule saw what it is about and had nothing to judge, and why; told when it has judged
  /// nothing else.
  public mutating func didNotJudge(_ reason: String) { idleReason = reason }

  /// Says that the rule could not tell, and why.
  public mutating func cannotTell(_ doubt: Doubt) { doubts.append(doubt) }
}
