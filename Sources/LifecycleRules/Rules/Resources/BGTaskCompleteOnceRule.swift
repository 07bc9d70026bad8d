import LifecycleModel
import TraceAnalysis

/// Each launched task of BGTaskScheduler is completed, once and in its time.
struct BGTaskCompleteOnceRule: Rule {
  static let description: RuleDescription = .init(
    id: "bgtask-complete-once",
    formerRules: [FormerRule("budget-bg-refresh", number: 54, culprits: .nothing)],
    number: 81,
    topic: .resources,
    summary: "every launched BGTask completes exactly once: when it expires, or a refresh in 25 s",
    severity: .error,
    cause: SharedCause(.uncompletedHandover, rank: 1),
    sources: [
      .registerBackgroundTask, .taskAlwaysSucceeds, .taskGuardLeaks, .backgroundStrategies,
      .backgroundFetchExpiry,
    ],
    why: """
      The system waits for the completion and charges the app for the time. A refresh has about 30 \
      seconds. If a task has not completed when it expires, the system ends the app, and launches it \
      less often.
      """,
    remedy: """
      Complete the task where its work ends, also after an error. Set the expiration handler first, \
      cancel the work in it, and let one place complete the task.
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
      A refresh that expires without completing is an error; all else is a warning. Apple publishes no \
      limit, and the system may also expire a task earlier; then only the completion counts. Processing \
      and continued tasks have minutes; if the kind of a task that took long is not known, the rule \
      cannot tell. Times are not checked under a debugger. After its expiration a task has five seconds, \
      because the log does not record the return of the handler. A guard against a second completion may \
      also suppress the first: look at the finding for a task that never completed. If the process is \
      killed before the completion, the rule cannot tell. A task that is open while the process is \
      suspended, for a minute or more, was cut, whenever it completes.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    given: "0s - profile hooks=tasks",
    examples: """
      clean: completed once, also on expiration
      1s - bgtask.launch com.example.clean app handler=true
      9s worker bgtask.complete com.example.clean app
      20s - bgtask.launch com.example.clean app handler=true
      40s - bgtask.expire com.example.clean app
      40.1s main bgtask.complete com.example.clean app

      cannot tell: killed before it could be completed
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.clean app handler=true
      4s - kill app namespace=JETSAM

      cannot tell: the launch was not seen
      9s worker bgtask.complete com.example.clean app

      clean: a suspension of some seconds
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.clean app handler=true
      9s..12s - suspend app
      14s worker bgtask.complete com.example.clean app

      cannot tell: the completion may be in the gap
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.clean app handler=true
      8s - gap ring-full 3
      9s..900s - suspend app

      violating: expired, and never completed
      1s - bgtask.launch com.example.clean app handler=true ◀
      40s - bgtask.expire com.example.clean app
      60s main note "still here"

      violating: cut by a suspension of a quarter of an hour
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.clean app handler=true ◀
      9s..909s - suspend app
      912s worker bgtask.complete com.example.clean app

      violating: completed twice
      1s - bgtask.launch com.example.clean app handler=true
      40s - bgtask.expire com.example.clean app
      40.1s main bgtask.complete com.example.clean app
      40.2s worker bgtask.complete com.example.clean app ◀

      violating: launched again, without the first completion
      1s - bgtask.launch com.example.clean app handler=true ◀
      900s - bgtask.launch com.example.clean app handler=true
      909s worker bgtask.complete com.example.clean app

      clean: completed before
      0s main bgtask.register com.example.refresh app kind=refresh
      1s - bgtask.launch com.example.refresh app handler=true
      8s worker bgtask.complete com.example.refresh app

      clean: expired early, and completed in the handler
      1s - bgtask.launch com.example.refresh app kind=refresh handler=true
      16s - bgtask.expire com.example.refresh app
      16.2s main bgtask.complete com.example.refresh app

      clean: a processing task has minutes
      1s - bgtask.launch com.example.clean app kind=processing handler=true
      100s worker bgtask.complete com.example.clean app

      cannot tell: kind unknown
      1s - bgtask.launch com.example.refresh app handler=true
      40s worker bgtask.complete com.example.refresh app

      cannot tell: killed for another reason as it expired
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.refresh app kind=refresh
      16s - bgtask.expire com.example.refresh app
      16.01s - kill app namespace=JETSAM

      violating: a refresh that expired, and never completed
      1s - bgtask.launch com.example.refresh app kind=refresh ◀
      29s - bgtask.expire com.example.refresh app
      40s main note "still here"

      violating: suspended without having been completed
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.refresh app kind=refresh ◀
      29s - bgtask.expire com.example.refresh app
      31s - suspend app

      violating: neither completed nor expired after 40 seconds, and suspended in between
      0s - profile hooks=tasks,system
      1s - bgtask.launch com.example.refresh app kind=refresh ◀
      21s..600s - suspend app
      620s main note "still here"

      cannot tell: the log ends within the limit
      1s - bgtask.launch com.example.refresh app kind=refresh
      20s main note "last line"

      cannot tell: the completion of a refresh may be in the gap
      1s - bgtask.launch com.example.refresh app kind=refresh
      2s - gap ring-full 3
      60s main note "last line"

      violating: 27 seconds are a warning
      1s - bgtask.launch com.example.refresh app kind=refresh ◀
      28s worker bgtask.complete com.example.refresh app
      """
  )

  static let interests: [EventPattern] = [
    .verbs(
      .bgtaskRegister, .bgtaskLaunch, .bgtaskExpire, .bgtaskComplete, .suspend, .resume, .kill,
      .exit)
  ]

  /// What the identifiers stand for.
  private var kinds = Remembered<(identifier: String, kind: String)>(256, beyond: .oldestGoes)
  private var tasks = Handovers.tasks

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .bgtaskRegister: noteKind(event, moment)
    case .bgtaskLaunch:
      noteKind(event, moment)
      if let earlier = tasks.take(event, moment) { reportLeft(earlier, event, moment, &findings) }
      let isTimed = kind(of: event, moment) == "refresh" && !moment.profile.debugger
      tasks.hand(moment.fact(event), isTimed: isTimed, &findings)
    case .bgtaskExpire: tasks.expire(event, moment)
    case .bgtaskComplete: complete(event, moment, &findings)
    case .suspend: reportExpired(before: .max, event, moment, &findings)
    default: reportCut(event, moment, &findings)
    }
    findings.wake(at: tasks.nextExpiry(Allowances.expirationHandlers))
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    let expiry = now &- Allowances.expirationHandlers
    reportExpired(before: expiry, nil, moment, &findings)
    findings.wake(at: tasks.nextExpiry(Allowances.expirationHandlers))
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    let now = moment.state.awake(at: moment.state.instant)
    for task in tasks.take(where: { !$0.isSettled }) {
      let elapsed = now &- moment.awake(task.fact)
      let isExpired = task.expiredAt.map { $0 <= now &- Allowances.expirationHandler }
      if task.isTimed, isExpired == true, reason == .processEnded {
        reportLeft(task, nil, moment, &findings)
      } else if task.isTimed, elapsed >= Allowances.Background.refreshWarning {
        findings.report(
          task.fact, elapsed: elapsed, allowed: Allowances.backgroundRefresh,
          severity: .warning,
          missing: moment.end(of: task.fact, within: Allowances.backgroundRefresh),
          says: "{name} ran for {elapsed} without completing; the limit is about {allowed}")
      } else {
        findings.cannotTell(reason)
      }
    }
  }

  /// The kinds are the app's, and said when the process registers them or is launched for them.
  mutating func keep(from last: Self) { kinds = last.kinds }

  private mutating func noteKind(_ event: Event, _ moment: Moment) {
    guard let kind = moment.attribute(.kind, event) else { return }
    let identifier = moment.vocabulary.text(event.name)
    kinds.removeAll { $0.identifier == identifier }
    kinds.append((identifier, kind))
  }

  private func kind(of event: Event, _ moment: Moment) -> String? {
    let identifier = moment.vocabulary.text(event.name)
    return kinds.last { $0.identifier == identifier }?.kind
  }

  private mutating func complete(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let again = "{name} completed again; the first completion was at {since}"
    guard let task = tasks.complete(event, moment, &findings, again: again) else { return }

    let elapsed = moment.state.awake(since: task.fact, at: event.instant)
    if task.isSettled || elapsed < Allowances.Background.refreshWarning {
      findings.foundClean()
    } else if task.isTimed {
      findings.report(
        task.fact, until: event, elapsed: elapsed, allowed: Allowances.backgroundRefresh,
        severity: .warning, says: "{name} took {elapsed}; the limit is about {allowed}")
    } else if kind(of: event, moment) == nil, !moment.profile.debugger {
      findings.cannotTell(.notSaid("the kind of the task"))
    } else {
      findings.foundClean()
    }
  }

  /// Reports what a long suspension has cut that is over with `event`.
  private mutating func reportCut(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let (suspension, time) = moment.longSuspension(endedBy: event) else { return }
    for task in tasks.settle() {
      findings.report(
        task.fact, until: suspension.event, elapsed: time, severity: .warning,
        missing: moment.end(of: task.fact),
        says: "{name} was not completed when the process was suspended, for {elapsed}")
    }
  }

  private mutating func reportExpired(
    before time: Nanoseconds, _ closing: Event?, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    for task in tasks.takeExpired(before: time) { reportLeft(task, closing, moment, &findings) }
  }

  private func reportLeft(
    _ task: Handovers.Handover, _ closing: Event?, _ moment: Moment,
    _ findings: inout RuleFindings
  ) {
    if task.isSettled { return }
    let expiry = task.isTimed ? task.expiredAt : nil
    findings.report(
      task.fact, until: closing, elapsed: expiry.map { $0 &- moment.awake(task.fact) },
      allowed: expiry.map { _ in Allowances.backgroundRefresh },
      severity: expiry == nil ? .warning : .error,
      missing: task.missing(moment, within: Allowances.expirationHandlers),
      says: expiry == nil
        ? "{name} was launched and never completed"
        : "{name} expired without completing; it ran for {elapsed}")
  }
}
