import LifecycleModel
import TraceAnalysis

/// No background task is open when the process is suspended, or killed after its time in the
/// background.
struct TaskLeakAtSuspendRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "task-leak-at-suspend",
    number: 78,
    topic: .resources,
    summary: "no task is open at a suspension, or when a process ends past its background time",
    severity: .error,
    cause: SharedCause(.leakedTask, rank: 2),
    sources: [.backgroundTaskNotes, .killCodes],
    why: """
      A task that is still open when the time is over, while no work is running, was forgotten. \
      The watchdog kills the app for it with 0x8badf00d, and the stack shows an idle main thread.
      """,
    remedy: "Call endBackgroundTask(_:) where the work ends, on every path, and on expiration.",
    limits: """
      The time depends on the OS version: 30 s from iOS 13, on visionOS and on Mac Catalyst, 180 s \
      from iOS 7, and 600 s before that or if the version is unknown. If the app declares \
      background modes, it may keep running, and a leak shows only in the number of open tasks. \
      The rule then cannot tell, nor if the modes are unknown, unless the code of the kill blames \
      a task: 0x8badf00d with an idle main thread, from 15 s in the background on, or 0x2182bad2 \
      or 0xbada5e47 at any time. If grants are recorded, a task that was never granted holds nothing, unless \
      such a code blames it. The time limit rules cover a main thread that is busy at the end.
      """,
    needs: RuleNeeds(hooks: [[.tasks], [.system]], profile: [.noDebugger]),
    patterns: [
      .never(
        .verbs(.suspend), while: .taskOpen,
        says: "the process was suspended while the task {held} was open, since {since}")
    ],
    given: "0s - profile os=18.2 background-modes=none hooks=tasks,app-delegate,system",
    examples: """
      clean: ended before
      1s..9s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      12s - suspend app

      clean: killed early, for another reason
      1s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      9s - kill app namespace=JETSAM

      clean: a main thread that hangs is not idle
      1s main task.begin task:1 "sync"
      2s main call applicationDidEnterBackground app
      37s - kill app code=0x8badf00d

      cannot tell: an app that may play audio
      0s - profile os=18.2 background-modes=audio hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      37s - kill app namespace=JETSAM

      cannot tell: background modes unknown, and the app exited
      0s - profile os=18.2 hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      37s - exit app status=0

      violating: background modes declared, but the watchdog's code shows that none applied
      0s - profile os=18.2 background-modes=audio hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync" ◀
      2s..2.1s main call applicationDidEnterBackground app
      37s - kill app code=0x8badf00d

      violating: background modes unknown, but the watchdog's code is known
      0s - profile os=18.2 hooks=tasks,app-delegate,system
      1s main task.begin task:1 "sync" ◀
      2s..2.1s main call applicationDidEnterBackground app
      37s - kill app code=0x8badf00d

      violating: 35 s in the background, and killed
      1s main task.begin task:1 "sync" ◀
      2s..2.1s main call applicationDidEnterBackground app
      37s - kill app code=0x8badf00d

      violating: ended for the task before the usual time
      1s main task.begin task:1 "sync" ◀
      2s..2.1s main call applicationDidEnterBackground app
      20s - kill app code=0x2182bad2

      violating: launched for a push, without a background call, and killed
      0s - process.start app launch=push
      1s..1.1s main call applicationDidFinishLaunching app
      2s main task.begin task:1 "sync" ◀
      45s - kill app code=0x8badf00d

      cannot tell: the return to the foreground may be missing
      1s..1.1s main call applicationDidEnterBackground app
      10s - gap source-hole
      11s main task.begin task:1 "sync"
      60s - kill app code=0x8badf00d

      violating: suspended with the task open
      1s main task.begin task:1 "sync"
      2s..2.1s main call applicationDidEnterBackground app
      9s - suspend app ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.taskGranted, .taskEnd, .kill, .exit)]

  private var granted = RememberedSet<UInt32>(1024)
  private var areGrantsRecorded = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .taskGranted:
      areGrantsRecorded = true
      granted.insert(event.subjectNumber)
    case .taskEnd: granted.remove(event.subjectNumber)
    default: judgeEnd(event, moment, &findings)
    }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    guard let holds = holds(opener) else { return .unclear(.tooManyInstances) }
    if !holds { return .notJudged }
    return .violation(unless: moment.doubt(allowedBy: nil))
  }

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard death.deathClass == .fault else { return }
    let allowed = Allowances.backgroundTasks(moment.profile)
    let tasks = death.suspects.filter {
      $0.kind == .task && $0.event.verb == .taskBegin && !$0.isFound
    }
    if !tasks.isEmpty, case .cannotTell(let doubt)? = death.agreement {
      return findings.cannotTell(doubt)
    }

    for task in tasks {
      let isEarly = task.elapsed > 0 && task.elapsed < allowed
      findings.report(
        task.fact, until: death.end, elapsed: isEarly ? task.elapsed : nil,
        allowed: isEarly ? allowed : nil, missing: moment.end(of: task.fact),
        says: "{subject} {label} was open when the system killed the app for it"
          + (isEarly ? ", after {elapsed} in the background; the usual limit is {allowed}" : ""))
    }
  }

  /// Whether the system keeps the app awake for a task; `nil` if there were more grants than are
  /// remembered.
  private func holds(_ task: OpenEvent) -> Bool? {
    areGrantsRecorded ? granted.contains(task.event.subjectNumber) : true
  }

  private func judgeEnd(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let since = moment.backgroundSince else { return }
    let open = moment.state.open.facts(.task).filter { holds($0) != false }
    let isBusy = (moment.state.open.facts(.call) + moment.state.open.facts(.work)).contains {
      $0.event.writer == .main || $0.event.name == WorkCategory.mainBusy.symbol
    }
    let allowed = Allowances.backgroundTasks(moment.profile)
    let elapsed = moment.state.awake(since: since, at: max(event.instant, moment.state.instant))
    if open.isEmpty || elapsed < allowed || isBusy { return findings.foundClean() }
    let way =
      since.event.verb == .processStart ? "was launched in the background" : "left the foreground"
    let isByWatchdog = DeathCauses.isByWatchdog(event, moment.vocabulary)
    let doubt = isByWatchdog ? nil : moment.doubt(allowedBy: nil)

    for task in open {
      findings.report(
        task, until: event, elapsed: elapsed, allowed: allowed,
        missing: moment.end(of: task, until: moment.instant(since, passing: allowed)),
        restingOn: [since], unless: holds(task) == nil ? .tooManyInstances : doubt,
        says: "{subject} {label} was open when the process ended, {elapsed} after it \(way); "
          + "the limit is {allowed}")
    }
  }
}
