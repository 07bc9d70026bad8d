import LifecycleModel
import TraceAnalysis

/// A scene notification carries its scene.
struct IdentSceneObjectRule: Rule {
  static let description = RuleDescription(
    id: "ident-scene-object",
    number: 42,
    topic: .identity,
    summary: "the object of a UIScene notification is the scene that it is about",
    severity: .error,
    advice: .words("post it with its scene as the object"),
    sources: [
      .s2, .sceneWillConnectNotification, .sceneWillEnterForegroundNotification, .uikitOnWindows,
    ],
    why: """
      Observers of an app with several scenes can act on the right one only by the object. Without \
      it they act on all of them, or on none.
      """,
    remedy:
      "Post the notification with the scene as its object; look for code that posts it by hand.",
    limits: """
      Other implementations of UIKit are known to post nil: a warning when the profile says \
      port=true. When the log does not say what the object was: cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .sceneNotifications().about(.app, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object, not with a scene"
      ).milderOnPorts(.warning)
    ],
    examples: [
      .clean(
        "the scene is the object",
        """
        0s - profile mode=scene hooks=scene-notifications
        1s main notify UIScene.willDeactivateNotification scene:1
        """),
      .violating(
        "no object",
        """
        0s - profile mode=scene hooks=scene-notifications
        1s main notify UIScene.willDeactivateNotification nil ◀
        """),
      .violating(
        "the app as the object, on a port",
        """
        0s - profile mode=scene port=true hooks=scene-notifications
        1s main notify UIScene.didActivateNotification app ◀
        """),
    ]
  )
}
