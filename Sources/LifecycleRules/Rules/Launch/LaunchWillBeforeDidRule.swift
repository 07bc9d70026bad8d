import LifecycleModel
import TraceAnalysis

/// The launch begins before it finishes.
struct LaunchWillBeforeDidRule: Rule {
  static let description = RuleDescription(
    id: "launch-will-before-did",
    number: 1,
    topic: .launch,
    summary: "applicationWillFinishLaunching comes before applicationDidFinishLaunching",
    severity: .error,
    sources: [.launchSequence],
    why: """
      UIKit restores state between the two. If the second runs first, the preparations of the \
      first are missing.
      """,
    remedy: "Look for code that calls the delegate directly, or a port that swaps the two.",
    limits: "If the app implements only one of the two, there is nothing to compare.",
    needs: RuleNeeds(hooks: [[.appDelegate]]),
    patterns: [
      .orderOnce(
        .call(.applicationWillFinishLaunching),
        then: .call(.applicationDidFinishLaunching),
        per: .app,
        says: "{name} was called before applicationWillFinishLaunching")
    ],
    given: "0s - profile hooks=app-delegate",
    examples: [
      .clean(
        "will, then did",
        """
        1s main call applicationWillFinishLaunching app
        1.1s main return applicationWillFinishLaunching app
        1.2s main call applicationDidFinishLaunching app
        """),
      .clean(
        "an app that implements only the second",
        """
        1.2s main call applicationDidFinishLaunching app
        """),
      .clean(
        "an app that implements only the first",
        """
        1.2s main call applicationWillFinishLaunching app
        """),
      .cannotTell(
        "events are missing between the two: another process may have begun",
        """
        1s main call applicationDidFinishLaunching app
        1.1s - gap ring-full 9
        1.2s main call applicationWillFinishLaunching app
        """),
      .violating(
        "did, then will",
        """
        1s main call applicationDidFinishLaunching app ◀
        1.1s main return applicationDidFinishLaunching app
        1.2s main call applicationWillFinishLaunching app
        """),
    ]
  )
}
