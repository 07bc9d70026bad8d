import LifecycleModel
import TraceAnalysis

/// Alerts and other passing views are dismissed before the snapshot.
struct WorkAlertPresentedAtBackgroundRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-alert-presented-at-background",
    number: 71,
    topic: .work,
    summary: "alerts and action sheets are dismissed when didEnterBackground returns",
    severity: .info,
    sources: [.backgroundPreparation],
    why: """
      A user who returns after an hour has forgotten the question, and the snapshot shows it until \
      then.
      """,
    remedy: "Dismiss temporary views in {background}; ask again when the app is active.",
    limits: """
      Only the app knows which views are alerts: it records `acquire other` with the attribute \
      kind=alert while an alert is visible. If the log never states it, the rule cannot tell, \
      unless the profile states marks=alert. System alerts carry by=system: an app cannot dismiss \
      them.
      """,
    needs: RuleNeeds(hooks: [[.resources], .delegates]),
    given: "0s - profile mode=scene hooks=scene-delegate,resources",
    examples: """
      clean: dismissed in the callback
      1s main acquire other scene:1 "Delete?" kind=alert
      2s..2.2s main call sceneDidEnterBackground scene:1
      2.1s main release other scene:1 "Delete?"

      clean: an alert of the system, and one in another scene
      1s main acquire other scene:1 "Allow location?" kind=alert by=system
      1s main acquire other scene:2 "Delete?" kind=alert
      2.2s main return sceneDidEnterBackground scene:1

      clean: the app labels its alerts, and there was none
      0s - profile mode=scene marks=alert hooks=scene-delegate,resources
      2.2s main return sceneDidEnterBackground scene:1

      cannot tell: the log never states what is an alert
      2.2s main return sceneDidEnterBackground scene:1

      violating: still up
      1s main acquire other scene:1 "Delete?" kind=alert
      2s main call sceneDidEnterBackground scene:1
      2.2s main return sceneDidEnterBackground scene:1 ◀
      """
  )

  static let interests = ViewsOnScreen.interests

  private var views = ViewsOnScreen(kind: .alert)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    views.judge(
      event, moment, &findings,
      says: "{name} returned while the alert {held} was visible, since {since}")
  }

  mutating func keep(from last: Self) { self = last }
}
