import LifecycleModel
import TraceAnalysis

/// Activations and resigns alternate.
struct ActiveAlternatesRule: Rule {
  static let description: RuleDescription = .init(
    id: "active-alternates",
    formerRules: [
      FormerRule("order-active-alternates", culprits: Turner.app.calls(.activate)),
      FormerRule(
        "order-resign-needs-active", number: 13, culprits: Turner.app.calls(.resign)),
      FormerRule(
        "scene-active-alternates", number: 27, culprits: Turner.scene.calls(.activate, .resign)),
      FormerRule("transition-not-doubled", number: 104),
    ],
    number: 12,
    topic: .appOrder,
    summary: "didBecomeActive and willResignActive alternate, in the app and in each scene",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 8),
    sources: [.s0, .s1, .s2, .didBecomeActive, .sceneDidBecomeActive, .doubleActivation],
    why: """
      The one starts work (timers, sessions, counters) that the other stops. If one comes twice in a \
      row, work starts or stops twice; a resign before any activation undoes what was never done.
      """,
    remedy: """
      Look for code that calls the delegate or posts UIKit's notifications itself, for two scenes \
      recorded under the same number, and check a UIKit port's focus handling.
      """,
    limits: """
      The rule compares calls with calls and notifications with notifications; what shows the \
      opposite step ends either. A repeated notification is a warning, and with scenes only \
      UIScene's are checked: UIKit may post UIApplication's once per scene. didActivate is sometimes \
      missing on devices, so an entry into the foreground also ends a resign that only notifications \
      show. A resign before any activation is reported only if the log shows the start of the \
      process. iOS 11 and 12 repeated the activation themselves when the user opened Notification \
      Center: a call is a warning there, a notification is info, and so they are if the profile does \
      not state the version.
      """,
    patterns: Turner.patterns { turner in
      let resignedAgain = "\(turner.words) resigned again without an activation since {since}"
      let activeAgain = "\(turner.words) became active again without a resign since {since}"
      let activations: [RulePattern] = [
        .never(
          turner.calls(.activate), between: turner.calls(.activate),
          until: turner.events(.resign), per: turner.scope, says: activeAgain),
        .never(
          turner.posts(.activate), between: turner.posts(.activate),
          until: turner.events(.resign, .background), per: turner.scope, says: activeAgain
        ).severity(.warning),
      ]
      // UIKit itself activated apps twice.
      let severities: [Severity] = [.warning, .info]
      let ofTurner =
        turner == .scene
        ? activations
        : zip(activations, severities).map { $0.milder($1, onOSMajor: 11...12) }
      return ofTurner + [
        .never(
          turner.calls(.resign), between: turner.calls(.resign),
          until: turner.events(.activate), per: turner.scope, says: resignedAgain),
        .never(
          turner.posts(.resign), between: turner.posts(.resign),
          until: turner.events(.activate, .foreground), per: turner.scope, says: resignedAgain
        ).severity(.warning),
        .begins(
          with: turner.events(.activate), before: turner.calls(.resign), per: turner.scope,
          says: "\(turner.words) resigned before the first activation in this process"),
        .begins(
          with: turner.events(.activate) | turner.calls(.resign), before: turner.posts(.resign),
          per: turner.scope,
          says: "\(turner.words) resigned before the first activation in this process"
        ).severity(.warning),
      ]
    },
    given: "0s - profile mode=scene hooks=scene-delegate,scene-notifications",
    examples: """
      clean: an interruption between two activations
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      2s..2.05s main call applicationWillResignActive app
      3s main call applicationDidBecomeActive app

      clean: the notification shows the resign of an app that does not implement the callback
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      2s main notify UIApplication.willResignActiveNotification app
      3s main call applicationDidBecomeActive app

      clean: one resign for each activation
      0s - profile mode=app hooks=app-delegate,app-notifications
      0s - process.start app
      1s main call applicationDidBecomeActive app
      2s..2.05s main call applicationWillResignActive app
      3s main call applicationDidBecomeActive app
      4s..4.05s main call applicationWillResignActive app

      clean: an app that the recorder joined late
      0s - profile mode=app hooks=app-delegate,app-notifications
      2s main call applicationWillResignActive app

      clean: two scenes, each by itself
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidBecomeActive scene:2
      3s..3.05s main call sceneWillResignActive scene:1
      4s..4.05s main call sceneWillResignActive scene:2
      5s main call sceneDidBecomeActive scene:1

      clean: the notification shows the resign that the delegate does not implement
      1s main call sceneDidBecomeActive scene:1
      2s main notify UIScene.willDeactivateNotification scene:1
      3s main call sceneDidBecomeActive scene:1

      clean: a scene on an external display is never active, and the recorder was attached late
      1s..1.05s main call sceneWillResignActive scene:1
      2s main call sceneWillConnect scene:2 role=external
      2.1s main call sceneWillEnterForeground scene:2
      3s..3.05s main call sceneDidEnterBackground scene:2

      clean: the call and the notification are one transition
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications
      1s main call sceneDidBecomeActive scene:1
      1.1s main notify UIScene.didActivateNotification scene:1
      3s..3.05s main call sceneWillResignActive scene:1
      3.1s main notify UIScene.willDeactivateNotification scene:1
      4s main notify UIScene.didActivateNotification scene:1

      clean: with scenes the app's notification may be posted for each of them
      0s - profile mode=scene hooks=scene-notifications,app-notifications
      3s main notify UIScene.willDeactivateNotification scene:1
      3.1s main notify UIApplication.willResignActiveNotification app
      3.2s main notify UIScene.willDeactivateNotification scene:2
      3.3s main notify UIApplication.willResignActiveNotification app

      clean: the delegate shows the activation whose notification is missing
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      2s main call applicationDidBecomeActive app
      3s main notify UIApplication.willResignActiveNotification app

      cannot tell: events are missing where the resign may have been
      1s main call sceneDidBecomeActive scene:1
      2s - gap ring-full 3
      3s main call sceneDidBecomeActive scene:1

      cannot tell: the activation may be in the gap
      0s - profile mode=app hooks=app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      2s - gap ring-full 3
      3s main notify UIApplication.willResignActiveNotification app

      violating: Notification Center is pulled down on iOS 12: a warning
      0s - profile mode=app os=12.1 hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidBecomeActive app
      3s main call applicationDidBecomeActive app ◀

      violating: active twice
      0s - profile mode=app os=18.2 hooks=app-delegate,app-notifications
      1s..1.1s main call applicationDidBecomeActive app
      3s main call applicationDidBecomeActive app ◀

      violating: two resigns for one activation
      0s - profile mode=app hooks=app-delegate,app-notifications
      0s - process.start app
      1s main call applicationDidBecomeActive app
      2s main call applicationWillResignActive app
      3s main call applicationWillResignActive app ◀

      violating: a resign before any activation
      0s - profile mode=app hooks=app-delegate,app-notifications
      0s - process.start app
      1s main return applicationDidFinishLaunching app
      2s main call applicationWillResignActive app ◀

      violating: only the notification shows the resign of an app
      0s - profile mode=app hooks=app-notifications
      0s - process.start app
      2s main notify UIApplication.willResignActiveNotification app ◀

      violating: a scene resigns before any activation
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
      0s - process.start app
      1s main call sceneWillConnect scene:1
      1.1s main call sceneWillEnterForeground scene:1
      4s main call sceneWillResignActive scene:1 ◀
      5s main call sceneDidEnterBackground scene:1

      violating: only the notification shows the resign
      0s - profile mode=scene hooks=scene-notifications,system
      0s - process.start app
      1s main notify UIScene.willConnectNotification scene:1
      4s main notify UIScene.willDeactivateNotification scene:1 ◀

      violating: a scene is active twice
      1s main call sceneDidBecomeActive scene:1
      3s main call sceneDidBecomeActive scene:1 ◀

      violating: a scene resigns twice for one activation
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneWillResignActive scene:1
      3s main call sceneWillResignActive scene:1 ◀

      violating: two resigns of a scene
      1s main notify UIScene.didActivateNotification scene:1
      3s main notify UIScene.willDeactivateNotification scene:1
      4s main notify UIScene.willDeactivateNotification scene:1 ◀

      violating: two activations of a scene
      0s - profile mode=scene hooks=scene-notifications
      1s main notify UIScene.didActivateNotification scene:1
      3s main notify UIScene.didActivateNotification scene:1 ◀

      violating: an app without scenes resigns twice
      0s - profile mode=app hooks=app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      1.2s main notify UIApplication.willResignActiveNotification app ◀

      violating: an app without scenes is activated twice
      0s - profile mode=app os=18.2 hooks=app-notifications
      1s main notify UIApplication.didBecomeActiveNotification app
      3s main notify UIApplication.didBecomeActiveNotification app ◀
      """
  )
}
