import LifecycleModel
import Run
import TraceAnalysis

/// Completion handlers of background sessions, fetches and pushes are called, and called once.
struct CompletionHandlersCalledRule: Rule {
  static let description = RuleDescription(
    id: "completion-handlers-called",
    number: 85,
    topic: .resources,
    summary:
      "a background URL session, fetch or push calls its completion handler exactly once",
    severity: .error,
    cause: SharedCause(.unansweredDelivery, rank: 1),
    sources: [
      .killCodes, .backgroundStrategies, .backgroundTransfers, .sessionHandlerNotCalled,
    ],
    why: """
      The system keeps the app awake for the handler and kills the app if the call does not come: \
      0x2182bad3 for a session, 0x2182bad4 for a fetch. Or it suspends the app, and wakes it less \
      often for what comes later.
      """,
    remedy: """
      Store the handler under the session's identifier and call it in \
      urlSessionDidFinishEvents(forBackgroundURLSession:), on the main thread.
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
      handler is due, and count as one. The rule budget-push-completion checks the times of fetches \
      and pushes.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    given: "0s - profile hooks=system",
    examples: [
      .clean(
        "called once, after several events of the session",
        """
        1s - deliver urlsession app "downloads"
        2s - deliver urlsession app "downloads"
        4s main complete urlsession app "downloads"
        """),
      .clean(
        "called right after a suspension, and a suspension of some seconds",
        """
        1s - deliver urlsession app "downloads"
        9s - suspend app
        900s - resume app
        900.1s main complete urlsession app "downloads"
        901s - deliver urlsession app "uploads"
        909s - suspend app
        912s - resume app
        915s main complete urlsession app "uploads"
        """),
      .cannotTell(
        "the call may be in the gap",
        """
        1s - deliver urlsession app "downloads"
        5s - gap ring-full 3
        9s - suspend app
        900s - resume app
        905s main note "later"
        """),
      .cannotTell(
        "the log ends while the process is suspended",
        """
        1s - deliver urlsession app "downloads"
        9s - suspend app
        """),
      .cannotTell(
        "the process ended before",
        """
        1s - deliver urlsession app "downloads"
        4s - kill app namespace=JETSAM
        """),
      .cannotTell(
        "the delivery was not seen",
        """
        4s main complete urlsession app "downloads"
        """),
      .violating(
        "killed for a session",
        """
        1s - deliver urlsession app "downloads" ◀
        90s - kill app code=0x2182bad3
        """),
      .violating(
        "killed for a fetch",
        """
        1s - deliver fetch app ◀
        32s - kill app code=0x2182bad4
        """),
      .violating(
        "not called before the process is suspended, nor a quarter of an hour later",
        """
        1s - deliver urlsession app "downloads" ◀
        9s - suspend app
        909s - resume app
        909.1s - deliver urlsession app "downloads"
        915s main note "later"
        """),
      .violating(
        "called twice",
        """
        1s - deliver fetch app
        4s main complete fetch app
        5s worker complete fetch app ◀
        """),
      .violating(
        "called twice for two pushes, and once more",
        """
        1s - deliver push app
        2s - deliver push app
        4s main complete push app
        5s main complete push app
        6s worker complete push app ◀
        """),
    ]
  )

  static let interests: [EventPattern] = [
    .deliver(.urlsession, .fetch, .push), .complete(.urlsession, .fetch, .push),
    .verbs(.kill, .exit, .suspend, .resume),
  ]

  private var deliveries = Handovers.deliveries
  /// The last long suspension, until what was open over it is seen to be completed after all.
  private var passedOver: (suspension: OpenEvent, time: Nanoseconds)?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .deliver:
      // Several events of one session are completed once.
      if event.name == Delivery.urlsession.symbol && deliveries.contains(event) { return }
      deliveries.hand(moment.fact(event), &findings)
    case .complete: complete(event, moment, &findings)
    case .suspend: reportPassedOver(moment, &findings)
    case .resume:
      passedOver = moment.longSuspension(endedBy: event) ?? passedOver
      if passedOver != nil { findings.wake(at: moment.awake(event) &+ Allowances.Background.wake) }
    default:
      judgeKill(event, moment, &findings)
      passedOver = moment.longSuspension(endedBy: event) ?? passedOver
      reportPassedOver(moment, &findings)
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    reportPassedOver(moment, &findings)
  }

  /// Reports what was open over a long suspension, and is.
  ///
  /// Whether a push has to be completed, and in time, is budget-push-completion's.
  private mutating func reportPassedOver(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let (suspension, time) = passedOver else { return }
    passedOver = nil

    let cut = deliveries.take {
      $0.fact.event.name != Delivery.push.symbol && $0.fact.ordinal <= suspension.ordinal
    }
    for delivered in cut.map(\.fact) {
      findings.report(
        delivered, until: suspension.event, elapsed: time, severity: .warning,
        missing: moment.end(of: delivered),
        says: """
          the completion handler of {name} {label} was not called before the process was suspended, \
          for {elapsed}, nor right after it
          """)
    }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    // After so many minutes no second more is worth waiting for.
    if passedOver?.time ?? 0 >= Allowances.Background.processing {
      reportPassedOver(moment, &findings)
    }
    // Whether a push has to be completed, and in time, is budget-push-completion's.
    for delivered in deliveries.facts where delivered.event.name != Delivery.push.symbol {
      findings.cannotTell(reason)
    }
  }

  private mutating func complete(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    switch deliveries.complete(event, moment) {
    case .first: findings.foundClean()
    case .again(let first):
      findings.report(
        event, since: first, severity: .warning,
        says: """
          the completion handler of {name} {label} was called again; the first call was at {since}
          """)
    case .ofUnknown: findings.cannotTell(.startNotSeen)
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

    for delivered in deliveries.take(where: { $0.fact.event.name == killedFor.symbol }) {
      findings.report(
        delivered.fact, until: event, missing: moment.end(of: delivered.fact),
        says: """
          the app did not call the completion handler of {name} {label}, and the system killed \
          it
          """)
    }
  }
}
