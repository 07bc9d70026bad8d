import LifecycleModel
import TraceAnalysis

/// Every task of BGTaskScheduler is completed exactly once.
struct BGTaskCompleteOnceRule: Rule {
  static let description = RuleDescription(
    id: "bgtask-complete-once",
    number: 81,
    topic: .resources,
    summary: "every launched BGTask completes exactly once, even if it expires",
    severity: .warning,
    cause: SharedCause(.uncompletedTask, rank: 1),
    sources: [.registerBackgroundTask, .taskAlwaysSucceeds, .taskGuardLeaks],
    why: """
      The system waits for the completion, charges the app for the time, and finally ends it.
      """,
    remedy: """
      Complete the task where its work ends, also after an error. In the expiration handler cancel \
      the work, and let one place complete the task.
      """,
    secondEnd: (
      why: """
      A second completion shows that two paths own the task: the next one may report the wrong \
      success, or a task that the system has launched again.
      """,
      remedy: """
      Complete the task in one place, at the end of its work; let the expiration handler \
      cancel the work, so that the same place completes it.
      """
    ),
    limits: """
      A guard against a second completion may also suppress the first: look at the finding for a \
      task that never completed. If the process is killed before the completion, the rule cannot \
      tell. After its expiration a task has five seconds. A task that is open while the process is \
      suspended, for a minute or more, was cut, whenever it completes.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    given: "0s - profile hooks=tasks",
    examples: [
      .clean(
        "completed once, also on expiration",
        """
        1s - bgtask.launch com.example.clean app handler=true
        9s worker bgtask.complete com.example.clean app
        20s - bgtask.launch com.example.clean app handler=true
        40s - bgtask.expire com.example.clean app
        40.1s main bgtask.complete com.example.clean app
        """),
      .cannotTell(
        "killed before it could be completed",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.clean app handler=true
        4s - kill app namespace=JETSAM
        """),
      .cannotTell(
        "the launch was not seen",
        """
        9s worker bgtask.complete com.example.clean app
        """),
      .clean(
        "a suspension of some seconds",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.clean app handler=true
        9s - suspend app
        12s - resume app
        14s worker bgtask.complete com.example.clean app
        """),
      .cannotTell(
        "the completion may be in the gap",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.clean app handler=true
        8s - gap ring-full 3
        9s - suspend app
        900s - resume app
        """),
      .violating(
        "expired, and never completed",
        """
        1s - bgtask.launch com.example.clean app handler=true ◀
        40s - bgtask.expire com.example.clean app
        60s main note "still here"
        """),
      .violating(
        "cut by a suspension of a quarter of an hour",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.clean app handler=true ◀
        9s - suspend app
        909s - resume app
        912s worker bgtask.complete com.example.clean app
        """),
      .violating(
        "completed twice",
        """
        1s - bgtask.launch com.example.clean app handler=true
        40s - bgtask.expire com.example.clean app
        40.1s main bgtask.complete com.example.clean app
        40.2s worker bgtask.complete com.example.clean app ◀
        """),
      .violating(
        "launched again, without the first completion",
        """
        1s - bgtask.launch com.example.clean app handler=true ◀
        900s - bgtask.launch com.example.clean app handler=true
        909s worker bgtask.complete com.example.clean app
        """),
    ]
  )

  static let interests: [EventPattern] = [
    .verbs(.bgtaskLaunch, .bgtaskExpire, .bgtaskComplete, .suspend, .resume, .kill, .exit)
  ]

  private var tasks = Handovers.tasks

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .bgtaskLaunch:
      if let earlier = tasks.take(event, moment) { reportLeft(earlier, event, moment, &findings) }
      tasks.hand(moment.fact(event), &findings)
    case .bgtaskExpire: tasks.expire(event, moment)
    case .bgtaskComplete: complete(event, moment, &findings)
    case .suspend:
      for task in tasks.takeExpired(before: .max) { reportLeft(task, event, moment, &findings) }
    default: reportCut(event, moment, &findings)
    }
    findings.wake(at: tasks.nextExpiry(Allowances.Background.expirationHandlers))
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    for task in tasks.takeExpired(before: now &- Allowances.Background.expirationHandlers) {
      reportLeft(task, nil, moment, &findings)
    }
    findings.wake(at: tasks.nextExpiry(Allowances.Background.expirationHandlers))
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for _ in tasks.facts { findings.cannotTell(reason) }
  }

  private mutating func complete(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    switch tasks.complete(event, moment) {
    case .first: findings.foundClean()
    case .again(let first):
      findings.report(
        event, since: first,
        says: "{name} completed again; the first completion was at {since}")
    case .ofUnknown: findings.cannotTell(.startNotSeen)
    }
  }

  /// Reports what a long suspension has cut that is over with `event`.
  private mutating func reportCut(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let (suspension, time) = moment.longSuspension(endedBy: event) else { return }
    for launch in tasks.settle(moment) {
      findings.report(
        launch, until: suspension.event, elapsed: time, missing: moment.end(of: launch),
        says: "{name} was not completed when the process was suspended, for {elapsed}")
    }
  }

  private func reportLeft(
    _ task: Handovers.Handover, _ closing: Event?, _ moment: Moment,
    _ findings: inout RuleFindings
  ) {
    if task.isSettled { return }
    findings.report(
      task.fact, until: closing,
      missing: task.missing(moment, within: Allowances.Background.expirationHandlers),
      says: "{name} was launched and never completed")
  }
}
