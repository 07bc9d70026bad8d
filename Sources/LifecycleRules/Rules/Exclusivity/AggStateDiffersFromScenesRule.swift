import LifecycleModel
import TraceAnalysis

/// The app is as active as its most active scene, and its notifications say no less.
struct AggStateDiffersFromScenesRule: Rule {
  static let description: RuleDescription = .init(
    id: "agg-state-differs-from-scenes", formerRules: ["agg-state-is-most-active"],
    number: 38,
    topic: .exclusivity,
    summary: """
      applicationState, didEnterBackground and willResignActive of the app follow its most active \
      scene
      """,
    severity: .warning,
    sources: [.applicationState, .appWillEnterForegroundNotification, .resignOfEachScene],
    why: """
      Code reads applicationState, and observes the app's notifications, to decide whether somebody \
      is looking. If they do not follow the scenes, a window in use is paused, locked or hidden.
      """,
    remedy: """
      Read the activationState of the scene that the work belongs to, and observe the notifications \
      of UIScene. Look for code that posts UIKit's notifications itself. In a UIKit port, derive \
      the app's state from the scenes.
      """,
    limits: """
      The rule does not check a value that is read while a callback or an observer runs, because \
      it may be the state before or after. It does not check values before the first scene \
      connects, nor values read after a sign of a coming change. If the log does not show the \
      start of the process, unknown scenes may exist, and the rule cannot tell. Scenes may follow \
      the app's notification for a second. The documentation does not say whether the resign of \
      each scene posts the app's, and on devices it did: while another scene is active, the rule \
      reports it only where no scene resigns. A scene that is never active, as on an external \
      display, does not count.
      """,
    needs: RuleNeeds(
      hooks: [[.work, .appNotifications], [.sceneDelegate, .sceneNotifications]],
      profile: [.mode(.scene)]),
    given: """
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s - process.start app
      """,
    examples: """
      clean: active as one of two scenes is
      1s..1.1s main call sceneWillConnect scene:1
      1.2s..1.3s main call sceneDidBecomeActive scene:1
      1.4s..1.5s main call sceneWillConnect scene:2
      2s main sample applicationState app "active"

      clean: read inside a callback
      1.2s..1.3s main call sceneDidBecomeActive scene:1
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main sample applicationState app "inactive"

      clean: before the first scene
      1s main sample applicationState app "inactive"

      clean: right after a notification of what will happen
      0s - profile mode=scene hooks=scene-notifications,work,system
      0s - process.start app
      0.8s main notify UIScene.willConnectNotification scene:1
      0.9s main notify UIScene.willEnterForegroundNotification scene:1
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s main sample applicationState app "active"

      cannot tell: a scene that was there before the log may be active
      0s - profile mode=scene hooks=scene-delegate,work,system
      1s..1.1s main call sceneDidEnterBackground scene:1
      2s main sample applicationState app "active"

      cannot tell: a change may be in the gap
      1s..1.1s main call sceneDidBecomeActive scene:1
      1.5s - gap ring-full 4
      2s main sample applicationState app "background"

      clean: the last scene leaves, before the app's notification and after it
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      1s main notify UIScene.didActivateNotification scene:2
      2s main notify UIApplication.willResignActiveNotification app
      2.1s main notify UIScene.willDeactivateNotification scene:1
      2.2s main notify UIScene.didEnterBackgroundNotification scene:1
      2.3s main notify UIApplication.didEnterBackgroundNotification app
      2.4s main notify UIScene.willDeactivateNotification scene:2
      2.5s main notify UIScene.didEnterBackgroundNotification scene:2
      9s main notify UIApplication.significantTimeChangeNotification app

      clean: the app's resign with one scene while another is active, which no document settles
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      1s main notify UIScene.didActivateNotification scene:2
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s main notify UIApplication.willResignActiveNotification app
      9s main notify UIApplication.significantTimeChangeNotification app

      clean: a scene on an external display stays
      0s - profile mode=scene hooks=scene-notifications,scene-delegate,app-notifications
      1s main call sceneWillConnect scene:2 role=external
      1s main return sceneWillConnect scene:2
      1s main notify UIScene.willEnterForegroundNotification scene:2
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1
      2.2s main notify UIApplication.didEnterBackgroundNotification app
      9s main notify UIApplication.significantTimeChangeNotification app

      cannot tell: the delegate may not implement what would show that the scene left
      0s - profile mode=scene hooks=scene-delegate,app-notifications
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s main notify UIApplication.didEnterBackgroundNotification app
      9s main notify UIApplication.significantTimeChangeNotification app

      cannot tell: the log ends before the scene could leave
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIApplication.didEnterBackgroundNotification app

      cannot tell: the scene may leave in the gap
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIApplication.didEnterBackgroundNotification app
      2.1s - gap ring-full 4
      9s main notify UIApplication.significantTimeChangeNotification app

      violating: the app's background while another window is in front
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      1.1s main notify UIScene.didActivateNotification scene:2
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1
      2.2s main notify UIApplication.didEnterBackgroundNotification app ◀
      9s main notify UIApplication.significantTimeChangeNotification app

      violating: the app's resign, with which no scene resigns
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIApplication.willResignActiveNotification app ◀
      9s main notify UIApplication.significantTimeChangeNotification app

      violating: background although a scene is active
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s main sample applicationState app "background" ◀

      violating: active although the last scene has gone
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s..2.1s main call sceneDidDisconnect scene:1
      3s main sample applicationState app "active" ◀
      """
  )

  static let interests: [EventPattern] = [
    .sample(.applicationState),
    .notify(.applicationDidEnterBackground, .applicationWillResignActive),
    AppNotificationsAhead.moves,
  ]

  private static let settling: Nanoseconds = .seconds(1)
  /// With more scenes than that it does not look at each.
  private static let lookedAtScenes = 256

  private var ahead = AppNotificationsAhead()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .sample {
      judge(event, moment, &findings)
    } else {
      ahead.note(event, moment, &findings)
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    ahead.wake(now, moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    ahead.end(reason, &findings)
  }

  /// What a log shows of scenes that leave it shows in each process.
  mutating func keep(from last: Self) { ahead = AppNotificationsAhead(after: last.ahead) }

  /// Judges a value that was read.
  private func judge(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.open.count(.call) > 0 || moment.state.open.count(.observe) > 0 { return }
    guard let app = moment.state.app else { return }
    guard let said = AppState(rawValue: moment.vocabulary.text(event.label)) else {
      return findings.cannotTell(.stateNotKnown)
    }

    if said == app.state { return findings.foundClean() }
    guard let start = moment.state.processStart else { return findings.cannotTell(.startNotSeen) }

    if moment.state.sceneCount > Self.lookedAtScenes {
      return findings.cannotTell(.tooManyInstances)
    }
    let changes = [app.since] + moment.state.scenes.map(\.since)
    // What is reported may not have happened yet.
    let isChanging = changes.contains {
      guard let (turner, turn) = Turner.turn($0.event.name), turner == .scene else { return false }
      return (turn == .resign || turn == .foreground)
        && event.instant.since($0.event.instant) < Self.settling
    }
    if isChanging { return }
    findings.report(
      event, since: app.since, restingOn: [start] + changes,
      says:
        """
        applicationState was {label}, but the scenes have made it \(app.state.rawValue) since \
        {since}
        """)
  }
}
