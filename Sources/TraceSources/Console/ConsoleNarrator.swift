import LifecycleModel

/// Tells the life of one app from the facts about it, which come in order.
///
/// It says only what was printed. What was printed before the first sign of the process's start, or
/// before it is clear that the start was missed, waits, because the profile must come first.
struct ConsoleNarrator {
  /// What is known of the process.
  enum Life: Equatable {
    /// Nothing was seen of it so far.
    case unseen
    /// It runs.
    case running
    /// It has ended.
    case dead(pid: Int32?, at: Instant)
  }

  /// So many facts wait for a sign of the process's start.
  static let maximumWaiting = 200

  /// The words that the events refer to.
  let vocabulary: Vocabulary
  /// Events that are ready to go out.
  var events: [Event] = []
  /// Tasks that could not be told.
  var hiddenTaskCount = 0

  /// What was sighted in the second after the sighting that is told.
  var ahead: ArraySlice<ConsoleSighting> = []
  var life = Life.unseen
  var pid: Int32?
  var bundle: String?
  /// The name of the process; `nil` where the text says none.
  var process: String?
  var mask = DeactivationMask()
  var tasks = TaskNumbers()
  var scenes = SceneNumbers()
  var waiting: [Event] = []
  var isOpen = false
  var launch: String?
  var profileLaunch: String?
  var startsInBackground = false
  var isSuspended = false
  var hasResumed = false
  var isStartMissed = false
  /// Whether UIKit printed the launch of the process that runs.
  var isLaunchSeen = false
  /// When the process that runs began, as far as was told.
  var startInstant = Instant.distantPast
  /// The first line of a process that has not begun, as far as is known.
  var firstLine: ConsoleSighting?
  /// What asked for the launch of a process that has not begun.
  var request: ConsoleSighting?
  /// The number that the last `process.start` said.
  var toldPID: Int32?
  /// The numbers of earlier processes, and whether their end was told.
  var formerProcesses: [(pid: Int32, hasEnded: Bool)] = []
  /// An end that was announced and has not come.
  var foretold: (end: Termination, words: String, sighting: ConsoleSighting)?
  /// When a framework last caught an exception of the process.
  var caught: Instant?
  /// Whether the app printed something after it had said that it ends.
  var isForetoldFollowed = false
  /// The end that was told last.
  var lastEnd: Termination?
  /// Whether UIKit has printed in the app's own process: only then it would print tasks.
  var hasUIKitSpoken = false
  /// Whether the app is visible, in SpringBoard's words.
  var visibility: String?
  var isDebugged = false
  var isWithoutScenes = false
  /// The process whose state updates are followed, while runningboardd itself says nothing.
  var observer: String?
  var hasRunningBoardSpoken = false
  var helpersThatEnded: [Int32] = []
  /// The ends of tasks that were told last.
  var lastTaskEnds: [(id: UInt64, instant: Instant)] = []
  /// The instant of the last event that went out.
  var lastInstant = Instant.distantPast
  private var lastNotifications: [(name: Symbol, instant: Instant)] = []
  private var lastProfile: [Attribute] = []
  private var isNameTold = false
  /// Whether the profile names the bundle, as no start of a process does.
  private var namesBundle = false

  init(vocabulary: Vocabulary) { self.vocabulary = vocabulary }

  /// Adds the events of one sighting.
  mutating func tell(_ sighting: ConsoleSighting) {
    if sighting.isOfHelper(ofAppWith: bundle) { return tellHelper(sighting) }
    if isOfFormerProcess(sighting) { return tellFormerProcess(sighting) }
    if case .printed = sighting.fact { return notice(firstLine: sighting) }
    noticeLife(sighting)
    if case .wentOn = sighting.fact { return }
    if tellLateReport(sighting) { return }
    if isAfterDeath(sighting) { return }
    if let pid = sighting.appPID, !notice(pid: pid, by: sighting) { return }
    switch sighting.fact {
    case .reason(let change): tell(change, sighting)
    case .ended, .endForetold, .exceptionCaught, .endCarriedOut, .endedUnderDebugger:
      tellEnd(sighting)
    case .openRequested, .launchRequested, .launchFailed, .processStarted, .processState, .resumed,
      .suspended, .observed:
      tellProcess(sighting)
    case .willBeginTask, .taskBegan, .hiddenTaskBegan, .taskEnded, .taskEndDescribed,
      .taskEndRefused, .taskStillOpen:
      tellTask(sighting)
    case .sceneSeen(let identifier):
      // An app names scenes of others too, such as the keyboard's.
      if bundle.map(identifier.hasPrefix) ?? true { _ = scenes.subject(identifier) }
    case .sceneInvalidated(let identifier):
      let gone = Transition(.background, SceneActivation.unattached)
      tell(.state, name: gone.symbol, subject: scenes.subject(identifier), sighting)
      scenes.forget(identifier)
    case .sceneAction(let scene, let name, let id, let isDone, let allowance):
      tell(
        isDone ? .workEnd : .workBegin, name: WorkCategory.other.symbol,
        subject: scenes.subject(scene), label: vocabulary.symbol(name), value: id,
        attributes: allowance.map { [Attribute(.allowance, $0)] } ?? [], sighting)
    case .snapshotBegan: tell(.snapshotBegin, subject: .app, sighting)
    case .snapshotEnded: tell(.snapshotEnd, subject: .app, sighting)
    case .notification(let name, let hasObject):
      tellNotification(vocabulary.symbol(name), hasObject: hasObject, sighting)
    case .remark(let words): tellNote(words, sighting)
    case .warned(let warning, let words):
      if warning == .noScenes {
        isWithoutScenes = true
        if isOpen { tellProfile(at: sighting.instant) }
      }
      tellNote(words, warning: warning.rawValue, sighting)
    case .debugged(let words):
      isDebugged = true
      if isOpen { tellProfile(at: sighting.instant) }
      tellNote(words, sighting)
    case .hole(let count): tellGap(sighting, count: count)
    case .printed, .wentOn: break
    }

    if isOpen, sighting.fact.isOfUIKit { tellProfile(at: sighting.instant) }
    if waiting.count >= Self.maximumWaiting { stopWaiting() }
  }

