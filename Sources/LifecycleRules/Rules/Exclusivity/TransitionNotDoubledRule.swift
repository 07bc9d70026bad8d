import LifecycleModel
import TraceAnalysis

/// The notifications of activation and resign alternate.
struct TransitionNotDoubledRule: Rule {
  private static let left =
    EventPattern.call(.sceneWillResignActive, .sceneDidEnterBackground)
    | .notify(.sceneWillDeactivate, .sceneDidEnterBackground)
  private static let returned =
    EventPattern.call(.sceneDidBecomeActive, .sceneWillEnterForeground)
    | .notify(.sceneDidActivate, .sceneWillEnterForeground)

  static let description = RuleDescription(
    id: "transition-not-doubled",
    number: 104,
    topic: .exclusivity,
    summary:
      "no activation or resign notification repeats without the opposite one in between",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 20),
    sources: [.s0, .s1, .s2, .sceneDidBecomeActive, .doubleActivation],
    why: "Every observer does its work twice; what it pauses, saves or counts stays wrong.",
    remedy: """
      Look for code that posts UIKit's notifications itself, and for two scenes recorded under the \
      same number.
      """,
    limits: """
      order-active-alternates, order-resign-needs-active and scene-active-alternates report \
      repeated delegate calls. The rule checks UIApplication's notifications only in an app \
      without scenes: with scenes UIKit may post them once per scene. didActivate is sometimes \
      missing on devices, so an entry into the foreground also ends a resign. iOS 11 and 12 repeat \
      the activation themselves: the finding is info there.
      """,
    contradiction: """
      The documentation promises didActivate for every activation; on devices it is sometimes \
      missing.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications, .sceneNotifications]]),
    patterns: [
      .never(
        .notify(.sceneDidActivate), between: .notify(.sceneDidActivate), until: left,
        per: .scene,
        says: """
          {name} was posted again for {subject}, which has been active since {since}
          """),
      .never(
        .notify(.sceneWillDeactivate), between: .notify(.sceneWillDeactivate), until: returned,
        per: .scene,
        says: "{name} was posted again for {subject}, which already resigned at {since}"),
    ],
    examples: [
      .clean(
        "the call and the notification are one transition",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications
        1s main call sceneDidBecomeActive scene:1
        1.1s main notify UIScene.didActivateNotification scene:1
        3s main call sceneWillResignActive scene:1
        3.05s main return sceneWillResignActive scene:1
        3.1s main notify UIScene.willDeactivateNotification scene:1
        4s main notify UIScene.didActivateNotification scene:1
        """),
      .clean(
        "with scenes the app's notification may be posted for each of them",
        """
        0s - profile mode=scene hooks=scene-notifications,app-notifications
        3s main notify UIScene.willDeactivateNotification scene:1
        3.1s main notify UIApplication.willResignActiveNotification app
        3.2s main notify UIScene.willDeactivateNotification scene:2
        3.3s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "the delegate shows the activation whose notification is missing",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        2s main call applicationDidBecomeActive app
        3s main notify UIApplication.willResignActiveNotification app
        """),
      .cannotTell(
        "the activation may be in the gap",
        """
        0s - profile mode=app hooks=app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        2s - gap ring-full 3
        3s main notify UIApplication.willResignActiveNotification app
        """),
      .violating(
        "two resigns of a scene",
        """
        0s - profile mode=scene hooks=scene-delegate,scene-notifications
        1s main notify UIScene.didActivateNotification scene:1
        3s main notify UIScene.willDeactivateNotification scene:1
        4s main notify UIScene.willDeactivateNotification scene:1 ◀
        """),
      .violating(
        "two activations of a scene",
        """
        0s - profile mode=scene hooks=scene-notifications
        1s main notify UIScene.didActivateNotification scene:1
        3s main notify UIScene.didActivateNotification scene:1 ◀
        """),
      .violating(
        "an app without scenes resigns twice",
        """
        0s - profile mode=app hooks=app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        1.2s main notify UIApplication.willResignActiveNotification app ◀
        """),
      .violating(
        "an app without scenes is activated twice",
        """
        0s - profile mode=app os=18.2 hooks=app-notifications
        1s main notify UIApplication.didBecomeActiveNotification app
        3s main notify UIApplication.didBecomeActiveNotification app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [
    .notify(
      .applicationDidBecomeActive, .applicationWillResignActive, .applicationDidEnterBackground,
      .applicationWillEnterForeground)
      | .call(
        .applicationDidBecomeActive, .applicationWillResignActive, .applicationDidEnterBackground,
        .applicationWillEnterForeground)
  ]

  /// The systems that activate an app twice by themselves.
  private static let doubling = 11...12

  /// The last notification of each kind that nothing contradicts.
  private var activation: OpenEvent?
  private var resign: OpenEvent?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.profile.mode == .app else { return }
    let isPosted = event.verb == .notify
    switch event.name {
    case LifecycleNotification.applicationDidBecomeActive.symbol,
      Callback.applicationDidBecomeActive.symbol:
      resign = nil
      if !isPosted { return }
      let isDoubling = moment.profile.osMajor.map(Self.doubling.contains) ?? false
      Self.judge(
        event, &activation, isDoubling ? .info : nil, moment, &findings,
        says: "{name} was posted again: the app has been active since {since}")
    case LifecycleNotification.applicationWillResignActive.symbol,
      Callback.applicationWillResignActive.symbol:
      activation = nil
      if !isPosted { return }
      Self.judge(
        event, &resign, nil, moment, &findings,
        says: "{name} was posted again: the app already resigned at {since}")
    case LifecycleNotification.applicationWillEnterForeground.symbol,
      Callback.applicationWillEnterForeground.symbol:
      resign = nil
    default: activation = nil
    }
  }

  private static func judge(
    _ event: Event, _ earlier: inout OpenEvent?, _ severity: Severity?, _ moment: Moment,
    _ findings: inout RuleFindings, says message: String
  ) {
    defer { earlier = moment.fact(event) }
    guard let earlier else { return findings.foundClean() }
    findings.report(event, since: earlier, severity: severity, says: message)
  }
}
