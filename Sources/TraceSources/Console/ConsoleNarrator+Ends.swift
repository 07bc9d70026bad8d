import LifecycleModel

/// How processes end: the app's, and those of its helpers.
extension ConsoleNarrator {
  /// So many helpers that have ended are remembered.
  private static let maximumHelpers = 32

  /// Whether a sighting is about a helper of the app, and not about what was asked for.
  func isOfHelper(_ sighting: ConsoleSighting) -> Bool {
    sighting.mention.map { $0.isHelper && $0.bundle != bundle } ?? false
  }

  /// Tells the end of a helper, once, as a note: it is never the app's.
  mutating func tellHelper(_ sighting: ConsoleSighting) {
    guard case .ended(let end) = sighting.fact, let mention = sighting.mention else { return }
    if let pid = mention.pid {
      if helpersThatEnded.contains(pid) { return }
      if helpersThatEnded.count == Self.maximumHelpers { helpersThatEnded.removeFirst() }
      helpersThatEnded.append(pid)
    }
    let number = mention.pid.map { " (process \($0))" } ?? ""
    tellNote("the helper \(mention.bundle ?? "")\(number) has ended: \(end.summary)", sighting)
  }

  /// Tells an end, or remembers that it was announced.
  mutating func tellEnd(_ sighting: ConsoleSighting, ahead: ArraySlice<ConsoleSighting>) {
    switch sighting.fact {
    case .ended(let end): tell(end, sighting)
    case .endForetold(let end, let words):
      if case .dead = life { start(sighting, pid: sighting.appPID, isMissed: true, ahead: ahead) }
      let isRepeated = end.isOwn && foretold?.end.isOwn == true
      let all = foretold.map { $0.end.joined(with: end) } ?? end
      foretold = (all, words, sighting)
      if !isRepeated { tellNote(words, sighting) }
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
    forgetProcess(hasEnded: true)
  }

  /// Tells an end that was announced, when nothing more is heard of the process.
  mutating func tellForetoldEnd() {
    guard let foretold else { return }
    if case .dead = life { return }
    var end = foretold.end
    if !end.isOwn { end.reason = end.reason ?? foretold.words }
    // Where nothing has gone out, the end stands before what was printed after it.
    let later = waiting.filter { $0.instant > foretold.sighting.instant }
    waiting.removeAll { $0.instant > foretold.sighting.instant }
    tell(end, foretold.sighting)
    waiting += later
  }

  /// Forgets an announced end when the app goes on: the system may refuse a request.
  mutating func forgetForetoldEnd(before sighting: ConsoleSighting) {
    guard let foretold, !foretold.end.isOwn,
      sighting.instant.since(foretold.sighting.instant) > AppIdentity.aftermath
    else { return }
    self.foretold = nil
  }
}
