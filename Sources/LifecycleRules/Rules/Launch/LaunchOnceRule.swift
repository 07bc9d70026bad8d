import LifecycleModel
import TraceAnalysis

/// A process is launched once.
struct LaunchOnceRule: Rule {
  static let description = RuleDescription(
    id: "launch-once",
    number: 2,
    topic: .launch,
    summary: "each launch callback comes at most once per process",
    severity: .error,
    sources: [.launchSequence],
    why: """
      The launch callbacks set up what lives as long as the process. A second call sets it up \
      twice: two windows, two databases, observers that fire twice.
      """,
    remedy: "Look for code that calls the delegate directly, for example to restart the app.",
    limits: """
      A test host or a script reload restarts its own world, not the process. The rule needs \
      process.start events to tell processes apart.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.process]]),
    patterns: [
      .never(
        .call(.applicationWillFinishLaunching),
        between: .call(.applicationWillFinishLaunching), until: .nothing, per: .app,
        says: "{name} came again in the same process; the first call was at {since}"),
      .never(
        .call(.applicationDidFinishLaunching),
        between: .call(.applicationDidFinishLaunching), until: .nothing, per: .app,
        says: "{name} came again in the same process; the first call was at {since}"),
    ],
    given: "0s - profile hooks=app-delegate,system",
    examples: [
      .clean(
        "once each",
        """
        0s - process.start app pid=1
        1s main call applicationWillFinishLaunching app
        1.2s main call applicationDidFinishLaunching app
        """),
      .clean(
        "once in each of two processes",
        """
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        9s - process.start app pid=2
        10s main call applicationDidFinishLaunching app
        """),
      .clean(
        "a script reload is not a launch",
        """
        0s - profile hooks=app-delegate,system,work
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        2s main work other app "reload"
        """),
      .clean(
        "a launch callback behind a gap begins another process",
        """
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        9s - gap ring-full 7
        10s main call applicationDidFinishLaunching app
        """),
      .violating(
        "twice in one process",
        """
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        9s main call applicationDidFinishLaunching app ◀
        """),
    ]
  )
}
