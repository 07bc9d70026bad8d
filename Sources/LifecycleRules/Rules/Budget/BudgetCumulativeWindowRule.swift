import LifecycleModel
import TraceAnalysis

/// A watchdog kill is explained by what took the time, not by what ran last.
struct BudgetCumulativeWindowRule: Rule {
  static let description = RuleDescription(
    id: "budget-cumulative-window",
    number: 56,
    topic: .budget,
    summary: "what ran last before a watchdog kill is what took most of the time",
    severity: .info,
    cause: SharedCause(.busyMainThread, rank: 1),
    sources: [.watchdog, .hangs],
    why: """
      The stack of a watchdog report shows what ran when the time was over. Work before it may have \
      used most of the time up and be gone from the stack: the report then blames the wrong code.
      """,
    remedy: "Move the work with the largest share off the main thread, or make it shorter.",
    limits: """
      The window is the stretch in which the main thread was busy up to the kill, with pauses of less \
      than 250 ms. Work without a beginning and an end does not count, nor do single pieces under a \
      millisecond; where nothing was open on the main thread the rule cannot tell. Off under a \
      debugger.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .sceneDelegate, .work], [.system]], profile: [.noDebugger]),
    patterns: [.mainThreadShares(atKill: "0x8badf00d")],
    examples: [
      .clean(
        "what ran last took the most",
        """
        0s - profile hooks=app-delegate,work,system
        1s main call applicationDidEnterBackground app
        1.1s main work.begin other app "layout"
        1.6s main work.end other app "layout"
        1.7s main work.begin save app "archive"
        6s - kill app code=0x8badf00d
        """),
      .clean(
        "work before a pause does not count, nor does another thread's",
        """
        0s - profile hooks=app-delegate,work,system
        1s main work.begin other app "parse"
        9s main work.end other app "parse"
        10s main call applicationDidEnterBackground app
        10.1s db work.begin save app "archive"
        15s - kill app code=0x8badf00d
        """),
      .cannotTell(
        "nothing with a beginning was running",
        """
        0s - profile hooks=app-delegate,work,system
        1s main work timer app "poll"
        15s - kill app code=0x8badf00d
        """),
      .cannotTell(
        "events are missing in the window",
        """
        0s - profile hooks=app-delegate,work,system
        1s main work.begin other app "parse"
        5s main work.end other app "parse"
        5s - gap ring-full 5
        5.1s main work.begin other app "layout"
        6.1s - kill app code=0x8badf00d
        """),
      .violating(
        "four seconds before the one in which it was killed",
        """
        0s - profile hooks=app-delegate,work,system
        1s main work.begin other app "parse" ◀
        5s main work.end other app "parse"
        5.01s main work.begin ui app "layout"
        6s - kill app code=0x8badf00d
        """),
    ]
  )
}
