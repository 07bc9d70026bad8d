import LifecycleModel
import TraceAnalysis

/// A process is launched once.
struct LaunchOnceRule: Rule {
  static let description = RuleDescription(
    id: "launch-once",
    number: 2,
    topic: .launch,
    summary: "each launch callback comes at most once in a process",
    severity: .error,
    sources: [.launchSequence],
    why: """
      The launch callbacks set up what lives as long as the process. Called again they set it up \
      twice: two windows, two databases, observers that fire double.
      """,
    remedy: "Look for code that calls the delegate by hand, for example to start the app anew.",
    limits: """
      A test host or a reload of a scripting world starts its own world anew and not the process. \
      Processes are told apart by process.start, which must be recorded.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate], [.process]]),
    patterns: [
      .never(
        .call(.applicationWillFinishLaunching),
        between: .call(.applicationWillFinishLaunching), until: .nothing, per: .app,
        says: "{name} came again in the same process; the first was at {since}"),
      .never(
        .call(.applicationDidFinishLaunching),
        between: .call(.applicationDidFinishLaunching), until: .nothing, per: .app,
        says: "{name} came again in the same process; the first was at {since}"),
    ],
    examples: [
      .clean(
        "once each",
        """
        0s - profile hooks=app-delegate,system
        0s - process.start app pid=1
        1s main call applicationWillFinishLaunching app
        1.2s main call applicationDidFinishLaunching app
        """),
      .clean(
        "once in each of two processes",
        """
        0s - profile hooks=app-delegate,system
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        9s - process.start app pid=2
        10s main call applicationDidFinishLaunching app
        """),
      .clean(
        "a reload of a scripting world is no launch",
        """
        0s - profile hooks=app-delegate,system,work
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        2s main work other app "reload"
        """),
      .cannotTell(
        "the start of another process may stand in the gap",
        """
        0s - profile hooks=app-delegate,system
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        9s - gap ring-full 7
        10s main call applicationDidFinishLaunching app
        """),
      .violating(
        "twice in one process",
        """
        0s - profile hooks=app-delegate,system
        0s - process.start app pid=1
        1s main call applicationDidFinishLaunching app
        1.1s main return applicationDidFinishLaunching app
        9s main call applicationDidFinishLaunching app ◀
        """),
    ]
  )
}
