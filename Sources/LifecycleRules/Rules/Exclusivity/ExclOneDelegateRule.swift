import LifecycleModel
import TraceAnalysis

/// UIKit calls the delegate of the app, or those of its scenes.
struct ExclOneDelegateRule: Rule {
  private static let ofApp = Turner.app.calls(.activate, .resign, .background, .foreground)

  static let description = RuleDescription(
    id: "excl-one-delegate",
    formerRules: [
      FormerRule("scene-delegate-in-app-mode", number: 107, culprits: .sceneCalls()),
      "excl-app-callbacks-in-scene-mode",
    ],
    number: 36,
    topic: .exclusivity,
    summary: """
      UIKit calls the app delegate's four lifecycle methods, or with scenes the scene delegate's
      """,
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 1),
    sources: [
      .s0, .s1, .didEnterBackground, .didBecomeActive, .willEnterForeground,
      .sceneNotificationsWithoutScenes,
    ],
    why: """
      UIKit calls one or the other. If both are called, all work in them happens twice.
      """,
    remedy: """
      Look for code that calls the other delegate directly, for example to replace a missing call. \
      In an app with scenes, move work to the scene delegate or to the notification, which UIKit \
      posts in both cases.
      """,
    limits: """
      A scene delegate class without a scene manifest in Info.plist is not scene mode: then the \
      profile is wrong, not the app, and so it is if the manifest is there and the profile states \
      mode=app. Before iOS 13 a manifest has no effect, and the app has no scenes. A call of the \
      scene delegate in an app without scenes is a warning; UIScene's notifications are posted there \
      too, and are not checked.
      """,
    patterns: [
      .never(
        ofApp,
        exercisedBy: Turner.scene.calls(.activate, .resign, .background, .foreground)
          | Turner.app.posts(.activate, .resign, .background, .foreground),
        says: "{name} was called although the app uses scenes"
      ).needing(RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.scene)])),
      .never(
        .sceneCalls(), exercisedBy: ofApp,
        says: "{name} of {subject} was called although the app has no scenes"
      ).severity(.warning).needing(
        RuleNeeds(hooks: [[.sceneDelegate]], profile: [.mode(.app)])),
    ],
    examples: [
      .clean(
        "the scene delegate, and both notifications",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "a scene delegate class without a scene manifest: both notifications, and the app delegate",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,scene-notifications
        1s main call applicationWillResignActive app
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "the same binary on iOS 12, which has no scenes",
        """
        0s - profile mode=scene os=12.4 hooks=app-delegate,scene-delegate
        1s main call applicationDidBecomeActive app
        """),
      .clean(
        "the app delegate, and the notifications of both families",
        """
        0s - profile mode=app hooks=app-delegate,scene-delegate,scene-notifications
        1s main call applicationWillResignActive app
        1.1s main notify UIScene.willDeactivateNotification scene:1
        """),
      .clean(
        "an app with scenes",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate
        1s main call sceneWillResignActive scene:1
        """),
      .violating(
        "both delegates",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main call applicationWillResignActive app ◀
        """),
      .violating(
        "both delegates, in an app without scenes",
        """
        0s - profile mode=app hooks=app-delegate,scene-delegate
        1s main call applicationWillResignActive app
        1.1s main return applicationWillResignActive app
        1.2s main call sceneWillResignActive scene:1 ◀
        """),
    ]
  )
}
