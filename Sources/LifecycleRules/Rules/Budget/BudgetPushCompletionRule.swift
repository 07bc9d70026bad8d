import LifecycleModel
import TraceAnalysis

/// The completion handler of a silent push or a fetch is called in time.
struct BudgetPushCompletionRule: Rule {
  static let description = RuleDescription(
    id: "budget-push-completion",
    number: 53,
    topic: .budget,
    summary: "a background push or a fetch completes within 30 seconds",
    severity: .error,
    cause: SharedCause(.unansweredDelivery, rank: 2),
    sources: [.remoteNotification, .backgroundStrategies, .killCodes],
    why: """
      The documentation gives 30 seconds of wall-clock time to call the completion handler. The \
      system ends an app that takes longer, and sends fewer pushes to an app that is often slow.
      """,
    remedy: """
      Call the handler on every path, also after an error or a cancellation, and as soon as the \
      data has arrived.
      """,
    limits: """
      A push that reaches an app on screen is not checked. If the state is not known, the rule \
      cannot tell. Of several pushes that look alike, the oldest counts as completed first. \
      Suspended time does not count. The watchdog is off under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.system]], profile: [.noDebugger]),
    given: "0s - profile launch=push hooks=app-delegate,system",
    examples: [
      .clean(
        "completed from another thread",
        """
        0s - process.start app launch=push
        1s - deliver push app
        9s worker complete push app
        """),
      .clean(
        "a push in the foreground",
        """
        0s - profile hooks=app-delegate,system
        0s main call applicationDidBecomeActive app
        1s - deliver push app
        60s main note "last line"
        """),
      .clean(
        "two similar pushes",
        """
        0s - profile launch=push hooks=system
        0s - process.start app launch=push
        1s - deliver push app
        15s - deliver push app
        19s worker complete push app
        32s worker complete push app
        """),
      .clean(
        "a background launch without applicationDidEnterBackground, which is not specified",
        """
        0s - profile mode=app launch=push hooks=app-delegate,system
        0s - process.start app launch=push
        0.5s main call applicationDidFinishLaunching app
        0.6s main return applicationDidFinishLaunching app
        1s - deliver push app
        2s main complete push app
        """),
      .cannotTell(
        "app state unknown",
        """
        0s - profile hooks=system
        1s - deliver push app
        60s main note "last line"
        """),
      .cannotTell(
        "of two similar pushes, the completion of the first may be in the gap",
        """
        0s - process.start app launch=push
        1s - deliver push app
        2s - gap ring-full 1
        3s - deliver push app
        4s main complete push app
        60s main note "last line"
        """),
      .cannotTell(
        "the completion may be in the gap",
        """
        0s - profile launch=push hooks=system
        0s - process.start app launch=push
        1s - deliver push app
        2s - gap ring-full 3
        60s main note "last line"
        """),
      .violating(
        "never completed",
        """
        0s - process.start app launch=push
        1s - deliver push app ◀
        60s main note "last line"
        """),
      .violating(
        "the process ended after 25 seconds, and it was not completed",
        """
        0s - process.start app launch=push
        1s - deliver push app ◀
        26s - kill app namespace=JETSAM
        """),
      .violating(
        "a fetch that takes 22 seconds",
        """
        0s - profile hooks=app-delegate,system
        1s - deliver fetch app ◀
        23s worker complete fetch app
        """),
    ]
  )

  static let interests: [EventPattern] = [.deliver(.push, .fetch), .complete(.push, .fetch)]

  private static let message =
    "the {name} had not completed after {elapsed}; the limit is {allowed}"

  private var deliveries = Handovers.deliveries

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .deliver {
      open(event, moment, &findings)
    } else if let delivered = deliveries.take(event, moment), !delivered.isSettled {
      finish(delivered.fact, event, moment, &findings)
    }
    wakeAtLimit(moment, &findings)
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    for late in deliveries.settle(olderThan: now &- Allowances.Background.push, moment) {
      findings.report(
        late, elapsed: now &- moment.awake(late), allowed: Allowances.Background.push,
        missing: moment.end(of: late, within: Allowances.Background.push), says: Self.message)
    }
    wakeAtLimit(moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    let now = moment.state.awake(at: moment.state.instant)

    for delivered in deliveries.unsettled {
      let elapsed = now &- moment.awake(delivered)
      if elapsed < Allowances.Background.pushWarning {
        findings.cannotTell(reason)
      } else {
        findings.report(
          delivered, elapsed: elapsed, allowed: Allowances.Background.push, severity: .warning,
          missing: moment.end(of: delivered, within: Allowances.Background.push),
          says: "the {name} had not completed after {elapsed}; the limit is {allowed}")
      }
    }
  }

  private mutating func open(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let isFetch = event.name == Delivery.fetch.symbol
    switch isFetch ? true : moment.isInBackground {
    case true?: deliveries.hand(moment.fact(event), &findings)
    case false?: findings.foundClean()
    case nil: findings.cannotTell(.stateNotKnown)
    }
  }

  private func finish(
    _ delivered: OpenEvent, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let elapsed = moment.state.awake(since: delivered, at: event.instant)
    if elapsed < Allowances.Background.pushWarning {
      findings.foundClean()
    } else {
      findings.report(
        delivered, until: event, elapsed: elapsed, allowed: Allowances.Background.push,
        severity: .warning, says: "the {name} completed after {elapsed}; the limit is {allowed}")
    }
  }

  private func wakeAtLimit(_ moment: Moment, _ findings: inout RuleFindings) {
    let oldest = deliveries.unsettled.first.map { moment.awake($0) &+ Allowances.Background.push }
    findings.wake(at: oldest ?? .max)
  }
}
