import LifecycleModel
import TraceAnalysis

/// A background task does not begin as the last act of didEnterBackground.
struct TaskBeginEarlyRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-begin-early",
    number: 73,
    topic: .resources,
    summary: "a task begins early enough to be granted before the process is suspended",
    severity: .warning,
    sources: [.didEnterBackground, .beginBackgroundTask],
    why: """
      The newer documentation asks to begin the task as early as possible: the system grants it \
      asynchronously, and may suspend the app first. (The older documentation does not say this.)
      """,
    remedy: "Begin the task in {resign}, or first in {background}.",
    limits: """
      A log in which no task is ever granted does not show the race. Then the rule reports, as \
      info, only a task that begins in the last tenth of the callback.
      """,
    contradiction: """
      The older documentation only says to begin a task; the newer edition says to begin it as \
      early as possible, because the suspension may come before the assertion.
      """,
    needs: RuleNeeds(hooks: [[.tasks], .delegates]),
    given: "0s - profile hooks=app-delegate,tasks,system",
    examples: """
      clean: begun before going to the background
      1s main task.begin task:1 "save"
      1.1s..2s main call applicationDidEnterBackground app
      2.1s - task.granted task:1

      clean: begun late, but granted
      1s..2s main call applicationDidEnterBackground app
      1.99s..3s main task.begin task:1 "save"
      2.1s - task.granted task:1

      clean: begun early in the callback, and no grants are recorded
      1s..2s main call applicationDidEnterBackground app
      1.1s..3s main task.begin task:1 "save"

      clean: at the end of the callback, by a thread that has nothing to do with it
      1s..2s main call applicationDidEnterBackground app
      1.95s..3s worker task.begin task:1 "upload"

      clean: all at one instant, and no grants are recorded
      0s - profile mode=app hooks=app-delegate,tasks
      1s main call applicationDidEnterBackground app
      1s main task.begin task:1 "save" handler=true
      1s main return applicationDidEnterBackground app
      3s main task.end task:1 "save"

      cannot tell: whether grants are recorded may be in the gap
      0.5s - gap ring-full 1
      1s..2s main call applicationDidEnterBackground app
      1.95s..3s main task.begin task:1 "save"

      violating: suspended before it was granted
      1s..2s main call applicationDidEnterBackground app
      1.5s main task.begin task:1 "save" ◀
      2.1s..9s - suspend app
      9.1s - task.granted task:1

      violating: without grants, in the last tenth of the callback
      1s..2s main call applicationDidEnterBackground app
      1.95s..3s main task.begin task:1 "save" ◀
      """
  )

  static let interests: [EventPattern] = [
    .verbs(.taskBegin, .taskGranted, .taskEnd, .suspend), .backgroundEntered,
  ]

  /// A task that began inside the callback and is not granted.
  private struct Begun {
    var task: OpenEvent
    var call: OpenEvent
    var isLate = false
    /// The `suspend` that came before the grant.
    var suspended: Event?
  }

  private var begun = Remembered<Begun>(Allowances.Background.liveTasks, beyond: .cannotTell)
  private var areGrantsRecorded = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .taskBegin: begin(event, moment, &findings)
    case .taskGranted:
      areGrantsRecorded = true
      if let task = take(event) { finish(task, event, moment, &findings) }
    case .taskEnd:
      if let task = take(event) { finish(task, nil, moment, &findings) }
    case .suspend:
      for index in begun.indices where begun[index].suspended == nil {
        begun[index].suspended = event
      }
    default: noteReturn(event, moment)
    }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for task in begun { finish(task, nil, moment, &findings) }
  }

  /// What a log shows of grants it shows in each process.
  mutating func keep(from last: Self) { areGrantsRecorded = last.areGrantsRecorded }

  private mutating func begin(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    // What another thread does meanwhile is no part of the callback.
    let call = moment.state.open.facts(.call).last {
      Turner.turn($0.event.name)?.turn == .background && $0.event.writer == event.writer
    }
    guard let call else { return findings.foundClean() }
    begun.append(Begun(task: moment.fact(event), call: call), &findings)
  }

  private mutating func take(_ event: Event) -> Begun? {
    begun.firstIndex { $0.task.event.subject == event.subject }.map { begun.remove(at: $0) }
  }

  /// Notes which tasks began in the last tenth of the callback that has returned.
  private mutating func noteReturn(_ event: Event, _ moment: Moment) {
    for index in begun.indices
    where begun[index].call.event.name == event.name
      && begun[index].call.event.subject == event.subject
    {
      let call = begun[index].call.event.instant
      let whole = event.instant.since(call)
      // Where all stands at one instant nothing was late.
      begun[index].isLate =
        whole > 0 && begun[index].task.event.instant.since(call) >= whole / 10 * 9
    }
  }

  private func finish(
    _ task: Begun, _ grant: Event?, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard findings.canRely(on: task.call) else { return }
    if let suspended = task.suspended, areGrantsRecorded {
      findings.report(
        task.task, since: task.call, until: suspended, severity: .warning,
        missing: [
          MissingEvent(
            [MissingEvent.Kind(.taskGranted, about: task.task.event.subject)],
            after: task.task.event)
        ],
        says:
          "the process was suspended before {subject} {label}, begun inside {opener}, was granted")
    } else if grant == nil && task.isLate && !areGrantsRecorded {
      // A grant that was lost anywhere in the log would show that they are recorded.
      findings.report(
        task.task, since: task.call, severity: .info, restingOn: [nil],
        says: "{subject} {label} began at the very end of {opener}")
    } else {
      findings.foundClean()
    }
  }
}
