import LifecycleModel
import TraceAnalysis

/// A notification carries what it is about.
struct IdentNotificationObjectRule: Rule {
  static let description: RuleDescription = .init(
    id: "ident-notification-object",
    formerRules: [
      FormerRule("ident-app-object", number: 43, culprits: .appNotifications),
      "ident-scene-object",
    ],
    number: 42,
    topic: .identity,
    summary: "the object of a notification is the app, or the scene that it concerns",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 14),
    advice: .words("post it with the app, or with its scene, as the object"),
    sources: [
      .s2, .sceneWillConnectNotification, .sceneWillEnterForegroundNotification,
      .appWillEnterForegroundNotification, .uikitOnWindows,
    ],
    why: """
      In an app with several scenes, observers find the right scene only through the object, and \
      those registered for the app object do not receive a notification with another one.
      """,
    remedy: """
      Post UIApplication's notifications with the application as the object, and UIScene's with the \
      scene. Look for code that posts them itself.
      """,
    limits: """
      Of UIApplication's notifications the finding is a warning. Some UIKit ports post nil: if the \
      profile states port=true, a finding is a warning of UIScene's, and info of UIApplication's. If \
      the log does not show the object, the rule cannot tell. In an app without scenes UIScene's are \
      not checked. The documentation also says that UIApplication's have no userInfo, but no log \
      shows it.
      """,
    patterns: [
      .never(
        .sceneNotifications().about(.app, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object instead of a scene"
      ).milderOnPorts(.warning).needing(
        RuleNeeds(hooks: [[.sceneNotifications]], profile: [.scenesPossible])),
      .never(
        EventPattern.appNotifications.about(.scene, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object instead of the app"
      ).severity(.warning).milderOnPorts(.info).needing(RuleNeeds(hooks: [[.appNotifications]])),
    ],
    given: "0s - profile hooks=app-notifications",
    examples: """
      clean: the scene is the object
      0s - profile mode=scene hooks=scene-notifications
      1s main notify UIScene.willDeactivateNotification scene:1

      clean: the app is the object
      1s main notify UIApplication.willResignActiveNotification app

      cannot tell: object unknown
      1s main notify UIApplication.willResignActiveNotification

      violating: no object
      0s - profile mode=scene hooks=scene-notifications
      1s main notify UIScene.willDeactivateNotification nil ◀

      violating: the app as the object, on a port
      0s - profile mode=scene port=true hooks=scene-notifications
      1s main notify UIScene.didActivateNotification app ◀

      violating: a scene is the object
      1s main notify UIApplication.willResignActiveNotification scene:1 ◀

      violating: no app as the object, on a port
      0s - profile port=true hooks=app-notifications
      1s main notify UIApplication.didBecomeActiveNotification nil ◀
      """
  )
}
