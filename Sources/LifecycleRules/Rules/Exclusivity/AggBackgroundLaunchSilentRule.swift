import LifecycleModel
import TraceAnalysis

/// A background launch does not enter the foreground.
struct AggBackgroundLaunchSilentRule: Rule {
  static let description: RuleDescription = .init(
    id: "agg-background-launch-silent",
    number: 40,
    topic: .exclusivity,
    summary: "a background launch posts no willEnterForegroundNotification until the app is opened",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 12),
    advice: .dropCulprit,
    sources: [.appWillEnterForegroundNotification],
    why: """
      UIKit posts the notification when the user really opens the app. If it comes earlier, \
      observers refresh, unlock or count although nobody is looking.
      """,
    remedy:
      "Look for code that posts the notification itself, or a UIKit port that posts it at launch.",
    limits: """
      Reported when the app is suspended or enters the background with no sign that it was opened: \
      no activation and no scene in the foreground. If the process ends before that, or the launch \
      reason is not known, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.appNotifications], [.system]]),
    given: "0s - profile hooks=app-notifications,app-delegate,system",
    examples: """
      clean: silent
      0s - process.start app launch=push
      1s..1.05s main call applicationDidEnterBackground app
      9s - suspend app

      clean: opened later
      0s - process.start app launch=push
      60s main notify UIApplication.willEnterForegroundNotification app
      60.1s main call applicationDidBecomeActive app

      clean: opened on an external display, whose scene is never active
      0s - profile mode=scene hooks=app-notifications,scene-delegate,system
      0s - process.start app launch=push
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      9s main call sceneDidEnterBackground scene:1

      cannot tell: launch reason unknown
      0s - process.start app
      1s main notify UIApplication.willEnterForegroundNotification app
      8s..8.1s main call applicationDidEnterBackground app
      9s - suspend app

      cannot tell: the activation may be in the gap
      0s - process.start app launch=push
      1s main notify UIApplication.willEnterForegroundNotification app
      2s - gap ring-full 3
      9s - suspend app

      violating: posted, and nobody opened it
      0s - process.start app launch=push
      1s main notify UIApplication.willEnterForegroundNotification app ◀
      9s - suspend app
      """
  )

  static let interests: [EventPattern] = [
    .notify(.applicationWillEnterForeground), Turn.events(.activate, .background),
    Turner.scene.events(.foreground), .verbs(.suspend),
  ]

  private var pending: OpenEvent?
  /// Whether the app was opened: from then on the notification is right.
  private var wasOpened = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if wasOpened { return }
    if event.name == LifecycleNotification.applicationWillEnterForeground.symbol {
      if pending == nil { pending = moment.fact(event) }
    } else if event.verb == .suspend || Turner.turn(event.name)?.turn == .background {
      if let pending { judge(pending, moment, &findings) }
      pending = nil
    } else {
      wasOpened = true
      pending = nil
      findings.foundClean()
    }
  }

  private func judge(_ pending: OpenEvent, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let launch = moment.launch else {
      return findings.cannotTell(.profileKeyMissing(.launch))
    }
    if !LaunchReason.inBackground.contains(launch) { return findings.foundClean() }
    findings.report(
      pending,
      says: "posted in a background launch (\(launch.rawValue)), although nobody opened the app")
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    if pending != nil, moment.launch.map(LaunchReason.inBackground.contains) ?? true {
      findings.cannotTell(reason)
    }
  }
}
