import LifecycleModel
import TraceAnalysis

/// An app takes less memory in the background than it took in the foreground.
struct WorkMemoryInBackgroundRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-memory-in-background",
    number: 70,
    topic: .work,
    summary: "the app takes less memory in the background than in the foreground before",
    severity: .info,
    sources: [.backgroundPreparation, .reducingTerminations],
    why: """
      When memory runs short the system purges the largest suspended apps first. One that drops its \
      caches stays, and comes back at once.
      """,
    remedy: "Drop caches of your own in didEnterBackground: what can be loaded again from disk.",
    limits: """
      A heuristic. The app has five seconds to drop things; samples before that are not judged. \
      Named images and the contents of NSCache are the system's to release and need not be dropped.
      """,
    needs: RuleNeeds(hooks: [
      [.work],
      [.appDelegate, .sceneDelegate, .appNotifications, .sceneNotifications, .system],
    ]),
    patterns: [
      .never(
        .sample(.memory), while: .subjectInBackground,
        says: "the app takes as much memory in the background as before {opener} at {since}")
    ],
    examples: [
      .clean(
        "lower, and a sample that is too early to judge",
        """
        0s - profile mode=app hooks=app-delegate,work
        0s main call applicationDidBecomeActive app
        1s main sample memory app 200000000
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        2.3s main sample memory app 210000000
        9s main sample memory app 90000000
        """),
      .clean(
        "a little lower: the system's caches need not be dropped",
        """
        0s - profile mode=app hooks=app-delegate,work
        0s main call applicationDidBecomeActive app
        1s main sample memory app 200000000
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        9s main sample memory app 199000000
        """),
      .cannotTell(
        "how much it took before is not known",
        """
        0s - profile mode=app hooks=app-delegate,work
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        9s main sample memory app 199000000
        """),
      .violating(
        "as much as before",
        """
        0s - profile mode=app hooks=app-delegate,work
        0s main call applicationDidBecomeActive app
        1s main sample memory app 200000000
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        9s main sample memory app 204000000 ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.sample(.memory)]

  /// What was sampled last in the foreground.
  private var inForeground: Int64?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.appState?.isForeground == true { inForeground = event.value }
  }

  mutating func judge(_ culprit: Event, since opener: Fact, _ moment: Moment) -> Judgement {
    if moment.awake(culprit) &- moment.awake(opener) < Allowances.Background.memory {
      return .notJudged
    }
    guard let inForeground, let bytes = culprit.value else {
      return .unclear(.notSaid("how much memory the app took in the foreground"))
    }
    return bytes >= inForeground ? .violation() : .kept
  }
}
