import LifecycleModel

/// How processes start and change their state.
extension ConsoleNarrator {
  /// How long a launch may take, by the system's watchdog: a line that is older and says no number
  /// may be another process's.
  private static let longestLaunch: Nanoseconds = .seconds(20)
  /// So many earlier processes are remembered.
  private static let maximumFormerProcesses = 16

  var isRunning: Bool { life == .running }

  // MARK: Whose line it is

  /// Whether a sighting is about an earlier process than the one that runs, or ran last.
  func isOfFormerProcess(_ sighting: ConsoleSighting) -> Bool {
    guard let pid = sighting.appPID else { return false }
    return formerProcesses.contains { $0.pid == pid }
  }

  /// Tells that an earlier process has ended, when that was not told in its place.
  mutating func tellFormerProcess(_ sighting: ConsoleSighting) {
    guard case .ended(let end) = sighting.fact, let pid = sighting.appPID,
      let index = formerProcesses.firstIndex(where: { $0.pid == pid }),
      !formerProcesses[index].hasEnded
    else { return }
    formerProcesses[index].hasEnded = true
    tellNote("the previous process \(pid) ended: \(end.summary)", sighting)
  }

  /// Whether a sighting is a last word about a process that has ended: it says nothing new.
  func isAfterDeath(_ sighting: ConsoleSighting) -> Bool {
    guard case .dead(let deadPID, let instant) = life else { return false }
    if let deadPID, let pid = sighting.appPID { return pid == deadPID }
    let isSoon = sighting.instant.since(instant) < AppIdentity.aftermath

    switch sighting.fact {
    case .ended, .endCarriedOut: return true
    case .endForetold: return isSoon || sighting.isSystem
    case .reason(let change): return isSoon && change.before != 0
    case .suspended, .observed, .processState, .taskEnded, .taskEndDescribed, .snapshotEnded,
      .sceneInvalidated, .endedUnderDebugger:
      return isSoon
    default: return false
    }
  }

  /// Remembers the first line of a process that has not begun, so that it begins no later.
  mutating func notice(firstLine next: ConsoleSighting) {
    switch life {
    case .running:
      guard let pid, let other = next.pid, other != pid else {
        pid = pid ?? next.pid
        return
      }
      return start(next, pid: other, isMissed: request == nil)
    case .dead(let dead, let instant):
      if let dead, let pid = next.pid {
        if pid == dead { return }
      } else if next.instant.since(instant) < AppIdentity.aftermath {
        return
      }
    case .unseen: break
    }

    guard let first = firstLine else {
      firstLine = next
      return
    }

    let isOther = first.pid != next.pid
    if isOther || first.pid == nil && next.instant.since(first.instant) > Self.longestLaunch {
      firstLine = next
    }
  }

  /// Takes the number of the app's process from whoever says it; another number is another process.
  ///
  /// False when the sighting is about a process that ended before the one that runs.
  mutating func notice(pid next: Int32, by sighting: ConsoleSighting) -> Bool {
    switch sighting.fact {
    case .processStarted, .openRequested, .launchRequested, .launchFailed, .sceneSeen, .hole:
      return true
    case .reason(let change) where change.before == 0 && change.reason == 10: return true
    default: break
    }

    let isRemark = if case .remark = sighting.fact { true } else { false }
    switch life {
    case .dead(let dead, _):
      guard dead != nil, dead != next, !isRemark || request != nil else { return true }
      start(sighting, pid: next, isMissed: request == nil)
    case .running:
      if pid == nil, !sighting.isSystem { pid = next }
      guard let pid, pid != next, !isRemark else { return true }
      if tellNamesake(sighting) { return false }
      if isOfUnseenProcess(sighting) {
        noteFormerProcess(next, hasEnded: false)
        tellFormerProcess(sighting)
        return false
      }
      start(sighting, pid: next, isMissed: request == nil)
    case .unseen: break
    }
    return true
  }

  /// Tells the end of another process, which the kernel or the crash reporter knows by a name only;
  /// whether it is one.
  private mutating func tellNamesake(_ sighting: ConsoleSighting) -> Bool {
    guard let mention = sighting.mention, mention.bundle == nil, let name = mention.process,
      let pid = mention.pid
    else { return false }
    let end: Termination
    switch sighting.fact {
    case .ended(let said), .endForetold(let said, _): end = said
    default: return false
    }
    tellNote("another process \(name) (\(pid)) ended: \(end.summary)", sighting)
    return true
  }

  /// Whether an end with another number is that of a process before the one that runs: nothing else
  /// was seen of it, and the one that runs has just begun or goes on.
  private func isOfUnseenProcess(_ sighting: ConsoleSighting) -> Bool {
    guard case .ended(let end) = sighting.fact else { return false }
    if end.kind == .gone { return true }
    if sighting.instant.since(startInstant) < AppIdentity.aftermath { return true }
    return ahead.contains { other in
      let isOfRunning = other.isSystem ? other.appPID == pid : other.pid != sighting.appPID
      return isOfRunning && !other.fact.isEnd && isSoon(other, after: sighting)
    }
  }

