import LifecycleModel
import TraceAnalysis

/// A watchdog kill is explained by what took the time, not by what ran last.
struct BudgetLastWorkNotSlowestRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-last-work-not-slowest",
    formerRules: [
      "budget-cumulative-window",
      FormerRule("pm-watchdog-time-shared", number: 98, culprits: .nothing),
      FormerRule("pm-cumulative-not-last-frame", culprits: .nothing),
    ],
    number: 56,
    topic: .budget,
    summary: "the work that runs at a watchdog kill took most of the time, and used it up alone",
    severity: .info,
    cause: SharedCause(.death, rank: 5),
    sources: [.watchdog, .hangs],
    why: """
      The stack in a watchdog report shows what ran when the time was over. Earlier work may have \
      used most of the time and be gone from the stack, or several pieces in a row used it up. The \
      report then blames the wrong code.
      """,
    remedy: "Move the work with the largest share off the main thread, or make it shorter.",
    limits: """
      The rule looks at the stretch of busy time on the main thread before the kill, with pauses \
      under 250 ms. Work without a begin and an end does not count, nor do pieces under a \
      millisecond. If no work was open on the main thread, the rule cannot tell. Whether the last \
      piece used up the time alone is asked only if the stretch is as long as the watchdog's time. \
      Not checked under a debugger.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .sceneDelegate, .work], [.process]], profile: [.noDebugger]),
    patterns: [.mainThreadShares(atKill: "0x8badf00d")],
    given: "0s - profile hooks=app-delegate,work,system",
    examples: """
      clean: one piece took it all
      1s main call applicationDidEnterBackground app
      1.1s main work.begin other app "parse"
      6.5s - kill app code=0x8badf00d

      clean: work before a pause does not count, nor does another thread's
      1s..9s main work.begin other app "parse"
      10s main call applicationDidEnterBackground app
      10.1s db work.begin save app "archive"
      15s - kill app code=0x8badf00d

      cannot tell: nothing with a beginning was running
      1s main work timer app "poll"
      15s - kill app code=0x8badf00d

      cannot tell: events are missing in the window
      1s..5s main work.begin other app "parse"
      5s - gap ring-full 5
      5.1s main work.begin other app "layout"
      6.1s - kill app code=0x8badf00d

      violating: four seconds before the one in which it was killed
      1s main call applicationDidEnterBackground app
      1s..5s main work.begin other app "parse" ◀
      5.01s main work.begin ui app "layout"
      6s - kill app code=0x8badf00d

      violating: what ran last took the most, and with what came before all of it
      1s main call applicationDidEnterBackground app
      1.1s..1.6s main work.begin other app "layout"
      1.7s main work.begin save app "archive" ◀
      6s - kill app code=0x8badf00d
      """
  )

  static let interests: [EventPattern] = [.verbs(.kill)]

  /// What ran last took the most, and not enough for the watchdog: the sum of all pieces did.
  ///
  /// The pattern judges what did not run last.
  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard DeathCauses.isByWatchdog(event, moment.vocabulary), moment.state.processEnd == nil
    else { return }
    let window = moment.mainThread
    let shares = moment.mainThreadShares(at: moment.awake(event))
    guard let outermost = window.outermost, let largest = shares.first,
      let running = window.running(lastWritten: moment.lastOnMain.ordinal),
      MainThreadWindow.isSame(largest.fact, running), window.facts.allSatisfy(moment.isCertain)
    else { return }

    let allowed = EndEvidence(moment, at: event.instant, SystemWords(event, moment.vocabulary))
      .allowance(outermost.event)
    let total = shares.reduce(0) { $0 &+ $1.time }
    guard Allowances.isUsedUp(allowed, by: total), !Allowances.isUsedUp(allowed, by: largest.time)
    else { return }
    findings.report(
      largest.fact, until: event, elapsed: total, allowed: allowed,
      says: "the main thread was busy for {elapsed}; the limit is {allowed}: "
        + MainThreadWindow.words(shares, moment.vocabulary))
  }
}
