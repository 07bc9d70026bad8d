import LifecycleModel
import TraceAnalysis

/// In a background launch didEnterBackground comes before the event.
struct OrderBackgroundLaunchBackgroundCallRule: Rule {
  /// The app was opened, or the launch is over: what comes after a suspension belongs to a resume.
  private static let later =
    EventPattern.call(
      .applicationWillEnterForeground, .applicationDidBecomeActive, .sceneWillEnterForeground,
      .sceneDidBecomeActive)
    | .notify(
      .applicationWillEnterForeground, .applicationDidBecomeActive, .sceneWillEnterForeground,
      .sceneDidActivate) | .verbs(.suspend)

  static let description = RuleDescription(
    id: "order-background-launch-background-call",
    number: 24,
    topic: .appOrder,
    summary: "when a background launch shows didEnterBackground, it comes before the event",
    severity: .info,
    sources: [.s3, .delegateOrderIOS10, .appStartTracker],
    why: """
      The page has the app enter the background and only then handle the event. Code that counts on \
      being in the background by then is mistaken otherwise.
      """,
    remedy: "Handle the event without regard to didEnterBackground.",
    limits: """
      The page names the app delegate's call only; scenes get their own, and either counts. Whether \
      the call comes at all in a background launch or resume differs in the field: its absence is \
      never found. The event is the delegate's callback. Judged until the process is first suspended or \
      the app is opened.
      """,
    contradiction: """
      The page about the background sequence says that the app delegate is called on a launch and \
      on a resume in the background; apps with scenes never are, and logs of devices leave the \
      call out.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate, .sceneDelegate], [.system]]),
    patterns: [
      .orderOnce(
        .call(.applicationDidEnterBackground, .sceneDidEnterBackground)
          | .notify(.applicationDidEnterBackground, .sceneDidEnterBackground),
        then: .call(
          .applicationDidReceiveRemoteNotification, .applicationPerformFetch,
          .applicationHandleEventsForBackgroundURLSession),
        settledBy: later,
        per: .app,
        says: "{name} came before the background launch had shown didEnterBackground"
      ).launched(by: LaunchReason.inBackground)
    ],
    examples: [
      .clean(
        "the background, then the event",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=push
        1s main return applicationDidFinishLaunching app
        1.1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        1.3s main call applicationDidReceiveRemoteNotification app
        1.4s main return applicationDidReceiveRemoteNotification app
        """),
      .clean(
        "the event alone, as real devices show it",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=push
        1s main return applicationDidFinishLaunching app
        1.3s main call applicationDidReceiveRemoteNotification app
        1.4s main return applicationDidReceiveRemoteNotification app
        9s - suspend app
        90s - resume app
        90.1s main call applicationDidReceiveRemoteNotification app
        90.2s main return applicationDidReceiveRemoteNotification app
        """),
      .clean(
        "resumed in the background, with and without the call",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=push
        1.1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        1.3s main call applicationDidReceiveRemoteNotification app
        1.4s main return applicationDidReceiveRemoteNotification app
        9s - suspend app
        90s - resume app
        90.1s main call applicationDidEnterBackground app
        90.2s main return applicationDidEnterBackground app
        90.3s main call applicationDidReceiveRemoteNotification app
        90.4s main return applicationDidReceiveRemoteNotification app
        """),
      .clean(
        "opened after the event, and left",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=push
        1.3s main call applicationDidReceiveRemoteNotification app
        60s main call applicationWillEnterForeground app
        60.1s main call applicationDidBecomeActive app
        61s main call applicationDidReceiveRemoteNotification app
        62s main call applicationWillResignActive app
        62.05s main return applicationWillResignActive app
        63s main call applicationDidEnterBackground app
        63.05s main return applicationDidEnterBackground app
        """),
      .clean(
        "the launch without the call, the resume with it",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=bgtask
        1.3s main call applicationPerformFetch app
        1.4s main return applicationPerformFetch app
        9s - suspend app
        90s - resume app
        90.1s main call applicationDidEnterBackground app
        90.2s main return applicationDidEnterBackground app
        90.3s main call applicationPerformFetch app
        90.4s main return applicationPerformFetch app
        """),
      .cannotTell(
        "it is not known why the process was launched",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app
        1.3s main call applicationDidReceiveRemoteNotification app
        2s main call applicationDidEnterBackground app
        """),
      .violating(
        "the event, then the background",
        """
        0s - profile mode=app hooks=app-delegate,system
        0s - process.start app launch=push
        1s main return applicationDidFinishLaunching app
        1.3s main call applicationDidReceiveRemoteNotification app ◀
        2s main call applicationDidEnterBackground app
        """),
    ]
  )
}
