import LifecycleModel
import TraceAnalysis

/// The app's code leaves its interface alone in the background.
struct WorkUIInBackgroundRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-ui-in-background",
    number: 62,
    topic: .work,
    summary: "the app does not update its interface in the background",
    severity: .warning,
    cause: SharedCause(.lateInterface, rank: 2),
    sources: [.s4, .didEnterBackground, .snapshotStyle],
    why: """
      The documentation asks to disable interface updates. In the background nobody sees them, \
      they cost time that the app does not have, and some need the GPU.
      """,
    remedy: """
      Note what has changed and update the views in {foreground}. Separate timers and observers \
      that change views from those that change data.
      """,
    limits: """
      The system takes snapshots in the light and the dark appearance, and UIKit lays out views \
      for them. Updates that the app does not label are therefore only info, and only after the \
      snapshots; before them the rule cannot tell whose they are. Nothing is checked after a \
      launch or resume in the background.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.ui), while: .subjectInBackground,
        says: "{subject} updated its interface {label} in the background, after {opener} at {since}"
      )
    ],
    examples: [
      .clean(
        "inside the callback, and in the foreground",
        """
        0s - profile mode=app hooks=app-delegate,work,system
        0s main call applicationDidBecomeActive app
        0.5s main work ui app "label"
        1s main call applicationDidEnterBackground app
        1.1s main work ui app "hide the balance"
        1.2s main return applicationDidEnterBackground app
        """),
      .clean(
        "the snapshot flips the appearance, twice",
        """
        0s - profile mode=app hooks=app-delegate,work,system
        0s main call applicationDidBecomeActive app
        1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        2s - snapshot.begin app
        2.1s main work ui app "traits"
        2.2s - snapshot.end app
        2.3s - snapshot.begin app
        2.4s main work ui app "traits"
        2.5s - snapshot.end app
        2.6s main work ui app "layout" by=system
        """),
      .clean(
        "a view tree that is built in a background launch",
        """
        0s - profile mode=scene launch=push hooks=scene-delegate,work,system
        0s - process.start app launch=push
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        1.2s main work ui scene:1 "onAppear"
        """),
      .cannotTell(
        "before the snapshot, without a label",
        """
        0s - profile mode=app hooks=app-delegate,work,system
        0s main call applicationDidBecomeActive app
        1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        1.3s main work ui app
        """),
      .violating(
        "the app's own label",
        """
        0s - profile mode=app hooks=app-delegate,work,system
        0s main call applicationDidBecomeActive app
        1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        9s main work ui app "unread count" ◀
        """),
      .violating(
        "after the snapshot: info",
        """
        0s - profile mode=app hooks=app-delegate,work,system
        0s main call applicationDidBecomeActive app
        1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        2s - snapshot.begin app
        2.2s - snapshot.end app
        9s main work ui app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.snapshotEnd)]

  private var snapshots = SnapshotTimes()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    snapshots.note(event, moment)
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.departure.holds(since: opener, moment) { return .notJudged }
    if moment.departure.isHidden(since: opener, moment) { return .unclear(.gap) }
    if culprit.isLabelled { return .violation(.warning) }
    if snapshots.isTaken(of: culprit.subject, since: opener) == true { return .violation(.info) }
    if !moment.profile.records(.system) {
      return .unclear(.hooksNotRecorded([.system]))
    }
    return .unclear(.notSaid("whether the app or the snapshot updated the views"))
  }
}
