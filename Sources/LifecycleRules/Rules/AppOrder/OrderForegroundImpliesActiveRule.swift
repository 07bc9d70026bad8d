import LifecycleModel
import TraceAnalysis

/// Who enters the foreground becomes active.
struct OrderForegroundImpliesActiveRule: Rule {
  static let description: RuleDescription = .init(
    id: "order-foreground-implies-active",
    number: 16,
    topic: .appOrder,
    summary: "didBecomeActive follows willEnterForeground before the next background",
    severity: .info,
    sources: [
      .willEnterForeground, .sceneWillEnterForeground, .sceneOrderThread, .foregroundNeverActive,
      .activationNotPosted,
    ],
    why: """
      According to the documentation, the one invariably follows the other. Otherwise work that \
      begins in the first and finishes in the second stays half done.
      """,
    remedy: """
      In {background}, finish or undo what {foreground} began, whether or not {activate} was \
      called.
      """,
    limits: """
      This does happen on devices: a scene object that appears while the user closes the app in \
      the switcher comes to the foreground for a moment, and a scene on an external display never \
      becomes active. Scenes that are not windows are not checked, and scenes of unknown role only \
      after they were active once. The log must record the delegate's activation call, because its \
      notification is sometimes missing. If the log ends first, the rule cannot tell.
      """,
    contradiction: """
      The documentation says that the activation invariably follows the foreground; device logs \
      show scenes that return to the background without it.
      """,
    needs: RuleNeeds(hooks: [.delegates]),
    order: [
      .every(
        Turner.app.calls(.foreground), then: Turner.app.events(.activate),
        before: Turner.app.calls(.background), per: .app, says: ""),
      .every(
        Turner.scene.calls(.foreground),
        then: Turner.scene.calls(.activate, .disconnect) | Turner.scene.posts(.activate),
        before: Turner.scene.calls(.background), per: .scene, says: ""),
    ],
    given: "0s - profile hooks=app-delegate",
    examples: """
      clean: foreground, active
      1s main call applicationWillEnterForeground app
      1.1s main call applicationDidBecomeActive app
      4s main call applicationDidEnterBackground app

      clean: a scene on an external display
      0s - profile mode=scene hooks=scene-delegate
      0.5s main call sceneWillConnect scene:1 role=window
      0.6s main call sceneWillEnterForeground scene:1
      0.7s main call sceneDidBecomeActive scene:1
      1s main call sceneWillConnect scene:2 role=external
      1.1s main call sceneWillEnterForeground scene:2
      4s main call sceneDidEnterBackground scene:2

      cannot tell: a scene of unknown role
      0s - profile mode=scene hooks=scene-delegate
      0.7s main call sceneDidBecomeActive scene:1
      1s main call sceneWillConnect scene:2
      1.1s main call sceneWillEnterForeground scene:2
      4s main call sceneDidEnterBackground scene:2

      cannot tell: the activation of a delegate that was never seen to get it
      0s - profile mode=scene hooks=scene-delegate,scene-notifications
      1.1s main call sceneWillEnterForeground scene:1
      4s main call sceneDidEnterBackground scene:1

      cannot tell: a second scene object while the app is closed in the switcher
      0s - profile mode=scene hooks=scene-delegate
      0.7s main call sceneDidBecomeActive scene:1
      1s main call sceneWillResignActive scene:1
      1.1s main call sceneDidDisconnect scene:1
      1.4s main call sceneWillEnterForeground scene:2
      1.5s main call sceneDidEnterBackground scene:2

      cannot tell: the trace ends
      1s main call applicationWillEnterForeground app

      cannot tell: events are missing where the activation would be
      0.5s main call applicationDidBecomeActive app
      1s main call applicationWillEnterForeground app
      1.1s - gap ring-full 3
      4s main call applicationDidEnterBackground app

      violating: from the foreground back to the background
      0.5s main call applicationDidBecomeActive app
      0.9s main call applicationDidEnterBackground app
      1s main call applicationWillEnterForeground app ◀
      4s main call applicationDidEnterBackground app

      violating: a scene
      0s - profile mode=scene hooks=scene-delegate
      0.4s main call sceneWillConnect scene:1 role=window
      0.5s main call sceneDidBecomeActive scene:1
      0.9s main call sceneDidEnterBackground scene:1
      1s main call sceneWillEnterForeground scene:1 ◀
      4s main call sceneDidEnterBackground scene:1
      """
  )

  static let interests: [EventPattern] = [
    Turn.calls(.foreground, .background, .disconnect), Turn.events(.activate),
    .call(.sceneWillConnect),
  ]

  /// How long after another scene's disconnect a scene may appear while the app is being closed.
  private static let closing: Nanoseconds = .seconds(1)

  private var pending = KeyedTable<OpenEvent>()
  /// The scenes that need not become active.
  private var exempt: Set<UInt32> = []
  /// The scenes that are known to be windows.
  private var windows: Set<UInt32> = []
  private var sawCall = Bits<Subject.Kind>()
  private var lastDisconnect: Instant?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let subject = event.turner else { return }
    let key = subject.key
    switch Turner.turn(event.name)?.turn {
    case nil:
      let role = moment.attribute(.role, event)
      if role == "window" {
        windows.insert(event.subjectNumber)
      } else if role != nil {
        exempt.insert(event.subjectNumber)
      }
    case .disconnect:
      lastDisconnect = event.instant
      exempt.remove(event.subjectNumber)
      windows.remove(event.subjectNumber)
      if pending.remove(key) { findings.cannotTell(.stateNotKnown) }
    case .foreground:
      let isExempt = event.subjectKind == .scene && exempt.contains(event.subjectNumber)
      if !isExempt { pending.update(key, moment.fact(event)) }
    case .background:
      if let trigger = pending.take(key) { judge(trigger, event, moment, &findings) }
    case .activate, .resign:
      if subject.kind == .scene { windows.insert(subject.number) }
      if event.verb == .call { sawCall.insert(subject.kind) }
      if pending.remove(key) { findings.foundClean() }
    }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for _ in pending.entries { findings.cannotTell(reason) }
  }

  private func judge(
    _ trigger: OpenEvent, _ background: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let kinds = Turn.events(.activate)
      .kinds(like: trigger.event, .subject, moment.vocabulary, hooks: moment.profile.hooks)
      .filter { $0.subject == trigger.event.subject }
    findings.report(
      trigger, missing: [MissingEvent(kinds, after: trigger.event, before: background)],
      unless: doubt(of: trigger.event, moment.profile),
      says: "{subject} entered the foreground and then the background without becoming active")
  }

  /// Why the activation may have come unseen, or need not have come.
  private func doubt(of trigger: Event, _ profile: Profile) -> Doubt? {
    let isScene = trigger.subjectKind == .scene
    let callback = Turner(trigger.subjectKind).callback(.activate)
    let isImplemented = callback.map(profile.implements) ?? false
    if !isImplemented && !sawCall.contains(trigger.subjectKind) { return .callbackNeverSeen }
    if isScene && !windows.contains(trigger.subjectNumber) { return .attributeMissing(.role) }
    let isClosing = lastDisconnect.map { trigger.instant.since($0) <= Self.closing } ?? false
    return isClosing ? .stateNotKnown : nil
  }
}
