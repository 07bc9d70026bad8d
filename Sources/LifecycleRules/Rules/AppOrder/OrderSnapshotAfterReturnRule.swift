import LifecycleModel
import TraceAnalysis

/// The snapshot is taken when didEnterBackground is over.
struct OrderSnapshotAfterReturnRule: Rule {
  static let description = RuleDescription(
    id: "order-snapshot-after-return",
    number: 22,
    topic: .appOrder,
    summary: "no snapshot is taken while didEnterBackground runs",
    severity: .warning,
    advice: .words("take the snapshot after the return of {opener}", calledFor: .return),
    sources: [.backgroundPreparation, .sceneDidEnterBackground, .s3],
    why: """
      The pages let an app hide what is private until didEnterBackground returns. A picture that is \
      taken before shows it in the app switcher.
      """,
    remedy: """
      Hide it in willResignActive already. When the log comes from another implementation of UIKit, \
      take the snapshot after the call.
      """,
    limits: """
      How many snapshots are taken, and when, is not documented: one at the resign, several, and none \
      at all are not judged. A snapshot is held against the callback with the same subject.
      """,
    needs: RuleNeeds(hooks: [[.system], [.appDelegate, .sceneDelegate]]),
    patterns: [
      .never(
        .verbs(.snapshotBegin),
        while: .insideCallback(
          ofScene: .sceneDidEnterBackground, ofApp: .applicationDidEnterBackground),
        says: "a snapshot of {subject} was taken while {opener} ran, since {since}")
    ],
    examples: [
      .clean(
        "after the return",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidEnterBackground scene:1
        1.2s main return sceneDidEnterBackground scene:1
        1.3s - snapshot.begin scene:1
        1.4s - snapshot.end scene:1
        """),
      .clean(
        "one in light, one in dark, and one more later",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidEnterBackground scene:1
        1.2s main return sceneDidEnterBackground scene:1
        1.3s - snapshot.begin scene:1
        1.4s - snapshot.end scene:1
        1.5s - snapshot.begin scene:1
        1.6s - snapshot.end scene:1
        90s - snapshot.begin scene:1
        90.1s - snapshot.end scene:1
        """),
      .clean(
        "the switcher's card, at the resign",
        """
        0s - profile mode=app hooks=app-delegate,system
        1s main call applicationWillResignActive app
        1.1s - snapshot.begin app
        1.2s - snapshot.end app
        1.3s main return applicationWillResignActive app
        """),
      .clean(
        "another scene",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidEnterBackground scene:1
        1.1s - snapshot.begin scene:2
        1.2s main return sceneDidEnterBackground scene:1
        """),
      .cannotTell(
        "the return may stand in the gap",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidEnterBackground scene:1
        1.1s - gap ring-full 2
        1.3s - snapshot.begin scene:1
        """),
      .violating(
        "before the return",
        """
        0s - profile mode=scene hooks=scene-delegate,system
        1s main call sceneDidEnterBackground scene:1
        1.1s - snapshot.begin scene:1 ◀
        1.2s main return sceneDidEnterBackground scene:1
        """),
    ]
  )
}
