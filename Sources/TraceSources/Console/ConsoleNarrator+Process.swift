import LifecycleModel

/// How processes start, change their state and end.
extension ConsoleNarrator {
  /// How long after a process's end its last lines can still come.
  private static let aftermath: Nanoseconds = .seconds(1)

  /// Whether a sighting is a last word about a process that has ended: it says nothing new.
  func isAfterDeath(_ sighting: ConsoleSighting) -> Bool {
    guard case .dead(let deadPID, let instant) = life else { return false }
    if let deadPID, let pid = sighting.appPID { return pid == deadPID }
    let isSoon = sighting.instant.since(instant) < Self.aftermath
    switch sighting.fact {
    case .ended: return true
    case .reason(let change): return isSoon && change.before != 0
    case .suspended, .taskEnded, .snapshotEnded, .sceneInvalidated: return isSoon
    default: return false
    }
  }

  /// Takes the number of the app's process from whoever says it; another number is another process.
  mutating func notice(pid next: Int32, by sighting: ConsoleSighting) {
    if isFirstWordOfNextProcess(sighting, next) {
      return start(sighting, pid: next, isMissed: true)
    }
    guard isRunning, pid != next else { return }
    if pid == nil, !sighting.isSystem { pid = next }
    guard pid != nil, pid != next else { return }
    switch sighting.fact {
    case .processStarted, .ended, .launchRequested, .sceneSeen, .remark, .hole:
      return
    case .reason(let change) where change.before == 0 && change.reason == 10: return
    default: break
    }
    start(sighting, pid: next, isMissed: true)
  }

  /// Whether the system speaks of a process that it was asked to launch after the last one ended,
  /// and whose start it did not print.
  private func isFirstWordOfNextProcess(_ sighting: ConsoleSighting, _ next: Int32) -> Bool {
    guard launch != nil, case .dead(let dead?, _) = life, dead != next else { return false }
    switch sighting.fact {
    case .remark, .ended: return true
    default: return false
    }
  }

  /// Tells what the system says about the process.
  mutating func tellProcess(_ sighting: ConsoleSighting) {
    switch sighting.fact {
    case .launchRequested(let intent):
      // Only a person's launch comes to the foreground; why one stays behind is not said.
      startsInBackground = intent == "background"
      launch = intent.hasPrefix("foreground") ? "user" : "unknown"
    case .processStarted:
      if isRunning, mask.value == nil, pid == nil || pid == sighting.appPID {
        pid = pid ?? sighting.appPID
      } else if isRunning, pid != nil, pid == sighting.appPID {
        return
      } else {
        start(sighting, pid: sighting.appPID)
      }
    case .resumed:
      // The first one sets a new process going, which is no wake.
      let isWake = isSuspended || hasResumed || mask.value != nil || isUnseen
      hasResumed = true
      isSuspended = false
      if isWake { tell(.resume, subject: .app, sighting) }
    case .suspended:
      for step in mask.settleInBackground() {
        tell(.state, name: step.symbol, subject: .app, sighting)
      }
      isSuspended = true
      tell(.suspend, subject: .app, sighting)
    default: break
    }
  }

  private var isRunning: Bool {
    if case .running = life { return true }
    return false
  }

  private var isUnseen: Bool {
    if case .unseen = life { return true }
    return false
  }

  /// Tells what a change of UIKit's mask means.
  mutating func tell(_ change: DeactivationChange, _ sighting: ConsoleSighting) {
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
  private mutating func attachLate(_ sighting: ConsoleSighting) {
    open(at: placeholder(sighting), isLate: true)
    events += waiting
    waiting = []
    life = .running
  }

  /// Tells the first line of a launch.
  private mutating func tellLaunch(_ sighting: ConsoleSighting, isFirstLine: Bool) {
    let launched = mask
    let isSameProcess = pid == nil || sighting.pid == nil || pid == sighting.pid
    if !isRunning || !isFirstLine || !isSameProcess { start(sighting, pid: sighting.pid) }
    mask = launched
    let state: AppState = startsInBackground ? .background : .inactive
    mask.launch(into: state)
    startsInBackground = false
    let step = Transition(.notRunning, state)
    tell(.state, name: step.symbol, subject: .app, sighting)
  }

  /// Begins a process: profile, what was printed before its first sign, its start.
  ///
  /// When the true start was missed, a gap stands before it.
  mutating func start(_ sighting: ConsoleSighting, pid next: Int32?, isMissed: Bool = false) {
    if isRunning { forgetProcess() }
    // Of the first process nothing is said when nothing is known, of a later one that it differs.
    profileLaunch = launch ?? (profileLaunch == nil ? nil : "unknown")
    open(at: placeholder(sighting), isLate: false)
    // A task that UIKit began before the first sign belongs to the new process, and the start of a
    // process ends what came before it: so it is told behind the start, at its instant.
    var begun: [Event] = []
    for event in waiting {
      if event.verb == .taskBegin, tasks.isOpen(event.subjectNumber) {
        begun.append(event)
      } else {
        events.append(event)
      }
    }
    waiting = []
    life = .running
    if isMissed { tellGap(sighting) }
    tellStart(sighting, pid: next)
    isStartMissed = isMissed
    for var event in begun {
      event.instant = sighting.instant
      events.append(event)
    }
  }

  private mutating func tellStart(_ sighting: ConsoleSighting, pid next: Int32?) {
    tellProfile(at: sighting.instant)
    pid = next
    mask = DeactivationMask()
    hasResumed = false
    isSuspended = false
    var attributes: [Attribute] = []
    if let next { attributes.append(Attribute(.pid, String(next))) }
    attributes.append(Attribute(.launch, launch ?? "unknown"))
    if let bundle = bundle ?? sighting.mention?.bundle {
      attributes.append(Attribute(.bundle, bundle))
    }
    launch = nil
    tell(.processStart, subject: .app, attributes: attributes, sighting)
  }

  /// Tells the end of the process, once.
  mutating func tell(_ termination: Termination, _ sighting: ConsoleSighting) {
    if isRunning, let pid, let dead = sighting.appPID, dead != pid { return }
    if !isRunning { attachLate(sighting) }
    var attributes: [Attribute] = []
    switch termination.kind {
    case .exited(let status):
      if let status { attributes.append(Attribute(.status, String(status))) }
      tell(.exit, subject: .app, attributes: attributes, sighting)
    case .killed(let namespace, let code):
      if let code { attributes.append(Attribute(.code, "0x" + String(code, radix: 16))) }
      if let namespace { attributes.append(Attribute(.namespace, namespace)) }
      if let reason = termination.reason { attributes.append(Attribute(.reason, reason)) }
      tell(.kill, subject: .app, attributes: attributes, sighting)
    }
    life = .dead(pid: sighting.appPID ?? pid, at: sighting.instant)
    forgetProcess()
  }

  private mutating func forgetProcess() {
    tasks.endProcess()
    scenes.endProcess()
    mask = DeactivationMask()
    pid = nil
    isSuspended = false
    hasResumed = false
  }

  /// An event with the place of a sighting, to open with.
  private func placeholder(_ sighting: ConsoleSighting) -> Event {
    Event(
      instant: sighting.instant, writer: .system, verb: .note,
      attributes: vocabulary.attributes([Attribute(.line, String(sighting.line))]))
  }
}
