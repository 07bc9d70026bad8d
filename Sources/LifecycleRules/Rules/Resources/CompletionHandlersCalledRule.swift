import LifecycleModel
import Run
import TraceAnalysis

/// Completion handlers of background sessions, fetches and pushes are called, once and in their time.
struct CompletionHandlersCalledRule: Rule {
  static let description: RuleDescription = .init(
    id: "completion-handlers-called",
    formerRules: [FormerRule("budget-push-completion", number: 53, culprits: .nothing)],
    number: 85,
    topic: .resources,
    summary: """
      a background URL session, fetch or push calls its completion handler once, the latter in 30 s
      """,
    severity: .error,
    cause: SharedCause(.uncompletedHandover, rank: 2),
    sources: [
      .killCodes, .backgroundStrategies, .backgroundTransfers, .sessionHandlerNotCalled,
      .remoteNotification,
    ],
    why: """
      The system keeps the app awake for the handler, 30 seconds of wall-clock time for a fetch or a \
      push, and kills the app if the call does not come: 0x2182bad3 for a session, 0x2182bad4 for a \
      fetch. Or it suspends the app, and wakes it less often for what comes later.
      """,
    remedy: """
      Store the handler of a session under its identifier and call it in \
      urlSessionDidFinishEvents(forBackgroundURLSession:), on the main thread. Call that of a fetch or \
      a push on every path, also after an error or a cancellation, and as soon as the data has arrived.
      """,
    secondEnd: (
      why: """
      A second call shows that two paths own the handler; the system may have suspended the \
      app after the first, and the rest of the work is cut.
      """,
      remedy: """
      Call the handler in one place, after all work on the event, and clear the variable that \
      holds it.
      """
    ),
    limits: """
      The documentation gives no time limit for a session: a missing call is an error if the system \
      killed the app for it, and a warning if the process was suspended for a minute or more, and the \
      call did not come right after it either. Several events of one session may come before the \
      handler is due, and count as one. A push that reaches an app on screen is not checked; if the \
      state is not known, the rule cannot tell. Of several that look alike, the oldest counts as \
      completed first. Suspended time does not count. Times are not checked under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    given: "0s - profile hooks=system",
    examples: """
      clean: called once, after several events of the session
      1s - deliver urlsession app "downloads"
      2s - deliver urlsession app "downloads"
      4s main complete urlsession app "downloads"

      clean: called right after a suspension, and a suspension of some seconds
      1s - deliver urlsession app "downloads"
      9s..900s - suspend app
      900.1s main complete urlsession app "downloads"
      901s - deliver urlsession app "uploads"
      909s..912s - suspend app
      915s main complete urlsession app "uploads"

      cannot tell: the call may be in the gap
      1s - deliver urlsession app "downloads"
      5s - gap ring-full 3
      9s..900s - suspend app
      905s main note "later"

      cannot tell: the log ends while the process is suspended
      1s - deliver urlsession app "downloads"
      9s - suspend app

      cannot tell: the process ended before
      1s - deliver urlsession app "downloads"
      4s - kill app namespace=JETSAM

      cannot tell: the delivery was not seen
      4s main complete urlsession app "downloads"

      violating: killed for a session
      1s - deliver urlsession app "downloads" ◀
      90s - kill app code=0x2182bad3

      violating: killed for a fetch
      1s - deliver fetch app ◀
      32s - kill app code=0x2182bad4

      violating: not called before the process is suspended, nor a quarter of an hour later
      1s - deliver urlsession app "downloads" ◀
      9s..909s - suspend app
      909.1s - deliver urlsession app "downloads"
      915s main note "later"

      violating: called twice
      1s - deliver fetch app
      4s main complete fetch app
      5s worker complete fetch app ◀

      violating: called twice for two pushes, and once more
      1s - deliver push app
      2s - deliver push app
      4s main complete push app
      5s main complete push app
      6s worker complete push app ◀

      clean: completed from another thread
      0s - profile launch=push hooks=app-delegate,system
      0s - process.start app launch=push
      1s - deliver push app
      9s worker complete push app

      clean: a push in the foreground
      0s - profile hooks=app-delegate,system
      0s main call applicationDidBecomeActive app
      1s - deliver push app
      60s main note "last line"

      clean: two similar pushes
      0s - profile launch=push hooks=system
      0s - process.start app launch=push
      1s - deliver push app
      15s - deliver push app
      19s worker complete push app
      32s worker complete push app

      clean: a background launch without applicationDidEnterBackground, which is not specified
      0s - profile mode=app launch=push hooks=app-delegate,system
      0s - process.start app launch=push
      0.5s..0.6s main call applicationDidFinishLaunching app
      1s - deliver push app
      2s main complete push app

      cannot tell: app state unknown
      0s - profile hooks=system
      1s - deliver push app
      60s main note "last line"

      cannot tell: of two similar pushes, the completion of the first may be in the gap
      0s - profile launch=push hooks=app-delegate,system
      0s - process.start app launch=push
      1s - deliver push app
      2s - gap ring-full 1
      3s - deliver push app
      4s main complete push app
      60s main note "last line"

      cannot tell: the completion may be in the gap
      0s - profile launch=push hooks=system
      0s - process.start app launch=push
      1s - deliver push app
      2s - gap ring-full 3
      60s main note "last line"

      violating: never completed
      0s - profile launch=push hooks=app-delegate,system
      0s - process.start app launch=push
      1s - deliver push app ◀
      60s main note "last line"

      violating: the process ended after 25 seconds, and it was not completed
      0s - profile launch=push hooks=app-delegate,system
      0s - process.start app launch=push
      1s - deliver push app ◀
      26s - kill app namespace=JETSAM

      violating: a fetch that takes 22 seconds
      0s - profile hooks=app-delegate,system
      1s - deliver fetch app ◀
      23s worker complete fetch app
      """
  )

  static let interests: [EventPattern] = [
    .deliver(.urlsession, .fetch, .push), .complete(.urlsession, .fetch, .push),
    .verbs(.kill, .exit, .suspend, .resume),
  ]

  /// A suspension that was long, until what was open over it is seen to be completed after all.
  private struct PassedOver {
    let suspension: OpenEvent
    let time: Nanoseconds
    /// The awake time by which what the process was resumed for is handed over.
    let due: Nanoseconds
  }

  private var deliveries = Handovers.deliveries
  private var passedOver: PassedOver?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .deliver: deliver(event, moment, &findings)
    case .complete: complete(event, moment, &findings)
    case .suspend: reportPassedOver(moment, &findings)
    case .resume: passOver(event, moment)
    default:
      judgeKill(event, moment, &findings)
      passOver(event, moment)
      reportPassedOver(moment, &findings)
    }
    waitForNext(moment, &findings)
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    if passedOver.map({ $0.due <= now }) ?? false { reportPassedOver(moment, &findings) }
    let late = deliveries.settle {
      $0.isTimed && moment.awake($0.fact) <= now &- Allowances.pushHandling
    }
    for delivered in late {
      reportLate(delivered, after: now &- moment.awake(delivered.fact), nil, moment, &findings)
    }
    waitForNext(moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    // After so many minutes no second more is worth waiting for.
    if passedOver?.time ?? 0 >= Allowances.Background.processing {
      reportPassedOver(moment, &findings)
    }

    let now = moment.state.awake(at: moment.state.instant)
    for delivered in deliveries.take(where: { !$0.isSettled }) {
      let elapsed = now &- moment.awake(delivered.fact)
      if delivered.isTimed && elapsed >= Allowances.Background.pushWarning {
        reportLate(delivered, after: elapsed, .warning, moment, &findings)
      } else if delivered.isTimed || !Self.isPush(delivered) {
        findings.cannotTell(reason)
      }
    }
  }

  private func waitForNext(_ moment: Moment, _ findings: inout RuleFindings) {
    let limit = deliveries.unsettled.first(where: \.isTimed)
      .map { moment.awake($0.fact) &+ Allowances.pushHandling }
    findings.wake(at: min(limit ?? .max, passedOver?.due ?? .max))
  }

  private mutating func deliver(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let isSession = event.name == Delivery.urlsession.symbol
    // Several events of one session are completed once.
    if isSession && deliveries.contains(event) { return }
    let isInBackground = event.name == Delivery.push.symbol ? moment.isInBackground : true
    if isInBackground == nil { findings.cannotTell(.stateNotKnown) }
    let isTimed = !isSession && isInBackground == true && !moment.profile.debugger
    deliveries.hand(moment.fact(event), isTimed: isTimed, &findings)
  }

  private mutating func complete(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let again =
      "the completion handler of {name} {label} was called again; the first call was at {since}"
    guard let delivered = deliveries.complete(event, moment, &findings, again: again) else {
      return
    }

    let elapsed = moment.state.awake(since: delivered.fact, at: event.instant)
    let isSlow = delivered.isTimed && elapsed >= Allowances.Background.pushWarning
    if delivered.isSettled || !isSlow { return findings.foundClean() }
    findings.report(
      delivered.fact, until: event, elapsed: elapsed, allowed: Allowances.pushHandling,
      severity: .warning, says: "the {name} completed after {elapsed}; the limit is {allowed}")
  }

  private func reportLate(
    _ delivered: Handovers.Handover, after elapsed: Nanoseconds, _ severity: Severity?,
    _ moment: Moment, _ findings: inout RuleFindings
  ) {
    findings.report(
      delivered.fact, elapsed: elapsed, allowed: Allowances.pushHandling, severity: severity,
      missing: moment.end(of: delivered.fact, within: Allowances.pushHandling),
      says: "the {name} had not completed after {elapsed}; the limit is {allowed}")
  }

  /// Notes a long suspension that `event` ends.
  private mutating func passOver(_ event: Event, _ moment: Moment) {
    guard let (suspension, time) = moment.longSuspension(endedBy: event) else { return }
    passedOver = PassedOver(
      suspension: suspension, time: time,
      due: moment.awake(event) &+ Allowances.Background.wake)
  }

  /// Reports what was open over a long suspension, and is; a push need not be completed.
  private mutating func reportPassedOver(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let passed = passedOver else { return }
    passedOver = nil

    let cut = deliveries.take {
      !Self.isPush($0) && $0.fact.ordinal <= passed.suspension.ordinal
    }
    for delivered in cut where !delivered.isSettled {
      findings.report(
        delivered.fact, until: passed.suspension.event, elapsed: passed.time, severity: .warning,
        missing: moment.end(of: delivered.fact),
        says: """
          the completion handler of {name} {label} was not called before the process was suspended, \
          for {elapsed}, nor right after it
          """)
    }
  }

  private mutating func judgeKill(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let killedFor: Delivery
    switch KillCode.of(event, moment.vocabulary).flatMap(DeathCauses.code)?.exitReason {
    case .backgroundURLSessionCompletionTimeout: killedFor = .urlsession
    case .backgroundFetchCompletionTimeout: killedFor = .fetch
    default: return
    }

    let guilty = deliveries.take { $0.fact.event.name == killedFor.symbol }
    for delivered in guilty where !delivered.isSettled {
      findings.report(
        delivered.fact, until: event, missing: moment.end(of: delivered.fact),
        says: """
          the app did not call the completion handler of {name} {label}, and the system killed \
          it
          """)
    }
  }

  private static func isPush(_ delivered: Handovers.Handover) -> Bool {
    delivered.fact.event.name == Delivery.push.symbol
  }
}
