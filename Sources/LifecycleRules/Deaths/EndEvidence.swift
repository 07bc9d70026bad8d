import LifecycleModel
import TraceAnalysis
import TraceText

/// What a trace shows at the end of a process.
struct EndEvidence {
  let moment: Moment
  /// When the process ended, or its last event came.
  let instant: Instant
  /// What the system states of the end.
  let stated: SystemWords
  /// The least time that the watchdog gives anything but a launch: `didEnterBackground`'s.
  private static let shortest = Allowances.didEnterBackground

  init(_ moment: Moment, at instant: Instant, _ stated: SystemWords = SystemWords()) {
    self.moment = moment
    self.stated = stated
    self.instant = max(instant, moment.state.instant)
  }

  private var state: LifecycleState { moment.state }

  /// Whether anybody was looking.
  ///
  /// An app that is called to the foreground is on its way there. Where the trace shows nothing, what the
  /// system states counts.
  var audience: DeathVerdict.Audience {
    if isReturning { return .visible }
    let shown = shownAudience
    if shown == .unknown { return stated.audience }
    // The system decides that an app comes to the screen before the app is told.
    return shown == .notVisible && stated.audience == .visible && state.suspension == nil
      ? .visible : shown
  }

  /// Whether a callback or a handler runs that brings the app to the foreground.
  private var isReturning: Bool {
    running.contains {
      Turner.turn($0.event.name)?.turn == .foreground && state.isCertain($0)
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
  var areStatesRecorded: Bool {
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

  /// What explains an end that has no code.
  func suspects(_ cause: EndCause) -> [DeathVerdict.Suspect] {
    let isOpen = cause.row.bearing == .audience && cause.row.kind != .jetsam
    guard isOpen && (cause.manner == .kill || cause.manner == .silent) else { return [] }
    let overdue = unansweredRequests + overruns + leakedTasks
    return overdue.isEmpty && cause.manner == .silent ? hang : overdue
  }

  /// What held the main thread as the process vanished, for as long as others take for a hang; or a turn of
  /// the run loop that was too long already, in an app on screen.
  ///
  /// An app that was warned of its memory, or under a debugger, may have ended for that.
  private var hang: [DeathVerdict.Suspect] {
    if moment.memory.warnings > 0 || moment.profile.debugger { return [] }
    let holder = running.first {
      $0.event.verb == .call
        ? elapsed($0) >= Allowances.sentryHang
        : $0.event.name == WorkCategory.mainBusy.symbol && audience == .visible
    }
    return holder.map { [suspect(.mainThread, $0)] } ?? []
  }

  /// What was running at the end: on the main thread, or else, of a crash and of too much computing, the
  /// work of the app that has been open longest on any thread.
  func lead(_ cause: EndCause, _ reason: ExitReason?) -> [OpenEvent] {
    let running = running
    guard running.isEmpty, cause.manner == .crash || reason == .cpuResourceLimit else {
      return running
    }
    let work = state.open.facts(.work).first {
      !mayHaveEnded($0) && !moment.isSystems($0.event)
    }
    return work.map { [$0] } ?? []
  }

  // MARK: What may explain the end

  /// What held the main thread, outermost first: callbacks, observers' handlers and busy turns of the run
  /// loop, and inside them the work that began on the thread last.
  var running: [OpenEvent] {
    let holders =
      (state.open.facts(.call) + state.open.facts(.observe)).filter { $0.event.writer == .main }
      + state.open.facts(.work).filter { MainThreadWindow.isHolder($0.event) }
    let first = holders.map(\.ordinal).min() ?? .max
    let work = state.open.facts(.work).filter {
      $0.event.writer == .main && !MainThreadWindow.isHolder($0.event) && $0.ordinal > first
        && $0.ordinal >= moment.lastOnMain.ordinal
    }
    return (holders + work).filter { !mayHaveEnded($0) }.ordered { $0.ordinal < $1.ordinal }
  }

  /// What took the time on the main thread, the largest share first.
  var shares: [MainThreadWindow.Share] {
    moment.mainThreadShares(at: state.awake(at: instant)).filter { !mayHaveEnded($0.fact) }
  }

  /// Whether the end of something on the main thread may be missing: events are, and the thread has begun
  /// something else since.
  private func mayHaveEnded(_ opener: OpenEvent) -> Bool {
    !state.isCertain(opener) && moment.mainThread.facts.contains(where: state.isCertain)
  }

  /// Whether the main thread was busy.
  var isMainBusy: Bool { !running.isEmpty }

  /// For how long the main thread wrote nothing before the end, in which the process was awake; `nil` when
  /// it never wrote anything, and where events may be missing.
  var silence: Nanoseconds? {
    let last = moment.lastOnMain
    guard last.ordinal > 0, state.suspension == nil,
      last.ordinal > state.lastGap?.ordinal ?? 0
    else { return nil }
    let resumed = moment.resumes.recent(at: instant).last?.event.instant
    return instant.since(max(last.instant, resumed ?? last.instant))
  }

  /// How long a thing on the main thread may take there and then: what the system states, unless the
  /// callback has a limit of its own.
  func allowance(_ event: Event) -> Nanoseconds {
    let limited: [Callback] = [
      .applicationDidEnterBackground, .sceneDidEnterBackground, .applicationWillTerminate,
    ]
    if limited.contains(where: { $0.symbol == event.name }) {
      return min(EndEvidence.shortest, stated.allowance ?? .max)
    }
    if let allowance = stated.allowance { return allowance }
    let isLaunch = state.processStart != nil && state.app == nil
    if isLaunch { return Allowances.launchToFirstFrame }
    return audience == .visible ? Allowances.sceneUpdate : EndEvidence.shortest
  }

  /// What took too long on the main thread: one thing, or several that shared a window in which it was
  /// busy up to the end; else the termination or the launch.
  var overruns: [DeathVerdict.Suspect] {
    if let outermost = running.first {
      // What the system states explains the kill, before a limit of the callback's own.
      for allowed in [stated.allowance, allowance(outermost.event)].compactMap(\.self) {
        let single = suspect(.mainThread, outermost, allowed: allowed)
        if single.isOverrun { return [single] }
        let shared = sharedOverrun(within: allowed)
        if !shared.isEmpty { return shared }
      }
    }

    if let end = moment.termination {
      let exit = suspect(
        .termination, end, allowed: stated.allowance ?? Allowances.processExit)
      if exit.isOverrun { return [exit] }
    }
    // That no state was seen shows a launch only where it would have been seen: the age of a process is
    // not the length of its launch.
    return state.app == nil && shownAudience == .visible ? lateLaunch : []
  }

  /// What shared the time up to the end, the largest part first, where all of it is too much.
  private func sharedOverrun(within allowed: Nanoseconds) -> [DeathVerdict.Suspect] {
    let shares = shares
    let total = shares.reduce(0) { $0 &+ $1.time }
    guard Allowances.isUsedUp(allowed, by: total) else { return [] }
    return shares.filter { $0.time >= total / 10 }.map {
      DeathVerdict.Suspect(
        kind: .mainThread, fact: $0.fact, elapsed: $0.time, allowed: allowed, isShared: true)
    }
  }

  /// The launch, when the process has had as much time as the watchdog gives one.
  ///
  /// An app that was active has launched.
  var lateLaunch: [DeathVerdict.Suspect] {
    guard !moment.wasActive, let start = state.processStart else { return [] }
    let launch = suspect(
      .launch, start, allowed: stated.allowance ?? Allowances.launchToFirstFrame)
    return launch.isOverrun ? [launch] : []
  }

  /// What the system asked the app for that was not answered in the system's own time.
  var unansweredRequests: [DeathVerdict.Suspect] {
    state.open.facts(.work).compactMap { opener in
      guard let text = moment.attribute(.allowance, opener.event),
        let allowed = InstantText.parse(ArraySlice(text.utf8))
      else { return nil }
      let request = suspect(.request, opener, allowed: allowed)
      return request.isOverrun ? request : nil
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
    return tasks.filter { $0.elapsed >= Allowances.earlyExpiry } + scheduledTasks
  }

  var scheduledTasks: [DeathVerdict.Suspect] {
    state.open.facts(.bgtask).map { suspect(.task, $0) }
  }

  /// The locks that were held.
  var locks: [DeathVerdict.Suspect] {
    state.open.facts(.resource, Resource.lock).map { suspect(.lock, $0) }
  }

  /// The connections that were held across a suspension: they may have been closed meanwhile.
  var heldSockets: [DeathVerdict.Suspect] {
    state.open.facts(.resource, Resource.socket).filter {
      moment.attribute(.kind, $0.event) != "listening"
        && state.suspended(at: instant) > $0.suspendedBefore
    }
    .map { suspect(.socket, $0) }
  }

  /// Whether anything is open that nobody leaves open at a reclaim: a callback or work on the main
  /// thread, a lock, a delivery, a save, data that are not saved.
  var hasOpenBusiness: Bool {
    isMainBusy || !locks.isEmpty || state.open.count(.delivery) > 0 || state.open.count(.task) > 0
      || !losses.isEmpty
  }

  /// What the end cut off or lost: saves that run, and data that are not saved.
  var losses: [OpenEvent] {
    let saves = state.open.facts(.work, WorkCategory.save)
    return (saves + state.open.facts(.data)).filter(state.isCertain)
  }

  /// What the log states of the memory that the process used, in a sentence; `nil` where the end is not for
  /// memory, or nothing is stated.
  func memory(_ cause: EndCause) -> String? {
    let ofMemory: [ExitReason] = [.memoryResourceLimit, .memoryPressure]
    guard cause.namespace == "JETSAM" || cause.reason.map(ofMemory.contains) ?? false
    else { return nil }

    let use = moment.memory
    var parts: [String] = []
    if let used = stated.memory.map({ InertText.line($0) }) {
      let limit = stated.memoryLimit.map { "; the limit was \(InertText.line($0))" } ?? ""
      parts.append("the process used \(used)\(limit)")
    } else if let limit = stated.memoryLimit.map({ InertText.line($0) }) {
      parts.append("the limit was \(limit)")
    }

    if let first = use.first?.event, let last = use.last?.event,
      let (from, to) = first.value.flatMap({ from in last.value.map { (from, $0) } })
    {
      parts.append(
        first == last
          ? "the last sample was \(EndEvidence.size(to))"
          : "it went from \(EndEvidence.size(from)) to \(EndEvidence.size(to)) in "
            + TimeText.span(last.instant.since(first.instant)))
    }
    if use.warnings > 0 {
      parts.append("\(use.warnings) memory \(use.warnings == 1 ? "warning" : "warnings") came")
    }
    return parts.isEmpty ? nil : "Memory: \(parts.joined(separator: "; "))."
  }

  /// Bytes as people read them: `412 MB`, `1.8 GB`.
  private static func size(_ bytes: Int64) -> String {
    let megabytes = (max(0, bytes) + 500_000) / 1_000_000
    if megabytes < 1000 { return "\(megabytes) MB" }
    let tenths = (megabytes + 50) / 100
    return "\(tenths / 10).\(tenths % 10) GB"
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
