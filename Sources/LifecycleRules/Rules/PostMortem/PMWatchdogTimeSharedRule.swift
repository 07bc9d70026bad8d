import LifecycleModel
import TraceAnalysis

/// What ran at a watchdog kill used up the time alone.
struct PMWatchdogTimeSharedRule: Rule {
  static let description = RuleDescription(
    id: "pm-watchdog-time-shared", formerRules: ["pm-cumulative-not-last-frame"],
    number: 98,
    topic: .postMortem,
    summary: "the work that runs at a watchdog kill has used up the time alone",
    severity: .info,
    cause: SharedCause(.busyMainThread, rank: 2),
    sources: [.watchdog, .hangs],
    why: """
      Several pieces of work in a row may use up the watchdog's time. Then no single piece is at \
      fault, least of all the frame that the report shows: their sum is.
      """,
    remedy: "Shorten the pieces, the largest first, or move them off the main thread.",
    limits: """
      The rule looks at the stretch of busy time on the main thread before the kill, with pauses \
      under 250 ms; pieces under a millisecond do not count. It needs begins and ends: if no work \
      was open on the main thread, or the stretch is shorter than the watchdog's time, the rule \
      cannot tell. Not checked under a debugger.
      """,
    needs: RuleNeeds(
      hooks: [[.appDelegate, .sceneDelegate, .work], [.process]], profile: [.noDebugger]),
    examples: [
      .clean(
        "one piece took it all",
        """
        0s - profile hooks=app-delegate,work,system
        1s main call applicationDidEnterBackground app
        1.1s main work.begin other app "parse"
        6.5s - kill app code=0x8badf00d
        """),
      .cannotTell(
        "nothing with a beginning was running",
        """
        0s - profile hooks=app-delegate,work,system
        1s main work timer app "poll"
        15s - kill app code=0x8badf00d
        """),
      .violating(
        "four seconds and two, with a callback around them",
        """
        0s - profile hooks=app-delegate,work,system
        1s main call applicationDidEnterBackground app
        1.01s main work.begin other app "parse" ◀
        5s main work.end other app "parse"
        5.01s main work.begin ui app "layout"
        7s - kill app code=0x8badf00d
        """),
    ]
  )

  static let interests: [EventPattern] = [.verbs(.kill)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard DeathCauses.isByWatchdog(event, moment.vocabulary), moment.state.processEnd == nil
    else { return }

    let shares = moment.mainThreadShares(at: moment.awake(event))
    guard let outermost = moment.mainThread.outermost,
      let running = moment.mainThread.running(lastWritten: moment.lastOnMain.ordinal),
      let largest = shares.first
    else { return findings.cannotTell(.notSaid("what the main thread was doing")) }

    let allowed = EndEvidence(moment, at: event.instant, SystemWords(event, moment.vocabulary))
      .allowance(outermost.event)
    let total = shares.reduce(0) { $0 &+ $1.time }
    if !Allowances.isUsedUp(allowed, by: total) {
      return findings.cannotTell(.notSaid("what took the rest of the watchdog's time"))
    }

    guard moment.mainThread.facts.allSatisfy({ findings.canRely(on: $0) }) else { return }
    let own = shares.first { MainThreadWindow.isSame($0.fact, running) }?.time ?? 0
    if Allowances.isUsedUp(allowed, by: own) { return findings.foundClean() }
    findings.report(
      largest.fact, until: event, elapsed: total, allowed: allowed,
      says: "the main thread was busy for {elapsed}; the limit is {allowed}: "
        + shares.prefix(3).map { share in
          "\(moment.vocabulary.word(naming: share.fact.event)) \(share.time / max(1, total / 100)) %"
        }.joined(separator: ", "))
  }
}
