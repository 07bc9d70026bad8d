import LifecycleModel
import TraceAnalysis

/// An app notification carries the app.
struct IdentAppObjectRule: Rule {
  static let description = RuleDescription(
    id: "ident-app-object",
    number: 43,
    topic: .identity,
    summary: "the object of a UIApplication notification is the app",
    severity: .warning,
    advice: .words("post it with the app as the object"),
    sources: [.appWillEnterForegroundNotification, .uikitOnWindows],
    why: """
      Observers that are registered for the app's object hear nothing when another one is posted, and \
      those that take the object for a scene act on the wrong thing.
      """,
    remedy: """
      Post the notification with the application as its object; look for code that posts it by hand.
      """,
    limits: """
      Other implementations of UIKit are known to post nil: info when the profile says port=true. \
      When the log does not say what the object was: cannot tell. That the notification has no \
      userInfo is documented too, but no log shows it.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications]]),
    patterns: [
      .never(
        EventPattern.appNotifications.about(.scene, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object, not with the app"
      ).milderOnPorts(.info)
    ],
    examples: [
      .clean(
        "the app is the object",
        """
        0s - profile hooks=app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        """),
      .cannotTell(
        "the log does not say what the object was",
        """
        0s - profile hooks=app-notifications
        1s main notify UIApplication.willResignActiveNotification
        """),
      .violating(
        "a scene is the object",
        """
        0s - profile hooks=app-notifications
        1s main notify UIApplication.willResignActiveNotification scene:1 ◀
        """),
      .violating(
        "no object, on a port",
        """
        0s - profile port=true hooks=app-notifications
        1s main notify UIApplication.didBecomeActiveNotification nil ◀
        """),
    ]
  )
}
