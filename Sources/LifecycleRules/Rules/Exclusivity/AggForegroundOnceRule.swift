import LifecycleModel
import TraceAnalysis

/// The app enters the foreground once, however many scenes do.
struct AggForegroundOnceRule: Rule {
  static let description: RuleDescription = .init(
    id: "agg-foreground-once",
    number: 39,
    topic: .exclusivity,
    summary:
      "UIApplication.willEnterForegroundNotification comes once per return of the whole app",
    severity: .warning,
    cause: SharedCause(.misplacedCallback, rank: 11),
    advice: .dropCulprit,
    sources: [.appWillEnterForegroundNotification, .resignOfEachScene],
    why: """
      The notification concerns the whole app, so UIKit does not post it again when another scene \
      opens. If it repeats, observers refresh, unlock or count too often.
      """,
    remedy: "Post it only when the first scene leaves the background.",
    limits: """
      Checked from version 26 on, because its documentation says so; older systems may differ. The \
      order among the scenes' callbacks is not specified: a notification before or after them \
      counts for the same return. The other three notifications may come once per scene.
      """,
    needs: RuleNeeds(
      hooks: [[.appNotifications], [.sceneDelegate, .sceneNotifications]],
      profile: [.mode(.scene), .osMajor(from: 26)]),
    given: "0s - profile mode=scene os=26.0 hooks=scene-delegate,app-notifications",
    examples: """
      clean: a second scene is opened without it
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      2s main call sceneDidBecomeActive scene:1
      3s..3.1s main call sceneWillEnterForeground scene:2

      clean: before the scene's callback, between two scenes, and after the activation
      1s main notify UIApplication.willEnterForegroundNotification app
      1.1s..1.2s main call sceneWillEnterForeground scene:1
      2s..2.1s main call sceneDidEnterBackground scene:1
      3s..3.1s main call sceneWillEnterForeground scene:2
      3.2s main notify UIApplication.willEnterForegroundNotification app
      3.3s..3.4s main call sceneWillEnterForeground scene:1
      4s..4.1s main call sceneDidEnterBackground scene:1
      4.2s..4.3s main call sceneDidEnterBackground scene:2
      5s..5.1s main call sceneWillEnterForeground scene:1
      5.2s..5.3s main call sceneDidBecomeActive scene:1
      5.4s main notify UIApplication.willEnterForegroundNotification app

      clean: the system's word on the state comes before the callback of the return
      0s - profile mode=scene os=26.1 hooks=scene-delegate,app-notifications
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      2s main state foregroundInactive->background scene:1
      2.1s..2.2s main call sceneDidEnterBackground scene:1
      3s main state background->foregroundInactive scene:1
      3.1s..3.2s main call sceneWillEnterForeground scene:1
      3.3s main notify UIApplication.willEnterForegroundNotification app

      clean: the only scene closes, and another one opens
      0s - profile mode=scene os=26.1 hooks=scene-delegate,app-notifications
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      2s..2.1s main call sceneDidDisconnect scene:1
      3s main state background->foregroundInactive scene:2
      3.1s main notify UIApplication.willEnterForegroundNotification app

      clean: an older system
      0s - profile mode=scene os=18.2 hooks=scene-delegate,app-notifications
      2s main call sceneDidBecomeActive scene:1
      3s main notify UIApplication.willEnterForegroundNotification app
      4s main notify UIApplication.willEnterForegroundNotification app

      clean: the resign may come for each scene
      1s main call sceneDidBecomeActive scene:1
      1.1s main call sceneDidBecomeActive scene:2
      2s main call sceneWillResignActive scene:1
      2.1s main notify UIApplication.willResignActiveNotification app
      2.2s main call sceneWillResignActive scene:2
      2.3s main notify UIApplication.willResignActiveNotification app

      cannot tell: version unknown
      0s - profile mode=scene hooks=scene-delegate,app-notifications
      2s main call sceneDidBecomeActive scene:1
      3s main notify UIApplication.willEnterForegroundNotification app

      cannot tell: a trip to the background may be in the gap
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      2s - gap ring-full 12
      3s main notify UIApplication.willEnterForegroundNotification app

      cannot tell: a second window may have left the foreground in the gap
      1s main call sceneDidBecomeActive scene:1
      2s main call sceneDidBecomeActive scene:2
      3s - gap ring-full 12
      4s main call sceneDidEnterBackground scene:1
      5s main notify UIApplication.willEnterForegroundNotification app
      5.1s main call sceneWillEnterForeground scene:1
      5.2s main call sceneDidBecomeActive scene:1
      6s main call sceneDidEnterBackground scene:1
      7s main notify UIApplication.willEnterForegroundNotification app

      violating: posted again after an interruption, in which the scene stays in the foreground
      0s - profile mode=scene os=26.1 hooks=scene-delegate,app-notifications
      1s main state background->foregroundInactive scene:1
      1.1s main notify UIApplication.willEnterForegroundNotification app
      1.2s main state foregroundInactive->foregroundActive scene:1
      2s main state foregroundActive->foregroundInactive scene:1
      3s main state foregroundInactive->foregroundActive scene:1
      3.1s main notify UIApplication.willEnterForegroundNotification app ◀

      violating: posted again for the second scene
      1s..1.1s main call sceneWillEnterForeground scene:1
      1.2s main notify UIApplication.willEnterForegroundNotification app
      2s..2.1s main call sceneDidBecomeActive scene:1
      3s..3.1s main call sceneWillEnterForeground scene:2
      3.2s main notify UIApplication.willEnterForegroundNotification app ◀
      """
  )

  private static let notification = LifecycleNotification.applicationWillEnterForeground.symbol

  static let interests: [EventPattern] = [
    .notify(.applicationWillEnterForeground), .verbs(.state),
    Turner.scene.events(.foreground, .activate, .background, .disconnect),
    .returned(.sceneWillEnterForeground),
  ]

  /// The last notification that was counted.
  private var counted: OpenEvent?
  /// Whether the app was out of the foreground when the rule last looked.
  private var wasAway = false
  /// Whether the app has been out of the foreground since the last notification: it may post one,
  /// before, among or after the events of its return.
  private var owesOne = true
  /// Whether only scenes that a gap hides have kept the app in the foreground since then.
  private var mayOweOne = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let isAway = moment.state.foreground.all == 0
    if isAway && !wasAway { owesOne = true }
    wasAway = isAway
    if !isAway && isPerhapsAway(moment) { mayOweOne = true }
    guard event.name == Self.notification, event.verb == .notify else { return }

    defer { (counted, mayOweOne) = (moment.fact(event), false) }
    if isAway || owesOne {
      owesOne = false
      findings.foundClean()
    } else if mayOweOne {
      findings.cannotTell(.gap)
    } else if let counted {
      findings.report(
        event, since: counted,
        says: "posted again since {since}, although the app was not in the background in between")
    }
  }

  /// Whether each scene that is taken to be in the foreground may have left it in a gap.
  private func isPerhapsAway(_ moment: Moment) -> Bool {
    if moment.state.lastGap == nil { return false }
    return moment.state.scenes.allSatisfy {
      !$0.activation.isForeground || !moment.state.isCertain($0.since)
    }
  }
}
