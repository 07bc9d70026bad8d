import LifecycleModel
import TraceAnalysis

/// The app is as active as its most active scene.
struct AggStateDiffersFromScenesRule: Rule {
  static let description = RuleDescription(
    id: "agg-state-differs-from-scenes", formerRules: ["agg-state-is-most-active"],
    number: 38,
    topic: .exclusivity,
    summary: "applicationState is the state of the most active scene, or background without scenes",
    severity: .warning,
    sources: [.applicationState],
    why: """
      Code reads applicationState to decide whether somebody is looking. If the value does not \
      follow the scenes, that decision is wrong.
      """,
    remedy: """
      Read the activationState of the scene that the work belongs to. In a UIKit port, derive \
      applicationState from the scenes.
      """,
    limits: """
      The rule does not check a value that is read while a callback or an observer runs, because \
      it may be the state before or after. It does not check values before the first scene \
      connects, nor values read after a sign of a coming change. If the log does not show the \
      start of the process, unknown scenes may exist, and the rule cannot tell.
      """,
    needs: RuleNeeds(
      hooks: [[.work], [.sceneDelegate, .sceneNotifications]], profile: [.mode(.scene)]),
    examples: [
      .clean(
        "active as one of two scenes is",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        1.2s main call sceneDidBecomeActive scene:1
        1.3s main return sceneDidBecomeActive scene:1
        1.4s main call sceneWillConnect scene:2
        1.5s main return sceneWillConnect scene:2
        2s main sample applicationState app "active"
        """),
      .clean(
        "read inside a callback",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1.2s main call sceneDidBecomeActive scene:1
        1.3s main return sceneDidBecomeActive scene:1
        2s main call sceneWillResignActive scene:1
        2.1s main sample applicationState app "inactive"
        2.2s main return sceneWillResignActive scene:1
        """),
      .clean(
        "before the first scene",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1s main sample applicationState app "inactive"
        """),
      .clean(
        "right after a notification that tells what will happen",
        """
        0s - profile mode=scene hooks=scene-notifications,work,system
        0s - process.start app
        0.8s main notify UIScene.willConnectNotification scene:1
        0.9s main notify UIScene.willEnterForegroundNotification scene:1
        1s main notify UIScene.didActivateNotification scene:1
        2s main notify UIScene.willDeactivateNotification scene:1
        2.1s main sample applicationState app "active"
        """),
      .cannotTell(
        "a scene that was there before the log may be active",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        1s main call sceneDidEnterBackground scene:1
        1.1s main return sceneDidEnterBackground scene:1
        2s main sample applicationState app "active"
        """),
      .cannotTell(
        "a change may be in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        1.1s main return sceneDidBecomeActive scene:1
        1.5s - gap ring-full 4
        2s main sample applicationState app "background"
        """),
      .violating(
        "background although a scene is active",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        1.1s main return sceneDidBecomeActive scene:1
        2s main sample applicationState app "background" ◀
        """),
      .violating(
        "active although the last scene has gone",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s - process.start app
        1s main call sceneDidBecomeActive scene:1
        1.1s main return sceneDidBecomeActive scene:1
        2s main call sceneDidDisconnect scene:1
        2.1s main return sceneDidDisconnect scene:1
        3s main sample applicationState app "active" ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.sample(.applicationState)]

  /// What tells of a change that has not happened yet.
  private static let coming: Set<Symbol> = [
    Callback.sceneWillResignActive.symbol, Callback.sceneWillEnterForeground.symbol,
    LifecycleNotification.sceneWillDeactivate.symbol,
    LifecycleNotification.sceneWillEnterForeground.symbol,
  ]
  private static let settling: Nanoseconds = .seconds(1)
  /// With more scenes than that it does not look at each.
  private static let lookedAtScenes = 256

  func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
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
    let isChanging = changes.contains {
      Self.coming.contains($0.event.name) && event.instant.since($0.event.instant) < Self.settling
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
