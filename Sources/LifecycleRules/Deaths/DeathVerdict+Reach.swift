import LifecycleModel
import TraceAnalysis
import TraceText

extension DeathVerdict {
  /// Reaches a verdict on a process; the moment is that before its end.
  init(_ evidence: Evidence, _ moment: Moment) {
    let isLinux = moment.profile.platform == "linux"
    // Of equal ones the first: later ones are echoes.
    let told = evidence.ends.map {
      (fact: $0, cause: EndCause($0.event, moment.vocabulary, isLinux: isLinux))
    }
    let most = told.map(\.cause.rank).max() ?? 0
    let (ending, cause) = told.first { $0.cause.rank == most } ?? told[0]
    // Who records notices later that a process is gone; the system says it at once.
    let isOfSystem = moment.attribute(.line, told[0].fact.event) != nil
    let isTimed = !evidence.isUnseen && (!told[0].cause.isGone || isOfSystem)
    let stated = SystemWords(
      [ending.event] + told.map(\.fact.event), moment.vocabulary)
    let scene = EndEvidence(
      moment, at: isTimed ? told[0].fact.event.instant : moment.state.instant, stated)
    let reading = cause.row.signature?.look(scene)
    let suspects = reading?.suspects ?? scene.suspects(cause)
    let judgement = EndJudgement(
      cause, evidence, scene, isExplained: !suspects.isEmpty,
      isOverrun: isTimed && (cause.name == "SIGKILL" || cause.isGone)
        && suspects.contains(where: \.isOverrun),
      isReported: moment.attribute(.by, ending.event) == "report", moment)
    let isOfBackground = cause.reason.map(ExitReason.ofBackground.contains) ?? false
    let audience = scene.audience
    var shares = scene.isMainBusy ? scene.shares : []
    var busyTime = shares.reduce(0) { $0 &+ $1.time }
    if busyTime < Allowances.reportedHang { (shares, busyTime) = ([], 0) }

    self.init(
      Process(moment, number: evidence.number), end: ending, judgement.deathClass)
    unknown = judgement.unknown
    isEndSeen = isTimed
    self.cause = cause.name
    manner = cause.manner
    (code, namespace, exception) = (cause.code, cause.namespace, cause.exception)
    meaning = cause.isNamed ? cause.row.meaning : ""
    isStopOfDebugger = judgement.isStopOfDebugger
    sentence =
      judgement.sentence
      ?? cause.sentence(ending.event, moment.vocabulary, isUnseen: evidence.isUnseen)
    reason = judgement.reason ?? cause.reason
    advice = DeathVerdict.advice(
      cause, reading?.agreement, reason, suspects.first?.kind,
      said: moment.attribute(.reason, ending.event))
    wordsOfEcho = manner == .kill ? moment.words(ofKills: told) : nil
    (allowance, processorTime) = (stated.allowance, stated.processorTime)
    memory = scene.memory(cause)
    losses = scene.losses.map { Running(event: $0.event, elapsed: scene.elapsed($0)) }
    self.audience = audience == .unknown && isOfBackground ? .notVisible : audience
    state = moment.state.appState
    stateAge = moment.state.app.map { scene.elapsed($0.since) } ?? 0
    isOfLaunch =
      !moment.wasActive
      || moment.state.processStart.map { scene.elapsed($0) <= Allowances.launchToFirstFrame }
        ?? false
    isSuspended = moment.state.suspension != nil
    isTerminated = moment.termination != nil
    let isKnown = cause.isNamed && cause.row.kind != .signal
    agreement = reading?.agreement ?? (isKnown ? .nothingToShow : nil)
    self.suspects = suspects
    self.shares = shares.prefix(3).map { Running(event: $0.fact.event, elapsed: $0.time) }
    self.busyTime = busyTime
    running = scene.lead(cause, reason).map { Running(event: $0.event, elapsed: scene.elapsed($0)) }
    isHarmless = judgement.deathClass == .normal && suspects.isEmpty && !scene.hasOpenBusiness
    doubts = scene.doubt.map { [$0] } ?? []
    if moment.profile.debugger && !isStopOfDebugger {
      doubts.append(.notSaid("what the system would do without a debugger"))
    }
  }

  /// What to look for: where the log shows nothing of a hang, what shows it, where a background task passed its
  /// time, where it ends, and where the main thread was held as the process vanished, what held it.
  private static func advice(
    _ cause: EndCause, _ agreement: Agreement?, _ reason: ExitReason?, _ suspect: Suspect.Kind?,
    said words: String?
  ) -> String {
    if suspect == .mainThread, cause.manner == .silent { return DeathCauses.heldMainThread }
    guard reason == .appWatchdog else { return cause.row.advice }

    let isOfTask =
      suspect == .task || words?.contains("background task assertion") == true
      || words == nil && cause.isOfKeeper
    if isOfTask { return DeathCauses.taskInTime }
    if case .notShown = agreement { return DeathCauses.unseenHang }
    return cause.row.advice
  }
}

extension EndCause {
  /// How the process ended, in a sentence.
  fileprivate func sentence(_ end: Event, _ vocabulary: Vocabulary, isUnseen: Bool) -> String {
    switch manner {
    case .silent:
      return isUnseen
        ? "The next process started; the log does not show how this one ended."
        : "The process vanished; the log does not show how it ended."
    case .exit:
      guard let status else {
        return row.bearing == .innocent
          ? "The app exited." : "The process exited with an unknown status."
      }
      return status == 0 ? "The app exited." : "The app exited with status \(status)."
    case .crash:
      guard let exception else {
        return "The app crashed with \(name)\(isNamed ? ": \(row.meaning)" : "")."
      }
      let words = vocabulary.attributes(end.attributes)[.reason].map { ": \(JSONText.quoted($0))" }
      return
        "The app crashed with the uncaught exception \(InertText.word(exception))\(words ?? "")."
    case .kill:
      return killSentence
    }
  }

  private var killSentence: String {
    switch row.kind {
    case .manner: break
    case .signal:
      return row.bearing == .innocent
        ? "The app was asked to quit with \(row.word)."
        : "The app was killed with \(row.word): \(row.meaning)."
    case .code, .jetsam, .namespace, .word:
      let number = row.kind == .namespace ? code.map { " " + DeathCause.hex($0) } ?? "" : ""
      return (row.bearing == .innocent ? "The app ended" : "The system killed the app")
        + ": \(row.meaning) (\(row.word)\(number))."
    }

    if isUnlisted {
      return name == "kill"
        ? "The system killed the app for a reason that no documentation lists."
        : "The system killed the app for \(name); no documentation lists this reason."
    }
    if name == "kill" { return "The system killed the app; the reason is not known." }
    return name.hasPrefix("signal ")
      ? "The app was killed with \(name)." : "The system killed the app (\(name))."
  }
}

extension Moment {
  /// The first words of the system in some events that state one end.
  fileprivate func words(ofKills told: [(fact: OpenEvent, cause: EndCause)]) -> String? {
    told.lazy.filter { $0.cause.manner == .kill }.compactMap { attribute(.reason, $0.fact.event) }
      .first
  }
}
