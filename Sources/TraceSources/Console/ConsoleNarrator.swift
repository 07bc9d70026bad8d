import LifecycleModel

/// Tells the life of one app from the facts about it, which come in order.
///
/// It says only what was printed. What was printed before the first sign of the process's start, or
/// before it is clear that the start was missed, waits, because the profile must come first.
struct ConsoleNarrator {
  /// What is known of the process.
  enum Life {
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
  /// Holes that were told.
  var gapCount = 0
  /// Tasks that could not be told.
  var hiddenTaskCount = 0

  var life = Life.unseen
  var pid: Int32?
  var bundle: String?
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
  private var lastNotifications: [(name: Symbol, instant: Instant)] = []
  private var lastProfile: [Attribute] = []

  init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
  }

  /// Tells what one sighting says.
  mutating func tell(_ sighting: ConsoleSighting) {
    if isAfterDeath(sighting) { return }
    if let pid = sighting.appPID { notice(pid: pid, by: sighting) }
    switch sighting.fact {
    case .reason(let change): tell(change, sighting)
    case .ended(let termination): tell(termination, sighting)
    case .launchRequested, .processStarted, .resumed, .suspended: tellProcess(sighting)
    case .willBeginTask, .taskBegan, .hiddenTaskBegan, .taskEnded: tellTask(sighting)
    case .sceneSeen, .sceneInvalidated, .sceneActionSent, .sceneActionCompleted:
      tellScene(sighting)
    case .snapshotBegan: tell(.snapshotBegin, subject: .app, sighting)
    case .snapshotEnded: tell(.snapshotEnd, subject: .app, sighting)
    case .notification(let name, let hasObject):
      tellNotification(vocabulary.symbol(name), hasObject: hasObject, sighting)
    case .remark(let words):
      tell(.note, subject: .app, label: vocabulary.symbol(words), sighting)
    case .hole: tellGap(sighting, count: 1)
    }
    if waiting.count >= Self.maximumWaiting { stopWaiting() }
  }

  /// Lets what waits go out: nothing more will be known about it.
  mutating func stopWaiting() {
    guard let first = waiting.first else { return }
    open(at: first, isLate: true)
    events += waiting
    waiting = []
  }

  // MARK: Telling

  /// Tells an event with the line of its sighting and further attributes before it.
  mutating func tell(
    _ verb: Verb, name: Symbol = .none, subject: Subject = .none, label: Symbol = .none,
    value: Int64? = nil, attributes: [Attribute] = [], _ sighting: ConsoleSighting
  ) {
    let list = attributes + [Attribute(.line, String(sighting.line))]
    let event = Event(
      instant: sighting.instant, writer: .system, verb: verb, name: name, subject: subject,
      label: label, value: value, attributes: vocabulary.attributes(list))
    if case .running = life { events.append(event) } else { waiting.append(event) }
  }

  /// Tells that events are missing before a sighting; `count` is -1 when nobody knows how many.
  mutating func tellGap(_ sighting: ConsoleSighting, count: Int64 = -1) {
    gapCount += 1
    tell(.gap, name: GapCause.sourceHole.symbol, value: count, sighting)
  }

  /// Tells the profile, once; and a gap behind it when the start of the process was missed.
  mutating func open(at event: Event, isLate: Bool) {
    guard !isOpen else { return }
    isOpen = true
    tellProfile(at: min(event.instant, waiting.first?.instant ?? event.instant))
    guard isLate else { return }
    gapCount += 1
    events.append(
      Event(
        instant: events.last?.instant ?? event.instant, writer: .system, verb: .gap,
        name: GapCause.sourceHole.symbol, value: -1, attributes: event.attributes))
  }

  /// Tells the profile when it is new or says something else than the last one.
  ///
  /// Only what the system and UIKit always print is claimed. UIKit makes scene objects for apps
  /// without scenes too, so the mode stays unknown. A notification's name is printed by
  /// chance, so the hooks never include notifications: that one is absent must prove nothing. When
  /// the system hides background tasks, these are not claimed either.
  mutating func tellProfile(at instant: Instant) {
    let hooks: [Hook] = hiddenTaskCount == 0 ? [.tasks, .system] : [.system]
    var attributes: [Attribute] = []
    if let profileLaunch { attributes.append(Attribute(.launch, profileLaunch)) }
    attributes.append(Attribute(.hooks, hooks.map(\.rawValue).joined(separator: ",")))
    attributes.append(Attribute(.clock, Profile.Clock.wall.rawValue))
    guard attributes != lastProfile else { return }
    lastProfile = attributes
    events.append(
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
