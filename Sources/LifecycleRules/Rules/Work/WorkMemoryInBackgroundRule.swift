import LifecycleModel
import TraceAnalysis

/// An app takes less memory in the background than it took in the foreground.
struct WorkMemoryInBackgroundRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-memory-in-background",
    number: 70,
    topic: .work,
    summary: "the app uses less memory in the background than before in the foreground",
    severity: .info,
    sources: [.backgroundPreparation, .reducingTerminations],
    why: """
      When memory is short, the system purges the largest suspended apps first. An app that drops \
      its caches stays, and returns immediately.
      """,
    remedy: """
      Drop the app's own caches in {background}: everything that it can reload from disk.
      """,
    limits: """
      A heuristic. The app has five seconds to release memory; earlier samples are not checked. \
      The system releases named images and the contents of NSCache, so the app need not drop them.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .sample(.memory), while: .subjectInBackground,
        says: "the app uses as much memory in the background as before {opener} at {since}")
    ],
    given: """
      0s - profile mode=app hooks=app-delegate,work
      0s main call applicationDidBecomeActive app
      1s main sample memory app 200000000
      2s..2.2s main call applicationDidEnterBackground app
      """,
    examples: """
      clean: lower, and a sample that is too early to judge
      2.3s main sample memory app 210000000
      9s main sample memory app 90000000

      clean: a little lower: the system's caches need not be dropped
      9s main sample memory app 199000000

      cannot tell: earlier memory use unknown
      0s - profile mode=app hooks=app-delegate,work
      2s..2.2s main call applicationDidEnterBackground app
      9s main sample memory app 199000000

      violating: as much as before
      9s main sample memory app 204000000 ◀
      """
  )

  static let interests: [EventPattern] = [.sample(.memory)]

  /// What was sampled last in the foreground.
  private var inForeground: Int64?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.appState?.isForeground == true { inForeground = event.value }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if moment.awake(culprit) &- moment.awake(opener) < Allowances.Background.memory {
      return .notJudged
    }
    guard let inForeground, let bytes = culprit.value else {
      return .unclear(.notSaid("how much memory the app used in the foreground"))
    }
    return bytes >= inForeground ? .violation() : .kept
  }
}
