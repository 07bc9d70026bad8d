import LifecycleModel
import TraceAnalysis

/// In a background launch didEnterBackground comes before the event.
struct OrderBackgroundLaunchBackgroundCallRule: Rule {
  /// The app was opened, or the launch is over: what comes after a suspension belongs to a resume.
  private static let later = Turn.events(.foreground, .activate) | .verbs(.suspend)

  static let description: RuleDescription = .init(
    id: "order-background-launch-background-call",
    number: 24,
    topic: .appOrder,
    summary: "if a background launch gets didEnterBackground, the call comes before the event",
    severity: .info,
    sources: [.s3, .delegateOrderIOS10, .appStartTracker],
    why: """
      According to the documentation, the app enters the background and then handles the event. \
      Code that expects to be in the background by then is wrong otherwise.
      """,
    remedy: "Handle the event independently of {background}.",
    limits: """
      The documentation names only the app delegate's call; scenes get their own call, and either \
      counts. Some devices never make the call in a background launch or resume, so its absence is \
      not reported. The event is the delegate's callback. Checked until the first suspension of \
      the process, or until the user opens the app.
      """,
    contradiction: """
      The documentation of the background sequence says that UIKit calls the app delegate on a \
      launch and on a resume in the background. Apps with scenes never get the call, and device \
      logs often lack it.
      """,
    needs: RuleNeeds(hooks: [.delegates, [.system]]),
    patterns: [
      .orderOnce(
        Turn.events(.background),
        then: .call(
          .applicationDidReceiveRemoteNotification, .applicationPerformFetch,
          .applicationHandleEventsForBackgroundURLSession),
        settledBy: later,
        per: .app,
        says: "{name} came before didEnterBackground in a background launch"
      ).launched(by: LaunchReason.inBackground)
    ],
    given: "0s - profile mode=app hooks=app-delegate,system",
    examples: """
      clean: the background, then the event
      0s - process.start app launch=push
      1s main return applicationDidFinishLaunching app
      1.1s..1.2s main call applicationDidEnterBackground app
      1.3s..1.4s main call applicationDidReceiveRemoteNotification app

      clean: the event alone, as real devices show it
      0s - process.start app launch=push
      1s main return applicationDidFinishLaunching app
      1.3s..1.4s main call applicationDidReceiveRemoteNotification app
      9s..90s - suspend app
      90.1s..90.2s main call applicationDidReceiveRemoteNotification app

      clean: resumed in the background, with and without the call
      0s - process.start app launch=push
      1.1s..1.2s main call applicationDidEnterBackground app
      1.3s..1.4s main call applicationDidReceiveRemoteNotification app
      9s..90s - suspend app
      90.1s..90.2s main call applicationDidEnterBackground app
      90.3s..90.4s main call applicationDidReceiveRemoteNotification app

      clean: opened after the event, then left
      0s - process.start app launch=push
      1.3s main call applicationDidReceiveRemoteNotification app
      60s main call applicationWillEnterForeground app
      60.1s main call applicationDidBecomeActive app
      61s main call applicationDidReceiveRemoteNotification app
      62s..62.05s main call applicationWillResignActive app
      63s..63.05s main call applicationDidEnterBackground app

      clean: the launch without the call, the resume with it
      0s - process.start app launch=bgtask
      1.3s..1.4s main call applicationPerformFetch app
      9s..90s - suspend app
      90.1s..90.2s main call applicationDidEnterBackground app
      90.3s..90.4s main call applicationPerformFetch app

      cannot tell: launch reason unknown
      0s - process.start app
      1.3s main call applicationDidReceiveRemoteNotification app
      2s main call applicationDidEnterBackground app

      violating: the event, then the background
      0s - process.start app launch=push
      1s main return applicationDidFinishLaunching app
      1.3s main call applicationDidReceiveRemoteNotification app ◀
      2s main call applicationDidEnterBackground app
      """
  )
}
