import LifecycleModel
import TraceAnalysis

/// What is about one scene leaves another one alone.
struct IdentNoCrosstalkRule: Rule {
  static let description: RuleDescription = .init(
    id: "ident-no-crosstalk",
    number: 46,
    topic: .identity,
    summary: "a scene's callback does not change the interface of another active scene",
    severity: .warning,
    sources: [.resignOfEachScene, .sceneCrosstalk],
    why: """
      Somebody is using the other window. A privacy screen or a pause for the first window covers \
      or stops it.
      """,
    remedy: """
      Take the window from the scene in the call, not from the app's list of windows or from a \
      global variable.
      """,
    limits: """
      Work on the same thread during the callback or the observer counts as its work. An intended \
      privacy screen for the whole app looks the same if it names the other scene; record it with \
      the app as its subject to avoid the finding. The rule does not see work that is passed on.
      """,
    needs: RuleNeeds(
      hooks: [[.work], [.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .work(.ui).about(.scene), while: .insideCallbackOfAnotherScene,
        says: "{opener} of {holder} changed the interface {label} of the active {subject}")
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,work",
    examples: """
      clean: its own scene
      1s..1.1s main call sceneDidBecomeActive scene:1
      1.2s..1.3s main call sceneDidBecomeActive scene:2
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main work ui scene:1 "privacy screen"

      clean: a privacy screen for the whole app
      1s..1.1s main call sceneDidBecomeActive scene:2
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main work ui app "privacy screen"

      clean: after the callback, and on a scene that is not active
      1s..1.1s main call sceneDidBecomeActive scene:2
      1.2s..1.3s main call sceneWillEnterForeground scene:3
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main work ui scene:3 "badge"
      2.3s main work ui scene:2 "badge"

      cannot tell: the other scene's resign may be in the gap
      1s..1.1s main call sceneDidBecomeActive scene:2
      1.5s - gap ring-full 2
      2s main call sceneWillResignActive scene:1
      2.1s main work ui scene:2 "privacy screen"

      violating: the wrong window is covered
      1s..1.1s main call sceneDidBecomeActive scene:2
      2s..2.2s main call sceneWillResignActive scene:1
      2.1s main work ui scene:2 "privacy screen" ◀

      violating: from an observer
      0s - profile mode=scene hooks=scene-notifications,work
      1s main notify UIScene.didActivateNotification scene:2
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s..2.3s main observe UIScene.willDeactivateNotification scene:1 "Privacy"
      2.2s main work ui scene:2 "privacy screen" ◀
      """
  )
}
