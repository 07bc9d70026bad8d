import LifecycleModel
import TraceAnalysis

/// A scene notification carries its scene.
struct IdentSceneObjectRule: Rule {
  static let description = RuleDescription(
    id: "ident-scene-object",
    number: 42,
    topic: .identity,
    summary: "the object of a UIScene notification is the scene that it concerns",
    severity: .error,
    advice: .words("post it with its scene as the object"),
    sources: [
      .s2, .sceneWillConnectNotification, .sceneWillEnterForegroundNotification, .uikitOnWindows,
    ],
    why: """
      In an app with several scenes, observers find the right scene only through the object. \
      Without it they act on all scenes, or on none.
      """,
    remedy:
      "Post the notification with the scene as its object. Look for code that posts it itself.",
    limits: """
      Some UIKit ports post nil: if the profile states port=true, the finding is a warning. If the \
      log does not show the object, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.sceneNotifications]], profile: [.scenesPossible]),
    patterns: [
      .never(
        .sceneNotifications().about(.app, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object instead of a scene"
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
