import LifecycleModel
import TraceAnalysis

/// The app's code leaves its interface alone in the background.
struct WorkUIInBackgroundRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-ui-in-background",
    formerRules: [FormerRule("work-ui-adjust-in-time", number: 63, culprits: .nothing)],
    number: 62,
    topic: .work,
    summary: "the app does not update its interface after didEnterBackground",
    severity: .warning,
    sources: [
      .s4, .backgroundPreparation, .didEnterBackground, .sceneDidEnterBackground, .snapshotStyle,
    ],
    why: """
      The documentation asks to disable interface updates. In the background nobody sees them, \
      they cost time that the app does not have, and some need the GPU. The system takes the \
      snapshot as soon as the method returns: if the app hides a password later, the app switcher \
      still shows it.
      """,
    remedy: """
      Make what the snapshot should show in {background} itself, without an animation, and not in \
      dispatched work. Note what else has changed and update the views in {foreground}. Separate \
      timers and observers that change views from those that change data.
      """,
    limits: """
      The system takes snapshots in the light and the dark appearance, at times and in numbers that \
      are not specified, and UIKit lays out views for them. Updates that the app does not label are \
      therefore only info, and only after the snapshots; before them the rule cannot tell whose \
      they are. Nothing is checked after a launch or resume in the background.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.ui), while: .subjectInBackground,
        says: "{subject} updated its interface {label} in the background, after {opener} at {since}"
      )
    ],
    given: """
      0s - profile mode=app hooks=app-delegate,work,system
      0s main call applicationDidBecomeActive app
      1s..1.2s main call applicationDidEnterBackground app
      """,
    examples: """
      clean: inside the callback, and in the foreground
      0s - profile mode=app hooks=app-delegate,work,system
      0s main call applicationDidBecomeActive app
      0.5s main work ui app "label"
      1s..1.2s main call applicationDidEnterBackground app
      1.1s main work ui app "hide the balance"

      clean: the snapshot flips the appearance, twice
      2s..2.2s - snapshot.begin app
      2.1s main work ui app "traits"
      2.3s..2.5s - snapshot.begin app
      2.4s main work ui app "traits"
      2.6s main work ui app "layout" by=system

      clean: a view tree that is built in a background launch
      0s - profile mode=scene launch=push hooks=scene-delegate,work,system
      0s - process.start app launch=push
      1s..1.1s main call sceneWillConnect scene:1
      1.2s main work ui scene:1 "onAppear"

      clean: inside the callback, or at the resign
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s main call sceneDidBecomeActive scene:1
      1s..1.2s main call sceneWillResignActive scene:1
      1.1s main work ui scene:1 "blur"
      2s..2.2s main call sceneDidEnterBackground scene:1
      2.1s main work ui scene:1 "hide the password"
      2.3s..2.4s - snapshot.begin scene:1

      clean: UIKit's own layout
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s main call sceneDidBecomeActive scene:1
      2s..2.2s main call sceneDidEnterBackground scene:1
      2.3s main work ui scene:1
      2.3s main work ui scene:1 "layout" by=system

      clean: the other scene
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s main call sceneDidBecomeActive scene:1
      0s main call sceneDidBecomeActive scene:2
      2s..2.2s main call sceneDidEnterBackground scene:1
      2.3s main work ui scene:2 "label"

      cannot tell: before the snapshot, without a label
      1.3s main work ui app

      violating: after the return
      0s - profile mode=scene hooks=scene-delegate,work,system
      0s main call sceneDidBecomeActive scene:1
      2s..2.2s main call sceneDidEnterBackground scene:1
      2.3s main work ui scene:1 "hide the password" ◀
      2.4s - snapshot.begin scene:1

      violating: the app's own label
      9s main work ui app "unread count" ◀

      violating: after the snapshot: info
      2s..2.2s - snapshot.begin app
      9s main work ui app ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.snapshotEnd)]

  private static let tooLate =
    "update {label} of {subject} came too late for the snapshot, after {opener} at {since}"

  /// The places at which the last snapshots of the app and of its scenes were taken.
  private var snapshots = Remembered<(subject: Subject, ordinal: UInt64)>(64, beyond: .oldestGoes)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    snapshots.removeAll { $0.subject == event.subject }
    snapshots.append((event.subject, moment.state.ordinal &+ 1))
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.departure.holds(since: opener, moment) { return .notJudged }
    if moment.departure.isHidden(since: opener, moment) { return .unclear(.gap) }
    let isTaken = isSnapshotTaken(of: culprit.subject, since: opener)
    if culprit.isLabelled {
      return .violation(.warning, says: isTaken || !snapshots.isWhole ? nil : Self.tooLate)
    }

    if isTaken { return .violation(.info) }
    if !moment.profile.records(.system) {
      return .unclear(.hooksNotRecorded([.system]))
    }
    return .unclear(.notSaid("whether the app or the snapshot updated the views"))
  }

  /// Whether a snapshot of `subject`, or of the whole app, is known that was taken after `opener`.
  private func isSnapshotTaken(of subject: Subject, since opener: OpenEvent) -> Bool {
    snapshots.contains {
      $0.ordinal > opener.ordinal
        && ($0.subject == subject || $0.subject.kind != .scene || subject.kind != .scene)
    }
  }
}