  /// Whether a sighting lies within the second in which lines may be out of order.
  func isSoon(_ other: ConsoleSighting, after sighting: ConsoleSighting) -> Bool {
    other.instant.since(sighting.instant) <= ReorderWindow.length
  }

  // MARK: What the system says

  /// Tells what the system says about the process.
  mutating func tellProcess(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .openRequested("debugserver"):
      // Xcode starts the app anew.
      isDebugged = true
      request = sighting
      if isOpen { tellProfile(at: sighting.instant) }
    case .openRequested("nsurlsessiond"): if !isRunning { launch = "bgtask" }
    case .launchRequested(let intent):
      if request == nil { request = sighting }
      if intent.isEmpty { return }
      // Only a person's launch comes to the foreground; why one stays behind is mostly not said.
      startsInBackground = intent == "background"
      launch = intent.hasPrefix("foreground") ? "user" : launch ?? "unknown"
    case .launchFailed:
      request = nil
      launch = nil
      tellNote("bootstrap failed", sighting)
    case .processStarted:
      if isRunning, mask.value == nil, pid == nil || pid == sighting.appPID {
        pid = pid ?? sighting.appPID
      } else if isRunning, pid != nil, pid == sighting.appPID {
        return
      } else {
        start(sighting, pid: sighting.appPID)
      }
    case .processState(let isInMemory, let visibility):
      self.visibility = visibility ?? self.visibility
      if isRunning {
        pid = pid ?? sighting.appPID
      } else if isInMemory, request != nil {
        start(sighting, pid: sighting.appPID)
      }
    case .resumed:
      hasRunningBoardSpoken = true
      // The first one sets a new process going, which is no wake.
      let isWake = isSuspended || hasResumed || mask.value != nil || life == .unseen
      hasResumed = true
      isSuspended = false
      if isWake { tell(.resume, subject: .app, sighting) }
    case .suspended:
      hasRunningBoardSpoken = true
      tellSuspension(sighting)
    case .observed(let isNowSuspended): tellObservation(isNowSuspended, sighting)
    default: break
    }
  }

  private mutating func tellSuspension(_ sighting: ConsoleSighting) {
    for step in mask.settleInBackground() {
      tell(.state, name: step.symbol, subject: .app, sighting)
    }
    isSuspended = true
    tell(.suspend, subject: .app, sighting)
  }

  /// Tells what an observer heard of the process, while runningboardd itself says nothing.
  ///
  /// Observers hear of it one after another, so only one of them is followed.
  private mutating func tellObservation(_ isNowSuspended: Bool, _ sighting: ConsoleSighting) {
    if hasRunningBoardSpoken { return }
    observer = observer ?? sighting.process
    guard observer == sighting.process, isNowSuspended != isSuspended else { return }
    if isNowSuspended { return tellSuspension(sighting) }
    isSuspended = false
    tell(.resume, subject: .app, sighting)
  }

  // MARK: What UIKit says

  /// Tells what a change of UIKit's mask means.
  mutating func tell(_ change: DeactivationChange, _ sighting: ConsoleSighting) {
    forgetForetoldEnd(before: sighting)
    let hadMask = mask.value != nil
    let meaning = mask.follow(change)
    if meaning.isLaunch { return tellLaunch(sighting, isFirstLine: !hadMask) }
    if isRunning {
      // A process whose start was seen should begin with the launch's own line.
      if meaning.isHole || meaning.isLate && !isStartMissed { tellGap(sighting) }
    } else {
      let followed = mask
      if isOpen {
        start(sighting, pid: sighting.pid, isMissed: true)
      } else {
        attachLate(sighting)
        pid = sighting.pid
      }
      mask = followed
      if meaning.isHole { tellGap(sighting) }
    }

    isStartMissed = false
    for step in meaning.transitions {
      tell(.state, name: step.symbol, subject: .app, sighting)
    }
  }

  /// Begins in the middle of a life: its start was not printed.
  mutating func attachLate(_ sighting: ConsoleSighting) {
    open(at: sighting.instant, line: sighting.line, isLate: true)
    emitWaiting()
    firstLine = nil
    life = .running
  }

  /// Tells the first line of a launch.
  private mutating func tellLaunch(_ sighting: ConsoleSighting, isFirstLine: Bool) {
    let launched = mask
    let isSameProcess = pid == nil || sighting.pid == nil || pid == sighting.pid
    if !isRunning || !isFirstLine || !isSameProcess {
      start(sighting, pid: sighting.pid)
    }

    mask = launched
    isStartMissed = false
    isLaunchSeen = true
    let state: AppState = startsInBackground ? .background : .inactive
    mask.state = state
    startsInBackground = false
    let step = Transition(.notRunning, state)
    tell(.state, name: step.symbol, subject: .app, sighting)
  }

  // MARK: The start

  /// Begins a process: profile, what was printed before its first sign, its start.
  ///
  /// When the true start was missed, a gap stands before it.
  mutating func start(_ sighting: ConsoleSighting, pid next: Int32?, isMissed: Bool = false) {
    if isRunning { endBeforeStart(sighting) }
    if case .dead(let dead?, _) = life { noteFormerProcess(dead, hasEnded: true) }
    let origin = origin(of: next, sighting)

    // Of the first process nothing is said when nothing is known, of a later one that it differs.
    profileLaunch = launch ?? (profileLaunch == nil ? nil : "unknown")
    open(at: origin.instant, line: origin.line, isLate: false)

    // What the process did before its first sign is told behind its start.
    let begun = waiting.filter { isOfNext($0, since: origin) }
    waiting = waiting.filter { !isOfNext($0, since: origin) }
    emitWaiting()
    life = .running
    if isMissed { tellGap(origin) }
    tellStart(origin, pid: next)
    isStartMissed = isMissed
    for event in begun { emit(event) }
  }

  /// Whether what waits belongs to the process that begins there: a gap in the lines before it does not.
  private func isOfNext(_ event: Event, since origin: ConsoleSighting) -> Bool {
    if event.verb != .gap || event.instant != origin.instant {
      return event.instant >= origin.instant
    }
    return line(of: event) >= origin.line
  }

  /// The line that a process begins with: the system's word of it, the request for it, or its own
  /// first line, and never later than a task that it began.
  private func origin(of next: Int32?, _ sighting: ConsoleSighting) -> ConsoleSighting {
    var origin = sighting
    if case .processStarted = sighting.fact {
    } else if let request, !isRunning, request.instant < origin.instant {
      (origin.instant, origin.line) = (request.instant, request.line)
    }

    if let first = firstLine, first.instant < origin.instant {
      let isSame =
        if let pid = first.pid, let next { pid == next } else {
          sighting.instant.since(first.instant) <= Self.longestLaunch
        }
      if isSame {
        (origin.instant, origin.line) = (first.instant, first.line)
      }
    }

    let task = waiting.first { $0.verb == .taskBegin && tasks.isOpen($0.subjectNumber) }
    if let task, task.instant < origin.instant {
      (origin.instant, origin.line) = (task.instant, line(of: task))
    }

    origin.instant = max(origin.instant, lastInstant)
    return origin
  }

  private mutating func tellStart(_ origin: ConsoleSighting, pid next: Int32?) {
    tellProfile(at: origin.instant)
    pid = next
    toldPID = next
    startInstant = origin.instant
    mask = DeactivationMask()
    hasResumed = false
    isSuspended = false

    var attributes: [Attribute] = []
    if let next { attributes.append(Attribute(.pid, String(next))) }
    attributes.append(Attribute(.launch, launch ?? "unknown"))
    if let bundle = bundle ?? origin.mention?.bundle {
      attributes.append(Attribute(.bundle, bundle))
    }

    if let visibility { attributes.append(Attribute("visibility", visibility)) }
    launch = nil
    request = nil
    firstLine = nil
    tell(.processStart, subject: .app, attributes: attributes, origin)
  }

  /// Ends what runs because another process begins: the end may be told just behind the start.
  private mutating func endBeforeStart(_ sighting: ConsoleSighting) {
    tellForetoldEnd()
    guard isRunning, let pid else { return forgetProcess(hasEnded: !isRunning) }

    let report = ahead.first { other in
      guard case .ended = other.fact, isSoon(other, after: sighting) else { return false }
      return other.mention?.isHelper != true && other.appPID == pid
    }

    if var report, case .ended(let end) = report.fact {
      report.instant = sighting.instant
      tell(end, report)
    } else {
      forgetProcess(hasEnded: false)
    }
  }

  /// Forgets what is known of the process that ran.
  mutating func forgetProcess(hasEnded: Bool) {
    if let pid, !formerProcesses.contains(where: { $0.pid == pid }), !hasEnded {
      noteFormerProcess(pid, hasEnded: false)
    }
    tasks.endProcess()
    scenes.endProcess()
    lastTaskEnds = []
    mask = DeactivationMask()
    pid = nil
    toldPID = nil
    isLaunchSeen = false
    visibility = nil
    foretold = nil
    caught = nil
    observer = nil
    isSuspended = false
    hasResumed = false
  }

  private mutating func noteFormerProcess(_ pid: Int32, hasEnded: Bool) {
    if formerProcesses.count == Self.maximumFormerProcesses { formerProcesses.removeFirst() }
    formerProcesses.append((pid, hasEnded))
  }
}
