import LifecycleModel

/// How processes end: the app's, and those of its helpers.
extension ConsoleNarrator {
  /// So many helpers that have ended are remembered.
  private static let maximumHelpers = 32
  /// A process that has said that it ends prints nothing of its own so long after it.
  static let longestEnd: Nanoseconds = .seconds(2)
  /// What a process has printed so soon after its last words was on its way.
  private static let onItsWay: Nanoseconds = .milliseconds(100)
  /// A crash report is written within this time of the end.
  private static let longestReport: Nanoseconds = .seconds(10)
  /// A crash report that says no number, so soon after a start, may be about the process before.
  private static let doubtfulReport: Nanoseconds = .seconds(30)

  /// Tells the end of a helper, once, as a note: it is never the app's.
  mutating func tellHelper(_ sighting: ConsoleSighting) {
    guard case .ended(let end) = sighting.fact, let mention = sighting.mention else { return }
    if let pid = mention.pid {
      if helpersThatEnded.contains(pid) { return }
      if helpersThatEnded.count == Self.maximumHelpers { helpersThatEnded.removeFirst() }
      helpersThatEnded.append(pid)
    }
    let number = mention.pid.map { " (process \($0))" } ?? ""
    tellNote("the helper \(mention.bundle ?? "")\(number) ended: \(end.summary)", sighting)
  }

  /// Tells an end, or remembers that it was announced.
  mutating func tellEnd(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .ended(let end): tell(end, sighting)
    case .endForetold(let end, let words):
      if case .dead = life { start(sighting, pid: sighting.appPID, isMissed: true) }
      let age = caught.map { sighting.instant.since($0) }
      let isCaught = end.isCited && age.map { $0 <= Self.longestEnd } == true
      if isCaught || isReportOfFormer(end, sighting) { return tellNote(words, sighting) }
      if end.isOwn { isForetoldFollowed = false }
      let isRepeated = end.isOwn && foretold?.end.isOwn == true
      let all = foretold.map { $0.end.joined(with: end) } ?? end
      foretold = (all, words, sighting)
      if !isRepeated && !end.isComplaint { tellNote(words, sighting) }
    case .exceptionCaught(let words):
      caught = sighting.instant
      if foretold?.end.isCited == true { foretold = nil }
      tellNote(words, sighting)
    case .endCarriedOut:
      if let foretold { tell(foretold.end, sighting) }
    case .endedUnderDebugger(let end):
      isDebugged = true
      if isOpen { tellProfile(at: sighting.instant) }
      tell(end, sighting)
    default: break
    }
  }

  /// Tells the end of the process, once.
  mutating func tell(_ termination: Termination, _ sighting: ConsoleSighting) {
    if isRunning, let pid, let dead = sighting.appPID, dead != pid { return }
    if !isRunning { attachLate(sighting) }
    var end = foretold.map { $0.end.joined(with: termination) } ?? termination
    end.visibility = end.visibility ?? visibility
    var attributes = end.attributes
    let dead = sighting.appPID ?? pid
    if let dead, dead != toldPID { attributes.append(Attribute(.pid, String(dead))) }
    tell(end.verb, subject: .app, attributes: attributes, sighting)
    life = .dead(pid: dead, at: sighting.instant)
    lastEnd = end
    forgetProcess(hasEnded: true)
  }

  /// Tells an end that was announced, when nothing more is heard of the process.
  mutating func tellForetoldEnd() {
    guard let foretold else { return }
    if case .dead = life { return }
    if foretold.end.isComplaint { return tellComplaint(foretold) }
    var end = foretold.end
    if end.isOwn, end.crashReport == nil, isForetoldFollowed { return }
    // That something is gone explains nothing.
    if !end.isOwn, end.kind != .gone { end.reason = end.reason ?? foretold.words }
    // Where nothing has gone out, the end stands before what was printed after it.
    let later = waiting.filter { $0.instant > foretold.sighting.instant }
    waiting.removeAll { $0.instant > foretold.sighting.instant }
    tell(end, foretold.sighting)
    waiting += later
  }

  /// Tells a complaint as a warning, where nothing else shows that the process has ended.
  private mutating func tellComplaint(
    _ foretold: (end: Termination, words: String, sighting: ConsoleSighting)
  ) {
    self.foretold = nil
    tellNote(foretold.words, warning: SystemWarning.citedWords.rawValue, foretold.sighting)
  }

  /// Notices that the app goes on after it has said that it ends: then it has printed such words
  /// for another reason.
  mutating func noticeLife(_ sighting: ConsoleSighting) {
    guard let foretold, foretold.end.isOwn,
      sighting.fact.isLife(isSystem: sighting.isSystem)
    else { return }
    if let pid = sighting.appPID, let said = foretold.sighting.appPID, pid != said { return }
    let age = sighting.instant.since(foretold.sighting.instant)
    if age > Self.longestEnd {
      if foretold.end.isComplaint { tellComplaint(foretold) } else { self.foretold = nil }
    } else if age > Self.onItsWay {
      isForetoldFollowed = true
    }
  }

  /// Tells an end again when a crash report shows that it was no kill; whether the sighting is such a
  /// report about the process that has ended.
  mutating func tellLateReport(_ sighting: ConsoleSighting) -> Bool {
    guard case .dead(let dead, let instant) = life, let said = lastEnd,
      case .endForetold(let report, let words) = sighting.fact, report.crashReport != nil,
      sighting.instant.since(instant) <= Self.longestReport
    else { return false }

    if let dead, let pid = sighting.appPID, dead != pid { return false }
    tell(.note, subject: .app, label: vocabulary.symbol(words), isOfEnded: true, sighting)
    let end = said.joined(with: report)
    guard end.kind != said.kind else { return true }

    lastEnd = end
    tell(end.verb, subject: .app, attributes: end.attributes, isOfEnded: true, sighting)
    return true
  }

  /// Whether a crash report that says no number may be about the process before the one that runs.
  private func isReportOfFormer(_ end: Termination, _ sighting: ConsoleSighting) -> Bool {
    guard end.crashReport != nil, sighting.appPID == nil else { return false }
    if !isRunning { return request != nil || firstLine != nil && lastEnd != nil }
    return (lastEnd != nil || !formerProcesses.isEmpty)
      && sighting.instant.since(startInstant) <= Self.doubtfulReport
  }

  /// Forgets an announced end when the app goes on: the system may refuse a request.
  mutating func forgetForetoldEnd(before sighting: ConsoleSighting) {
    guard let foretold, !foretold.end.isOwn,
      sighting.instant.since(foretold.sighting.instant) > AppIdentity.aftermath
    else { return }
    self.foretold = nil
  }
}