  /// Tells what is left when the input has ended.
  mutating func finish() {
    tellForetoldEnd()
    if case .dead(let dead?, _) = life, let first = firstLine, let next = first.pid, next != dead {
      start(first, pid: next, isMissed: request == nil)
    }
    stopWaiting()
  }

  /// Lets what waits go out: nothing more will be known about it.
  mutating func stopWaiting() {
    guard let first = waiting.first else { return }
    open(at: first.instant, line: line(of: first), isLate: true)
    emitWaiting()
  }

  // MARK: Telling

  /// Tells an event with the line of its sighting and further attributes before it; it waits while no process runs,
  /// unless it is about one that has ended.
  mutating func tell(
    _ verb: Verb, name: Symbol = .none, subject: Subject = .none, label: Symbol = .none,
    value: Int64? = nil, attributes: [Attribute] = [], isOfEnded: Bool = false,
    _ sighting: ConsoleSighting
  ) {
    let list = attributes + [Attribute(.line, String(sighting.line))]
    let event = Event(
      instant: sighting.instant, writer: .system, verb: verb, name: name, subject: subject,
      label: label, value: value, attributes: vocabulary.attributes(list))
    if isRunning || isOfEnded { emit(event) } else { waiting.append(event) }
  }

  /// Lets an event go out, never before the last one.
  mutating func emit(_ event: Event) {
    var event = event
    event.instant = max(event.instant, lastInstant)
    lastInstant = event.instant
    events.append(event)
  }

  /// Lets what waits go out.
  mutating func emitWaiting() {
    for event in waiting { emit(event) }
    waiting = []
  }

  /// Records words worth keeping, and the kind of the warning that they are.
  mutating func tellNote(
    _ words: String, subject: Subject = .app, warning: String? = nil, _ sighting: ConsoleSighting
  ) {
    let attributes = warning.map { [Attribute(.warning, $0)] } ?? []
    tell(
      .note, subject: subject, label: vocabulary.symbol(words), attributes: attributes, sighting)
  }

  /// Tells that events are missing before a sighting; `count` is -1 when nobody knows how many.
  mutating func tellGap(_ sighting: ConsoleSighting, count: Int64 = -1) {
    tell(.gap, name: GapCause.sourceHole.symbol, value: count, sighting)
  }

  /// Tells the profile, once; and a gap behind it when the start of the process was missed.
  mutating func open(at instant: Instant, line: Int, isLate: Bool) {
    guard !isOpen else { return }
    (isOpen, namesBundle) = (true, isLate)
    let first = waiting.first
    tellProfile(at: min(instant, first?.instant ?? instant))
    guard isLate else { return }

    let line = first.map(self.line) ?? line
    emit(
      Event(
        instant: lastInstant, writer: .system, verb: .gap,
        name: GapCause.sourceHole.symbol, value: -1,
        attributes: vocabulary.attributes([Attribute(.line, String(line))])))
  }

  /// The line number that an event carries; 0 without one.
  func line(of event: Event) -> Int {
    vocabulary.attributes(event.attributes)[.line].flatMap { Int($0) } ?? 0
  }

  /// Tells the profile when it is new or says something else than the last one.
  ///
  /// Only what the system and UIKit always print is claimed, and tasks only where UIKit itself has
  /// printed: the system's lines alone show none. UIKit makes scene objects for apps
  /// without scenes too, so the mode stays unknown. A notification's name is printed by
  /// chance, so the hooks never include notifications: that one is absent must prove nothing. When
  /// the system hides background tasks, these are not claimed either.
  mutating func tellProfile(at instant: Instant) {
    let hooks: [Hook] = hasUIKitSpoken && hiddenTaskCount == 0 ? [.tasks, .system] : [.system]
    var attributes: [Attribute] = []
    if isWithoutScenes { attributes.append(Attribute(.mode, "app")) }
    if let profileLaunch { attributes.append(Attribute(.launch, profileLaunch)) }
    if isDebugged { attributes.append(Attribute(.debugger, "true")) }
    if isNameTold || bundle == nil, let process {
      isNameTold = true
      attributes.append(Attribute(.process, process))
    }
    if namesBundle, let bundle, bundle.contains(".") {
      attributes.append(Attribute(.bundle, bundle))
    }
    attributes.append(Attribute(.hooks, hooks.map(\.rawValue).joined(separator: ",")))
    attributes.append(Attribute(.clock, Profile.Clock.wall.rawValue))
    guard attributes != lastProfile else { return }

    lastProfile = attributes
    emit(
      Event(
        instant: instant, writer: .system, verb: .profile,
        attributes: vocabulary.attributes(attributes)))
  }

  /// Tells a notification once: each observer that logs prints it anew.
  private mutating func tellNotification(
    _ name: Symbol, hasObject: Bool, _ sighting: ConsoleSighting
  ) {
    lastNotifications.removeAll { sighting.instant.since($0.instant) > .milliseconds(50) }
    guard !lastNotifications.contains(where: { $0.name == name }) else { return }
    lastNotifications.append((name, sighting.instant))
    let isAppFamily = vocabulary.text(name).hasPrefix("UIApplication.")
    tell(.notify, name: name, subject: hasObject && isAppFamily ? .app : .none, sighting)
  }
}
