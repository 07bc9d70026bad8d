import LifecycleModel
import Run

/// A process that has ended, until all is known that the log states about its end.
struct EndedProcess {
  /// What was true before its end.
  var present: Present
  /// The events of its end.
  var evidence: DeathVerdict.Evidence
}

/// Where processes begin and end, and what their ends mean.
///
/// Several events may tell of one end: the system's words, and what whoever recorded saw of it. The
/// end is judged once, when the next process begins or the log is over, by what was true before the
/// first of them.
extension Analyzer {
  /// Does what has to be done before an event that begins or ends a process, or says what is known of
  /// it; whether the rules may see it.
  mutating func turnProcess(_ event: Event) -> Bool {
    switch event.verb {
    case .processStart:
      endUnseen(event)
      return true
    case .profile: return true
    default: return noteEnd(event)
    }
  }

  /// Takes a `kill` or an `exit`; whether it is the first event of this end.
  private mutating func noteEnd(_ event: Event) -> Bool {
    if KillCode.isStackshot(event, vocabulary) {
      ledger.present.state.foldStackshot(event)
      milestones.add(Milestone(kind: .note, event: event))
      return false
    }

    guard ledger.present.state.isEcho(event) else {
      // The app was seen again since its last end, though no start was.
      if ledger.present.state.processEnd != nil {
        judgeEnd()
        ledger.collector.beginProcess()
      }
      ended = EndedProcess(
        present: ledger.present,
        evidence: DeathVerdict.Evidence(
          ends: [ledger.fact(event)], number: deaths.count + 1, profile: processProfile))
      return true
    }

    let echo = ledger.fact(event)
    ended?.evidence.ends.append(echo)
    ledger.present.state.fold(event)
    return false
  }

  /// Looks whether a profile, a launch callback or a registration is the first event of a process whose start
  /// is not recorded, or may be.
  mutating func noteLaunch(_ event: Event) {
    if event.verb == .profile { judgeEnd() }
    let sign = watch.sign(
      event, state, profile, vocabulary, wasActive: ledger.present.wasActive,
      isTerminating: ledger.present.termination != nil)
    switch sign {
    case .nothing: break
    case .mayBegin: ledger.present.state.doubtProcess(before: event)
    case .begins(let next): crossBoundary(event, next: next)
    }

    if ledger.present.beginning == nil, event.verb != .profile, event.verb != .bgtaskRegister {
      ledger.present.beginning = ledger.fact(event)
    }
  }

  /// A process begins whose start is not recorded; `event` is the first that the log has of it.
  private mutating func crossBoundary(_ event: Event, next profile: Profile? = nil) {
    endUnseen(event, next: profile)
    ledger.present.state.forgetProcess()
    ledger.isSuspended = false
    beginProcess()
    // What the profile states about the launch is that of the process before.
    if profile == nil { ledger.present.launch = nil }
    milestones.beginProcess(event)
  }

  /// A process begins with `event`: the one before it has ended, if there was one.
  private mutating func endUnseen(_ event: Event, next profile: Profile? = nil) {
    if ledger.present.state.isRunning {
      ended = EndedProcess(
        present: ledger.present,
        evidence: DeathVerdict.Evidence(
          ends: [ledger.fact(event)], isUnseen: true, number: deaths.count + 1,
          profile: processProfile, next: profile))
    }

    overview.suspendedBefore &+= ledger.present.state.suspended(at: ledger.present.state.instant)
    endProcess(.processEnded)
    judgeEnd()
    processProfile = nil
    ledger.collector.beginProcess()
  }

  /// Judges the end of the process that has ended, if there is one that is not judged.
  mutating func judgeEnd() {
    guard var last = ended else { return }
    ended = nil
    swap(&ledger.present, &last.present)
    defer { swap(&ledger.present, &last.present) }
    let system = ledger.system
    var death = withUnsafePointer(to: &ledger.present) {
      system.verdict(last.evidence, Moment($0))
    }
    deaths.noteRun(&death)
    milestones.replaceEnd(with: death.end)
    for index in death.suspects.indices {
      death.suspects[index].isFound = ledger.collector.place(naming: [death.suspects[index]]) != nil
    }

    let rule = ledger.deathRule
    for index in ledger.rules.indices where index != rule { ledger.conclude(index, death) }
    if let rule {
      death.finding = finding(of: death, rule)
      joinLoop(death)
    }
    if ledger.collector.ofProcess.contains(where: { $0.severity == .error }) {
      death.isHarmless = false
    }
    deaths.add(death)
    guard conclusions != nil else { return }
    countQuietSteps()
    conclusions?.add(death, ledger.tallies)
  }

  /// The ends of a crash loop have one finding, the last, which counts them.
  private mutating func joinLoop(_ death: DeathVerdict) {
    let place = ledger.collector.ofProcess.lastIndex { $0.standsFor == death.end }
    if death.launchesInARow == 1 { loop.removeAll() }
    if let place { loop.append(place) }
    guard death.launchesInARow >= DeathVerdict.crashLoop, let last = loop.last, place != nil else {
      return
    }
    for earlier in loop.dropLast() { withdraw(earlier) }
    ledger.collector.update(last) { $0.occurrences = death.launchesInARow }
    loop = [last]
  }

  /// Withdraws the finding that stands for an end, with what other rules say of that end.
  private mutating func withdraw(_ place: Int) {
    let end = ledger.collector.findings[place].standsFor
    ledger.collector.update(place) { $0.isWithdrawn = true }
    for other in ledger.collector.findings.indices {
      let finding = ledger.collector.findings[other]
      guard finding.cause?.cause == .death, finding.culprit == end else { continue }
      ledger.collector.update(other) { $0.isWithdrawn = true }
    }
  }

  /// Finds the finding that stands for a death, or makes it; its fingerprint, `nil` when the death is
  /// none.
  ///
  /// A finding that names one of the death's suspects names its cause: the death closes it.
  private mutating func finding(of death: DeathVerdict, _ rule: Int) -> String? {
    guard let severity = death.severity(under: profile) else {
      ledger.conclude(rule, death)
      return nil
    }

    if let place = ledger.collector.place(naming: death.suspects) {
      ledger.collector.update(place) { $0.stand(for: death.end, severity) }
      // What shared the time of one end is one fault.
      let shared = death.suspects.filter(\.isShared)
      for other in ledger.collector.places(naming: shared) where other != place {
        ledger.collector.update(other) { $0.explains = death.end }
      }
      return ledger.collector.findings[place].fingerprint
    }

    if let fingerprint = ledger.collector.leftOut(naming: death.suspects) { return fingerprint }
    let count = ledger.collector.findings.count
    ledger.conclude(rule, death)
    if ledger.collector.findings.count > count {
      ledger.collector.update(count) {
        $0.standsFor = death.end
        if !death.advice.isEmpty { $0.remedy = death.advice }
      }
    }
    return ledger.collector.lastFingerprint
  }
}

extension Finding {
  /// It is why the process ended with `end`.
  fileprivate mutating func stand(for end: Event, _ severity: Severity) {
    if event(.closes) == nil { witnesses.append(Witness(role: .closes, event: end)) }
    self.severity = max(self.severity, severity)
    // The end says how much it matters, and no limit does.
    milderLimit = nil
    standsFor = end
  }
}
