import LifecycleModel
import TraceAnalysis

/// All background tasks of a process stay within the time that they have together.
struct BudgetAssertionTotalRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-assertion-total",
    number: 51,
    topic: .budget,
    summary: "background tasks keep the app in the background for less than their common limit",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 5),
    sources: [
      .backgroundTaskNotes, .beginBackgroundTask, .extendingBackgroundTime, .backgroundTimeOnX,
    ],
    why: """
      The limit applies to the process, not to each task: about 30 s from iOS 13, 180 s from iOS \
      7, 600 s before. If a task is still open when the time is over, the system kills the app.
      """,
    remedy: """
      Begin a task for each piece of work and end it when that work is done. Use a \
      BGProcessingTask or a background URLSession for longer work.
      """,
    limits: """
      Apple publishes no limit; these come from an engineer and from measurements, and one report \
      shows a kill after 15 s. Without an OS version the rule uses the longest limit. If the app \
      declares background modes, or they are not known, the rule cannot tell. Time in the \
      foreground, suspended time, and time under a BGTaskScheduler task do not count, and each \
      return to the foreground resets the clock. A process launched for an event is in the \
      background from its start. The system chooses when to expire tasks: if they end after their \
      expiration, the finding is info, and a task whose begin states handler=true is judged when the \
      stay in the background is over. The watchdog is off under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.tasks], .states], profile: [.noDebugger]),
    given: "0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate",
    examples: """
      clean: eight seconds
      1s..10s main task.begin task:1 "sync"
      2s..2.05s main call applicationDidEnterBackground app

      clean: time in the foreground is free, and coming back starts anew
      0s main call applicationDidBecomeActive app
      1s..140s main task.begin task:1 "sync"
      90s..90.05s main call applicationDidEnterBackground app
      110s main return applicationWillEnterForeground app
      120s..120.05s main call applicationDidEnterBackground app

      clean: 40 s on iOS 12, where 180 are allowed
      0s - profile os=12.4 background-modes=none hooks=tasks,app-delegate
      1s..42s main task.begin task:1 "sync"
      2s..2.05s main call applicationDidEnterBackground app

      clean: suspended time does not count
      0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
      1s..10s main task.begin task:1 "sync"
      2s..2.05s main call applicationDidEnterBackground app
      11s..100s - suspend app
      101s..105s main task.begin task:2 "sync"

      cannot tell: an app that may play audio
      0s - profile os=18.2 background-modes=audio hooks=tasks,app-delegate
      1s..42s main task.begin task:1 "sync"
      2s..2.05s main call applicationDidEnterBackground app

      cannot tell: the end may be in the gap
      1s main task.begin task:1 "sync"
      2s main call applicationDidEnterBackground app
      3s - gap ring-full 4
      42s main note "last line"

      cannot tell: no recorded event would show the foreground
      0s - profile os=18.2 launch=push background-modes=none hooks=tasks
      2s..40s main task.begin task:1 "sync"

      violating: the expiration handler ends the task: a note
      2s main call applicationDidEnterBackground app
      2.1s main task.begin task:1 "sync" handler=true ◀
      30.3s..30.32s main task.expire task:1
      30.31s main task.end task:1 "sync"
      60s main return applicationWillEnterForeground app

      violating: 31 seconds
      2s main call applicationDidEnterBackground app
      3s..34s main task.begin task:1 "sync" ◀

      violating: two tasks share one time
      2s main call applicationDidEnterBackground app
      3s..20s main task.begin task:1 "sync"
      21s..36s main task.begin task:2 "upload" ◀

      violating: launched for a push, without a background call
      0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system
      0s - process.start app launch=push
      1s..1.1s main call applicationDidFinishLaunching app
      2s..40s main task.begin task:1 "sync" ◀

      violating: 27 seconds are a warning
      2s main call applicationDidEnterBackground app
      3s..30s main task.begin task:1 "sync" ◀
      40s main return applicationWillEnterForeground app
      """
  )

  static let interests: [EventPattern] = [
    .verbs(.taskBegin, .taskEnd, .taskExpire, .bgtaskLaunch, .bgtaskComplete, .state),
    Turn.events(.background, .disconnect), .events(of: [.sceneWillConnect]),
  ]

  /// So many tasks are named that hold the app when its time is over.
  private static let namedTasks = 4

  /// The time spent in one stay in the background.
  private struct Stay {
    /// What began it.
    var since: OpenEvent
    var spent: Nanoseconds = 0
    /// The awake time up to which it is counted.
    var countedUntil: Nanoseconds
    /// The oldest open task when the warning's limit passed.
    var culprit: OpenEvent?
    var isSettled = false
    /// Whether a task expired, and whether all had ended after that.
    var hasExpired = false
    var isHandled = false
  }

  private var stay: Stay?

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let now = moment.awake(event)
    settle(now, moment, &findings)
    if event.verb == .taskExpire { stay?.hasExpired = true }
    if event.verb == .taskEnd, stay == nil { findings.foundClean() }
    // What this event changes is seen after it, where a task counts or has counted.
    let willBeHeld =
      event.verb == .taskBegin || moment.state.open.count(.task) > (event.verb == .taskEnd ? 1 : 0)
    let hasSpent = event.verb != .taskEnd && stay.map { $0.spent > 0 } ?? false
    if willBeHeld || hasSpent { findings.wakeNext() }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    settle(now, moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    // The tasks held the app up to the end, not only up to when it was last looked at.
    if stay != nil { settle(moment.state.awake(at: moment.state.instant), moment, &findings) }
    let isOpen = stay != nil && moment.state.open.count(.task) > 0
    if isOpen, stay?.culprit == nil, stay?.isSettled == false { findings.cannotTell(reason) }
    leave(moment, &findings)
  }

  private mutating func settle(
    _ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let since = moment.backgroundSince else {
      return leave(moment, &findings)
    }

    if stay?.since.ordinal != since.ordinal { leave(moment, &findings) }
    // What a gap hides of the stay is not counted.
    let start = moment.state.isCertain(since) ? moment.awake(since) : now
    var stay = self.stay ?? Stay(since: since, countedUntil: start)
    let isHeld = moment.state.open.count(.task) > 0 && moment.state.open.count(.bgtask) == 0
    if isHeld { stay.spent &+= max(0, now &- stay.countedUntil) }
    if stay.hasExpired && moment.state.open.count(.task) == 0 { stay.isHandled = true }
    stay.countedUntil = max(now, stay.countedUntil)
    if stay.spent == 0 && !isHeld {
      self.stay = stay
      return
    }

    let warning = Allowances.Background.backgroundTasksWarning(moment.profile)
    let limit = Allowances.backgroundTasks(moment.profile)
    if stay.culprit == nil && stay.spent >= warning {
      stay.culprit = moment.state.open.facts(.task).first
    }

    // Whoever has a handler is told when the time is over.
    let isLate = stay.spent >= limit
    if isLate && !stay.isSettled && !stay.isHandled && !hasHandler(moment) {
      stay.isSettled = true
      report(stay, .error, moment, &findings)
    }

    self.stay = stay
    if isHeld && !stay.isSettled && !isLate {
      findings.wake(at: now.adding((stay.culprit == nil ? warning : limit) &- stay.spent))
    }
  }

  /// The stay in the background is over.
  private mutating func leave(_ moment: Moment, _ findings: inout RuleFindings) {
    guard var stay else { return }
    self.stay = nil
    if stay.isSettled { return }
    if stay.culprit != nil {
      if stay.hasExpired && moment.state.open.count(.task) == 0 { stay.isHandled = true }
      let isLate = stay.spent >= Allowances.backgroundTasks(moment.profile)
      report(stay, stay.isHandled ? .info : isLate ? .error : .warning, moment, &findings)
    } else if stay.spent > 0 {
      findings.foundClean()
    }
  }

  /// Whether a task is open whose begin states that it has an expiration handler.
  private func hasHandler(_ moment: Moment) -> Bool {
    moment.state.open.facts(.task).contains { moment.attribute(.handler, $0.event) == "true" }
  }

  /// The ends of the tasks that hold the app when its time is over.
  private func openEnds(_ stay: Stay, _ moment: Moment) -> [MissingEvent] {
    let until = moment.instant(atAwake: stay.countedUntil)
    return moment.state.open.facts(.task).prefix(Self.namedTasks).compactMap {
      MissingEvent.end(of: $0.event, in: moment.vocabulary, until: until)
    }
  }

  private func report(
    _ stay: Stay, _ severity: Severity, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let culprit = stay.culprit else { return }
    findings.report(
      culprit, since: stay.since, elapsed: stay.spent,
      allowed: Allowances.backgroundTasks(moment.profile), severity: severity,
      missing: severity == .error ? openEnds(stay, moment) : [],
      unless: moment.doubt(allowedBy: nil),
      says: stay.isHandled
        ? """
        background tasks, including {subject} {label}, used up the time that the system gives: they \
        expired, and ended after {elapsed}
        """
        : """
        background tasks held the app for {elapsed}, including {subject} {label}; the limit is \
        {allowed}
        """)
  }
}
