import LifecycleModel
import TraceAnalysis

/// UIApplication's notifications are posted with scenes as well.
struct ExclAppNotificationsAlwaysRule: Rule {
  static let description = RuleDescription(
    id: "excl-app-notifications-always",
    number: 37,
    topic: .exclusivity,
    summary: "UIKit posts UIApplication notifications in an app with scenes too",
    severity: .warning,
    sources: [.s0, .didEnterBackground],
    why: """
      UIKit posts them with and without scenes, and libraries depend on them. Without them \
      libraries do not flush, pause or lock.
      """,
    remedy: """
      Check the UIKit port that made the log, and code that removes observers. If the recorder is \
      at fault, remove app-notifications from its hooks.
      """,
    limits: """
      Reported once per process, after four transitions of the whole app without any of the four \
      notifications. If the log does not show the start of the process, unknown scenes may exist, \
      and the rule cannot tell.
      """,
    needs: RuleNeeds(
      hooks: [[.appNotifications], [.sceneDelegate, .sceneNotifications]],
      profile: [.mode(.scene)]),
    examples: [
      .clean(
        "both families",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        1.1s main notify UIApplication.didBecomeActiveNotification app
        2s main call sceneDidEnterBackground scene:1
        2.1s main notify UIApplication.didEnterBackgroundNotification app
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1
        5s main call sceneDidBecomeActive scene:1
        """),
      .clean(
        "a short trace proves nothing",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        """),
      .clean(
        "one scene comes and goes beside another: the app as a whole stays where it is",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidBecomeActive scene:2
        3s main call sceneDidEnterBackground scene:2
        4s main call sceneDidBecomeActive scene:2
        5s main call sceneDidEnterBackground scene:2
        """),
      .cannotTell(
        "the start of the process was not seen",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1
        """),
      .cannotTell(
        "the notifications are not recorded",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1
        """),
      .cannotTell(
        "they may be in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.1s - gap ring-full 5
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1
        """),
      .violating(
        "four transitions and no notification",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1 ◀
        5s main call sceneDidBecomeActive scene:1
        """),
      .violating(
        "another scene is on screen, and never active",
        """
        0s - profile mode=scene hooks=scene-delegate,app-notifications,system
        0s - process.start app
        1s main return sceneWillEnterForeground scene:1
        1.1s main return sceneWillEnterForeground scene:2
        1.2s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.1s main call sceneDidEnterBackground scene:2
        3s main call sceneDidBecomeActive scene:1
        4s main call sceneDidEnterBackground scene:1 ◀
        """),
      .violating(
        "the same with resigns, and with both the call and the notification of each step",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        1.1s main notify UIScene.didActivateNotification scene:1
        2s main return sceneWillResignActive scene:1
        2.1s main call sceneDidEnterBackground scene:1
        2.2s main notify UIScene.didEnterBackgroundNotification scene:1
        3s main call sceneDidBecomeActive scene:1
        3.1s main notify UIScene.didActivateNotification scene:1
        4s main return sceneWillResignActive scene:1
        4.1s main call sceneDidEnterBackground scene:1 ◀
        4.2s main notify UIScene.didEnterBackgroundNotification scene:1
        """),
    ]
  )

  private static let notifications = EventPattern.notify(
    .applicationDidBecomeActive, .applicationWillResignActive, .applicationDidEnterBackground,
    .applicationWillEnterForeground)

  static let interests: [EventPattern] = [
    .call(.sceneDidBecomeActive, .sceneDidEnterBackground)
      | .notify(.sceneDidActivate, .sceneDidEnterBackground),
    notifications,
  ]

  /// A log with so many transitions is long enough.
  private static let transitions = 4

  private var first: OpenEvent?
  private var count = 0
  /// Whether the last transition was an activation.
  private var isActive = false
  private var isSettled = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if isSettled { return }
    if event.verb == .notify && !event.isSceneNotification {
      isSettled = true
      return findings.foundClean()
    }

    guard event.subjectKind == .scene else { return }
    // The app is active when one of its scenes is, and leaves when none is in the foreground.
    let number = event.subjectNumber
    let others =
      event.isActivation
      ? moment.state.sceneCount(of: .foregroundActive, besides: number)
      : moment.state.sceneCount(of: .foregroundActive, .foregroundInactive, besides: number)

    // The call and the notification of one transition count once.
    if others > 0 || isActive == event.isActivation { return }
    isActive = event.isActivation
    let first = self.first ?? moment.fact(event)
    self.first = first
    count += 1
    guard count >= Self.transitions else { return }

    isSettled = true
    if moment.beginning == nil { return findings.cannotTell(.startNotSeen) }
    findings.report(
      event, since: first, missing: [missing(first.event)],
      says: "UIApplication has posted no notification since {since}, although scenes came and went")
  }

  /// The notification of the app for the first transition; one for a later one would have done, too.
  private func missing(_ event: Event) -> MissingEvent {
    let notification: LifecycleNotification =
      event.isActivation ? .applicationDidBecomeActive : .applicationDidEnterBackground
    return MissingEvent(
      [MissingEvent.Kind(.notify, name: notification.rawValue, about: .app)])
  }
}

extension Event {
  fileprivate var isSceneNotification: Bool {
    name == LifecycleNotification.sceneDidActivate.symbol
      || name == LifecycleNotification.sceneDidEnterBackground.symbol
  }

  fileprivate var isActivation: Bool {
    name == Callback.sceneDidBecomeActive.symbol
      || name == LifecycleNotification.sceneDidActivate.symbol
  }
}
