import LifecycleModel
import TraceAnalysis

/// What the snapshot should show is changed before didEnterBackground returns.
struct WorkUIAdjustInTimeRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-ui-adjust-in-time",
    number: 63,
    topic: .work,
    summary: "the app adjusts its interface before didEnterBackground returns, not after",
    severity: .warning,
    cause: SharedCause(.lateInterface, rank: 1),
    sources: [.s4, .backgroundPreparation, .sceneDidEnterBackground],
    why: """
      The system takes the snapshot as soon as the method returns. If the app hides a password \
      later, the app switcher still shows it.
      """,
    remedy: """
      Make the change in {background} itself, without an animation, and not in dispatched work.
      """,
    limits: """
      Only updates that the app labels are checked, because UIKit lays out views again for the \
      snapshot, and only until the first snapshot. The number and the times of snapshots are not \
      specified.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.ui), while: .subjectInBackground,
        says: """
          update {label} of {subject} came too late for the snapshot, after {opener} at {since}
          """)
    ],
    examples: [
      .clean(
        "inside the callback, or at the resign",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s main call sceneDidBecomeActive scene:1
        1s main call sceneWillResignActive scene:1
        1.1s main work ui scene:1 "blur"
        1.2s main return sceneWillResignActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.1s main work ui scene:1 "hide the password"
        2.2s main return sceneDidEnterBackground scene:1
        2.3s - snapshot.begin scene:1
        2.4s - snapshot.end scene:1
        """),
      .clean(
        "UIKit's own layout",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.2s main return sceneDidEnterBackground scene:1
        2.3s main work ui scene:1
        2.3s main work ui scene:1 "layout" by=system
        """),
      .clean(
        "the other scene",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s main call sceneDidBecomeActive scene:1
        0s main call sceneDidBecomeActive scene:2
        2s main call sceneDidEnterBackground scene:1
        2.2s main return sceneDidEnterBackground scene:1
        2.3s main work ui scene:2 "label"
        """),
      .violating(
        "after the return",
        """
        0s - profile mode=scene hooks=scene-delegate,work,system
        0s main call sceneDidBecomeActive scene:1
        2s main call sceneDidEnterBackground scene:1
        2.2s main return sceneDidEnterBackground scene:1
        2.3s main work ui scene:1 "hide the password" ◀
        2.4s - snapshot.begin scene:1
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.snapshotEnd)]

  private var snapshots = SnapshotTimes()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    snapshots.note(event, moment)
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    guard culprit.isLabelled, moment.departure.holds(since: opener, moment) else {
      return .notJudged
    }
    if moment.departure.isHidden(since: opener, moment) { return .unclear(.gap) }
    return switch snapshots.isTaken(of: culprit.subject, since: opener) {
    case true?: .notJudged
    case false?: .violation()
    case nil: .unclear(.tooManyInstances)
    }
  }
}
