import LifecycleModel
import TraceAnalysis

/// Nothing sensitive is on screen when the snapshot is taken.
struct WorkSensitiveInSnapshotRule: Rule {
  static let description: RuleDescription = .init(
    id: "work-sensitive-in-snapshot",
    number: 64,
    topic: .work,
    summary: "sensitive views are hidden when didEnterBackground returns",
    severity: .warning,
    sources: [.backgroundPreparation, .sceneDidEnterBackground],
    why: """
      The system keeps the snapshot on disk and shows it in the app switcher to anyone who holds \
      the device.
      """,
    remedy: "Hide or blur the views in {resign} or {background}.",
    limits: """
      Only the app knows what is sensitive: it records `acquire other` with the attribute \
      kind=sensitive while such a view is on screen, and `release` when it is hidden. If the log \
      never states it, the rule cannot tell, unless the profile states marks=sensitive. The number \
      and the times of snapshots are not specified.
      """,
    needs: RuleNeeds(hooks: [[.resources], .delegates]),
    given: "0s - profile mode=app hooks=app-delegate,resources",
    examples: """
      clean: hidden in the callback
      1s main acquire other app "card number" kind=sensitive
      2s..2.2s main call applicationDidEnterBackground app
      2.1s main release other app "card number"

      clean: blurred at the resign already
      1s main acquire other app "card number" kind=sensitive
      1.5s..1.7s main call applicationWillResignActive app
      1.6s main release other app "card number"
      2.2s main return applicationDidEnterBackground app

      clean: the app labels such views, and there was none
      0s - profile mode=app marks=sensitive hooks=app-delegate,resources
      2.2s main return applicationDidEnterBackground app

      cannot tell: the log never states what is sensitive
      2.2s main return applicationDidEnterBackground app

      violating: still on screen
      1s main acquire other app "card number" kind=sensitive
      2s main call applicationDidEnterBackground app
      2.2s main return applicationDidEnterBackground app ◀
      """
  )

  static let interests = ViewsOnScreen.interests

  private var views = ViewsOnScreen(kind: .sensitive)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    views.judge(
      event, moment, &findings,
      says: """
        {name} returned while sensitive {held} was on screen since {since}: the snapshot shows it
        """)
  }

  mutating func keep(from last: Self) { self = last }
}
