import LifecycleModel
import TraceAnalysis

/// What a trace shows at the end of a process.
struct EndEvidence {
  let moment: Moment
  /// When the process ended, or its last event came.
  let instant: Instant
  /// Whether the app was visible, in the words of the end: `foreground` or `background`.
  private let visibility: String?
  /// The least time that the watchdog gives anything but a launch: `didEnterBackground`'s.
  private static let shortest = Allowances.didEnterBackground

  /// `visibility` is what those say who tell of the end.
  init(_ moment: Moment, at instant: Instant, visibility: String? = nil) {
    self.moment = moment
    self.visibility = visibility
    self.instant = max(instant, moment.state.instant)
  }

  private var state: LifecycleState { moment.state }

  /// Whether anybody was looking.
  ///
  /// Where the trace does not show it, who tells of the end may say it.
  var audience: DeathVerdict.Audience {
    let shown = shownAudience
    if shown != .unknown { return shown }
    switch visibility {
    case "foreground": return .visible
    case "background": return .notVisible
    default: return .unknown
    }
  }

  /// Whether the trace shows that anybody was looking.
  ///
  /// A launch and the way to the foreground are seen too, a prewarmed process is not. What was last
  /// seen before a gap may have changed in it.
  private var shownAudience: DeathVerdict.Audience {
    if let suspension = state.suspension, state.isCertain(suspension) { return .notVisible }
    if let app = state.app {
      if !state.isCertain(app.since) { return .unknown }
      return app.state.isForeground ? .visible : .notVisible
    }

    if let gap = state.lastGap, gap.ordinal > state.processStart?.ordinal ?? 0 { return .unknown }
    if !areStatesRecorded { return .unknown }
    switch moment.launch {
    case .user, .url: return .visible
    case .push, .location, .bgtask, .prewarm: return .notVisible
    case nil: return .unknown
    }
  }

  /// Whether the log would show that the app came into a state.
  private var areStatesRecorded: Bool {
    let ofApp: Set<Hook> = [.appDelegate, .appNotifications, .system]
    let ofScenes: Set<Hook> = [.sceneDelegate, .sceneNotifications, .appNotifications, .system]
    let recorded = moment.profile.hooks ?? []
    switch moment.profile.mode {
    case .app: return !recorded.isDisjoint(with: ofApp)
    case .scene: return !recorded.isDisjoint(with: ofScenes)
    case nil: return !recorded.isDisjoint(with: ofApp.union(ofScenes))
    }
  }

  /// Whether the log shows the whole life of the process.
  var doubt: Doubt? {
    guard let start = state.processStart else { return .startNotSeen }
    return state.isCertain(start) ? nil : .gap
  }

  func elapsed(_ opener: OpenEvent) -> Nanoseconds { state.awake(since: opener, at: instant) }

  // MARK: What may explain the end

  /// What ran on the main thread, outermost first.
  var running: [OpenEvent] {
    (state.open.facts(.call) + state.open.facts(.observe) + state.open.facts(.work))
      .filter {
        $0.event.writer == .main || $0.event.name == WorkCategory.mainBusy.symbol
      }
      .filter { !mayHaveEnded($0) }
      .sorted { $0.ordinal < $1.ordinal }
  }

  /// What took the time on the main thread, the largest share first.
  var shares: [MainThreadWindow.Share] {
    moment.mainThread.shares(at: state.awake(at: instant)).filter { !mayHaveEnded($0.fact) }
  }

  /// Whether the end of something on the main thread may be missing: events are, and the thread has begun
  /// something else since.
  private func mayHaveEnded(_ opener: OpenEvent) -> Bool {
    !state.isCertain(opener) && moment.mainThread.facts.contains(where: state.isCertain)
  }

  /// Whether the main thread was busy.
  var isMainBusy: Bool { !running.isEmpty }

  /// How long a thing on the main thread may take there and then.
  func allowance(_ event: Event) -> Nanoseconds {
    let limited: [Callback] = [
      .applicationDidEnterBackground, .sceneDidEnterBackground, .applicationWillTerminate,
    ]
    if limited.contains(where: { $0.symbol == event.name }) { return EndEvidence.shortest }
    let isLaunch = state.processStart != nil && state.app == nil
    if isLaunch { return Allowances.launchToFirstFrame }
    return audience == .visible ? Allowances.time(.sceneUpdate) : EndEvidence.shortest
  }

