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
      Observers registered for the app object do not receive a notification with another object. \
      Observers that expect a scene act on the wrong one.
      """,
    remedy: """
      Post the notification with the application as its object. Look for code that posts it \
      itself.
      """,
    limits: """
      Some UIKit ports post nil: if the profile states port=true, the finding is info. If the log \
      does not show the object, the rule cannot tell. The documentation also says that the \
      notification has no userInfo, but no log shows it.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications]]),
    patterns: [
      .never(
        EventPattern.appNotifications.about(.scene, .session, .task, .nil),
        says: "{name} was posted with {subject} as its object instead of the app"
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
        "object unknown",
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
