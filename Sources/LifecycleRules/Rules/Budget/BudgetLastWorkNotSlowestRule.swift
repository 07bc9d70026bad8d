import LifecycleModel
import TraceAnalysis

/// A watchdog kill is explained by what took the time, not by what ran last.
struct BudgetLastWorkNotSlowestRule: Rule {
  static let description = RuleDescription(
    id: "budget-last-work-not-slowest", formerRules: ["budget-cumulative-window"],
    number: 56,
    topic: .budget,
    summary: "the work that ran last before a watchdog kill took most of the time",
    severity: .info,
    cause: SharedCause(.busyMainThread, rank: 1),
    sources: [.watchdog, .hangs],
    why: """
      The stack in a watchdog report shows what ran when the time was over. Earlier work may have \
      used most of the time and be gone from the stack. The report then blames the wrong code.
      """,
    remedy: "Move the work with the largest share off the main thread, or make it shorter.",
    limits: """
      The rule looks at the stretch of busy time on the main thread before the kill, with pauses \
      under 250 ms. Work without a begin and an end does not count, nor do pieces under a \
      millisecond. If no work was open on the main thread, the rule cannot tell. Not checked under \
      a debugger.
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
        1s main call applicationDidEnterBackground app
        1s main work.begin other app "parse" ◀
        5s main work.end other app "parse"
        5.01s main work.begin ui app "layout"
        6s - kill app code=0x8badf00d
        """),
    ]
  )
}