  /// What took too long on the main thread: one thing, or all of a window in which it was busy.
  var overruns: [DeathVerdict.Suspect] {
    let overruns = running.map { suspect(.mainThread, $0, allowed: allowance($0.event)) }
      .filter { $0.elapsed >= $0.allowed ?? .max }
    if !overruns.isEmpty { return [overruns[0]] }
    let shares = shares
    let total = shares.reduce(0) { $0 &+ $1.time }

    if let running = running.first, let largest = shares.first, total >= allowance(running.event) {
      return [
        DeathVerdict.Suspect(
          kind: .mainThread, fact: largest.fact, elapsed: largest.time, allowed: nil)
      ]
    }

    if let end = moment.termination, elapsed(end) >= Allowances.time(.processExit) {
      return [suspect(.termination, end, allowed: Allowances.time(.processExit))]
    }
    // That no state was seen shows a launch only where it would have been seen: the age of a process is
    // not the length of its launch.
    return state.app == nil && shownAudience == .visible ? lateLaunch : []
  }

  /// The launch, when the process has had more time than the watchdog gives one.
  ///
  /// An app that was active has launched.
  var lateLaunch: [DeathVerdict.Suspect] {
    guard !moment.wasActive, let start = state.processStart,
      elapsed(start) >= Allowances.launchToFirstFrame
    else { return [] }
    return [suspect(.launch, start, allowed: Allowances.launchToFirstFrame)]
  }

  /// What the system asked the app for that was not answered in the system's own time.
  var unansweredRequests: [DeathVerdict.Suspect] {
    state.open.facts(.work).compactMap { opener in
      guard let text = moment.attribute(.allowance, opener.event),
        let allowed = InstantText.parse(ArraySlice(text.utf8)), elapsed(opener) >= allowed
      else { return nil }
      return suspect(.request, opener, allowed: allowed)
    }
  }

  /// The tasks that were open, oldest first, with the time that the app was in the background.
  var tasks: [DeathVerdict.Suspect] {
    // Where the return to the foreground may be missing, nobody knows how long it was in the background.
    let age = moment.backgroundSince.map { state.isCertain($0) ? elapsed($0) : 0 } ?? 0
    let allowed = moment.profile.osMajor == nil ? nil : Allowances.backgroundTasks(moment.profile)
    return state.open.facts(.task).map {
      DeathVerdict.Suspect(kind: .task, fact: $0, elapsed: age, allowed: allowed)
    }
  }

  /// The tasks that the app leaves open in the background while its main thread has nothing to do.
  var leakedTasks: [DeathVerdict.Suspect] {
    if isMainBusy { return [] }
    return tasks.filter { $0.elapsed >= Allowances.time(.earlyExpiry) } + scheduledTasks
  }

  var scheduledTasks: [DeathVerdict.Suspect] {
    state.open.facts(.bgtask).map { suspect(.task, $0) }
  }

  /// The locks that were held.
  var locks: [DeathVerdict.Suspect] {
    state.open.facts(.resource).filter { $0.event.name == Resource.lock.symbol }
      .map { suspect(.lock, $0) }
  }

  /// The connections that were held across a suspension: they may have been closed meanwhile.
  var heldSockets: [DeathVerdict.Suspect] {
    state.open.facts(.resource).filter {
      $0.event.name == Resource.socket.symbol
        && moment.attribute(.kind, $0.event) != "listening"
        && state.suspended(at: instant) > $0.suspendedBefore
    }
    .map { suspect(.socket, $0) }
  }

  /// Whether anything is open that nobody leaves open at a reclaim: a callback or work on the main
  /// thread, a lock, a delivery.
  var hasOpenBusiness: Bool {
    isMainBusy || !locks.isEmpty || state.open.count(.delivery) > 0 || state.open.count(.task) > 0
  }

  /// What was delivered and not completed.
  func deliveries(_ kinds: Delivery...) -> [DeathVerdict.Suspect] {
    state.open.facts(.delivery)
      .filter { opener in kinds.contains { $0.symbol == opener.event.name } }
      .map { suspect(.delivery, $0) }
  }

  /// The resumes of the last minute.
  var resumes: [DeathVerdict.Suspect] {
    moment.resumes.recent(at: instant).map { opener in
      var resume = suspect(.resume, opener)
      resume.rule = PMResumeLoopRule.description.id
      return resume
    }
  }

  private func suspect(
    _ kind: DeathVerdict.Suspect.Kind, _ opener: OpenEvent, allowed: Nanoseconds? = nil
  ) -> DeathVerdict.Suspect {
    DeathVerdict.Suspect(kind: kind, fact: opener, elapsed: elapsed(opener), allowed: allowed)
  }
}
