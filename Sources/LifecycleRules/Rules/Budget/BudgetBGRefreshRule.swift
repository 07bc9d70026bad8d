import LifecycleModel
import TraceAnalysis

/// A refresh task is complete before its time is over.
struct BudgetBGRefreshRule: Rule {
  static let description = RuleDescription(
    id: "budget-bg-refresh",
    number: 54,
    topic: .budget,
    summary: "a BGAppRefreshTask completes within 25 seconds, or when it expires",
    severity: .error,
    cause: SharedCause(.uncompletedTask, rank: 2),
    sources: [.backgroundStrategies, .backgroundFetchExpiry, .registerBackgroundTask],
    why: """
      A refresh has about 30 seconds. If a task has not completed when it expires, the system ends \
      the app. The system launches an app that uses up its time less often.
      """,
    remedy: """
      Set the expiration handler first, cancel the work in it and call setTaskCompleted(success: \
      false).
      """,
    limits: """
      Apple publishes no limit. The system may also expire a task earlier; then only the \
      completion counts. After its expiration a task has five seconds here, because the log does \
      not record the return of the handler. Processing and continued tasks have minutes and are \
      not checked. If the kind of task is not known, the rule cannot tell. Not checked under a \
      debugger.
      """,
    needs: RuleNeeds(hooks: [[.tasks]], profile: [.noDebugger]),
    given: "0s - profile hooks=tasks",
    examples: [
      .clean(
        "completed before",
        """
        0s main bgtask.register com.example.refresh app kind=refresh
        1s - bgtask.launch com.example.refresh app handler=true
        8s worker bgtask.complete com.example.refresh app
        """),
      .clean(
        "expired early, and completed in the handler",
        """
        1s - bgtask.launch com.example.refresh app kind=refresh handler=true
        16s - bgtask.expire com.example.refresh app
        16.2s main bgtask.complete com.example.refresh app
        """),
      .clean(
        "a processing task has minutes",
        """
        1s - bgtask.launch com.example.clean app kind=processing handler=true
        100s worker bgtask.complete com.example.clean app
        """),
      .cannotTell(
        "kind unknown",
        """
        1s - bgtask.launch com.example.refresh app handler=true
        40s worker bgtask.complete com.example.refresh app
        """),
      .cannotTell(
        "killed for another reason as it expired",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.refresh app kind=refresh
        16s - bgtask.expire com.example.refresh app
        16.01s - kill app namespace=JETSAM
        """),
      .violating(
        "expired, and never completed",
        """
        1s - bgtask.launch com.example.refresh app kind=refresh ◀
        29s - bgtask.expire com.example.refresh app
        40s main note "still here"
        """),
      .violating(
        "suspended without having been completed",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.refresh app kind=refresh ◀
        29s - bgtask.expire com.example.refresh app
        31s - suspend app
        """),
      .violating(
        "neither completed nor expired after 40 seconds, and suspended in between",
        """
        0s - profile hooks=tasks,system
        1s - bgtask.launch com.example.refresh app kind=refresh ◀
        21s - suspend app
        600s - resume app
        620s main note "still here"
        """),
      .cannotTell(
        "the log ends within the limit",
        """
        1s - bgtask.launch com.example.refresh app kind=refresh
        20s main note "last line"
        """),
      .cannotTell(
        "the completion may be in the gap",
        """
        1s - bgtask.launch com.example.refresh app kind=refresh
        2s - gap ring-full 3
        60s main note "last line"
        """),
      .violating(
        "27 seconds are a warning",
        """
        1s - bgtask.launch com.example.refresh app kind=refresh ◀
        28s worker bgtask.complete com.example.refresh app
        """),
    ]
  )

  static let interests: [EventPattern] = [
    .verbs(.bgtaskRegister, .bgtaskLaunch, .bgtaskExpire, .bgtaskComplete, .suspend)
  ]

  private static let message = "{name} expired without completing; it ran for {elapsed}"

  /// What the identifiers stand for.
  private var kinds = Remembered<(identifier: String, kind: String)>(256, beyond: .oldestGoes)
  private var tasks = Handovers.tasks

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let identifier = moment.vocabulary.text(event.name)
    if let kind = moment.attribute(.kind, event) { note(kind, of: identifier) }
    switch event.verb {
    case .bgtaskLaunch:
      switch kinds.last(where: { $0.identifier == identifier })?.kind {
      case "refresh": tasks.hand(moment.fact(event), &findings)
      case nil: findings.cannotTell(.notSaid("the kind of the task"))
      default: findings.foundClean()
      }
    case .bgtaskExpire: tasks.expire(event, moment)
    case .bgtaskComplete:
      if let task = tasks.take(event, moment) { finish(task.fact, event, moment, &findings) }
    case .suspend:
      for task in tasks.takeExpired(before: .max) { reportLeft(task, event, moment, &findings) }
    default: break
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
    let now = moment.state.awake(at: moment.state.instant)
    if reason == .processEnded {
      for task in tasks.takeExpired(before: now &- Allowances.Background.expirationHandler) {
        reportLeft(task, nil, moment, &findings)
      }
    }

    for launch in tasks.facts {
      let elapsed = now &- moment.awake(launch)
      if elapsed < Allowances.Background.refreshWarning {
        findings.cannotTell(reason)
      } else {
        findings.report(
          launch, elapsed: elapsed, allowed: Allowances.Background.refresh, severity: .warning,
          missing: moment.end(of: launch, within: Allowances.Background.refresh),
          says: "{name} ran for {elapsed} without completing; the limit is about {allowed}")
      }
    }
  }

  /// The kinds are the app's, and said when the process registers them or is launched for them.
  mutating func keep(from last: Self) { kinds = last.kinds }

  private mutating func note(_ kind: String, of identifier: String) {
    kinds.removeAll { $0.identifier == identifier }
    kinds.append((identifier, kind))
  }

  private func reportLeft(
    _ task: Handovers.Handover, _ closing: Event?, _ moment: Moment,
    _ findings: inout RuleFindings
  ) {
    let elapsed = (task.expiredAt ?? 0) &- moment.awake(task.fact)
    findings.report(
      task.fact, until: closing, elapsed: elapsed, allowed: Allowances.Background.refresh,
      missing: task.missing(moment, within: Allowances.Background.expirationHandlers),
      says: Self.message)
  }

  private func finish(
    _ launch: OpenEvent, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let elapsed = moment.state.awake(since: launch, at: event.instant)
    if elapsed < Allowances.Background.refreshWarning {
      findings.foundClean()
    } else {
      findings.report(
        launch, until: event, elapsed: elapsed, allowed: Allowances.Background.refresh,
        severity: .warning, says: "{name} took {elapsed}; the limit is about {allowed}")
    }
  }
}
