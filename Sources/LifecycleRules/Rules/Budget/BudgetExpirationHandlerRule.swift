import LifecycleModel
import TraceAnalysis

/// Expiration handlers are short, one by one and all together.
struct BudgetExpirationHandlerRule: Rule {
  static let description: RuleDescription = .init(
    id: "budget-expiration-handler",
    number: 52,
    topic: .budget,
    summary: "an expiration handler takes less than a second, and all together less than five",
    severity: .error,
    sources: [.backgroundTaskNotes, .beginBackgroundTask, .extendingBackgroundTime],
    why: """
      The handlers run one after another on the main thread when the time is already over. A slow \
      handler takes time from the others, and the system kills an app whose handlers do not \
      finish.
      """,
    remedy: "In the handler, only cancel the work and end the task; save earlier.",
    limits: """
      These are an engineer's numbers: about a second for one handler, and a few seconds (here \
      five) for all of them in one background period. The order of the handlers is not specified. \
      The watchdog is off under a debugger.
      """,
    needs: RuleNeeds(hooks: [[.tasks]], profile: [.noDebugger]),
    given: "0s - profile hooks=tasks",
    examples: """
      clean: ends quickly
      28s..28.2s main task.expire task:1
      28.1s main task.end task:1

      clean: two handlers, in whichever order
      1s..29.1s main task.begin task:1 "a"
      2s..28.5s main task.begin task:2 "b"
      28s..28.6s main task.expire task:2
      28.6s..29.2s main task.expire task:1

      clean: the beginning is lost
      28s - gap ring-full 1
      40s main task.expired task:1

      cannot tell: the return may be in the gap
      28s..40s main task.expire task:1
      28.1s - gap ring-full 2

      violating: three seconds
      28s..31s main task.expire task:1 ◀

      violating: the sum of seven handlers is an error
      28s..28.9s main task.expire task:1
      29s..29.9s main task.expire task:2
      30s..30.9s main task.expire task:3
      31s..31.9s main task.expire task:4
      32s..32.9s main task.expire task:5
      33s..33.9s main task.expire task:6 ◀

      violating: never returns
      28s main task.expire task:1 ◀
      40s db note "still here"
      """
  )

  static let interests: [EventPattern] = [.verbs(.taskExpire, .taskExpired)]

  private static let message =
    "the expiration handler of {subject} ran for {elapsed}; all handlers share {allowed}"

  /// The handlers that run, oldest first; nearly always one.
  private var running = Remembered<OpenEvent>(256, beyond: .cannotTell)
  /// The time of those that have returned, in the stay in the background that `stay` began.
  private var spent: Nanoseconds = 0
  private var stay: UInt64 = 0

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let since = moment.state.app?.since.ordinal ?? 0
    if stay != since { (stay, spent) = (since, 0) }
    if event.verb == .taskExpire {
      running.append(moment.fact(event), &findings)
    } else if let index = running.lastIndex(where: { $0.event.subject == event.subject }) {
      finish(running.remove(at: index), event, moment, &findings)
    }
    wakeAtLimit(moment, &findings)
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let first = running.first else { return }
    running.remove(at: 0)
    findings.report(
      first, elapsed: now &- moment.awake(first),
      allowed: Allowances.expirationHandlers,
      severity: .error,
      missing: moment.end(
        of: first, within: max(0, Allowances.expirationHandlers &- spent)),
      says: Self.message)
    wakeAtLimit(moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for _ in running { findings.cannotTell(reason) }
  }

  private func wakeAtLimit(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let first = running.first else { return findings.wake(at: .max) }
    let left = max(0, Allowances.expirationHandlers &- spent)
    findings.wake(at: moment.awake(first).adding(left))
  }

  private mutating func finish(
    _ begin: OpenEvent, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    // What is not certain is not charged to the time of all.
    guard findings.canRely(on: begin) else { return }

    let elapsed = moment.state.awake(since: begin, at: event.instant)
    let isWithin = spent < Allowances.expirationHandlers
    spent &+= elapsed
    let isOver = isWithin && spent >= Allowances.expirationHandlers
    if !isOver && elapsed < Allowances.expirationHandler {
      return findings.foundClean()
    }
    findings.report(
      begin, until: event, elapsed: elapsed, allowed: Allowances.expirationHandlers,
      severity: isOver ? .error : .warning, says: Self.message)
  }
}
