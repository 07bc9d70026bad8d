import LifecycleModel
import TraceAnalysis

/// The snapshot is taken when didEnterBackground is over.
struct OrderSnapshotAfterReturnRule: Rule {
  static let description: RuleDescription = .init(
    id: "order-snapshot-after-return",
    number: 22,
    topic: .appOrder,
    summary: "the system takes no snapshot while didEnterBackground runs",
    severity: .warning,
    advice: .words("take the snapshot after {opener} returns", calledFor: .return),
    sources: [.backgroundPreparation, .sceneDidEnterBackground, .s3],
    why: """
      The app may hide private content until didEnterBackground returns. An earlier snapshot shows \
      that content in the app switcher.
      """,
    remedy: """
      Hide private content in {resign}. In a UIKit port, take the snapshot after the call.
      """,
    limits: """
      The number and the times of snapshots are not documented: one at the resign, several, or \
      none at all are not checked. The rule compares a snapshot with the callback of the same \
      subject.
      """,
    needs: RuleNeeds(hooks: [[.system], .delegates]),
    patterns: [
      .never(
        .verbs(.snapshotBegin),
        while: .insideCallback(
          ofScene: .sceneDidEnterBackground, ofApp: .applicationDidEnterBackground),
        says: "a snapshot of {subject} was taken while {opener} ran, since {since}")
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,system",
    examples: """
      clean: after the return
      1s..1.2s main call sceneDidEnterBackground scene:1
      1.3s..1.4s - snapshot.begin scene:1

      clean: one in light, one in dark, and one more later
      1s..1.2s main call sceneDidEnterBackground scene:1
      1.3s..1.4s - snapshot.begin scene:1
      1.5s..1.6s - snapshot.begin scene:1
      90s..90.1s - snapshot.begin scene:1

      clean: the switcher's card, at the resign
      0s - profile mode=app hooks=app-delegate,system
      1s..1.3s main call applicationWillResignActive app
      1.1s..1.2s - snapshot.begin app

      clean: another scene
      1s..1.2s main call sceneDidEnterBackground scene:1
      1.1s - snapshot.begin scene:2

      cannot tell: the return may be in the gap
      1s main call sceneDidEnterBackground scene:1
      1.1s - gap ring-full 2
      1.3s - snapshot.begin scene:1

      violating: before the return
      1s..1.2s main call sceneDidEnterBackground scene:1
      1.1s - snapshot.begin scene:1 ◀
      """
  )
}
