import LifecycleModel
import TraceAnalysis

/// Timers are silent once the app or its scene has resigned.
struct WorkTimerWhileInactiveRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-timer-while-inactive",
    number: 57,
    topic: .work,
    summary: "no app timer fires between willResignActive and the next activation",
    severity: .warning,
    sources: [.s0, .s1, .s2, .backgroundPreparation],
    why: """
      The documentation asks to disable timers before the method returns. A running timer uses \
      power, and in the background keeps doing work that counts against the app.
      """,
    remedy: """
      Invalidate or pause the timer in {resign} (or its notification) and start it again in \
      {activate}.
      """,
    limits: """
      A timer that finishes the quieting is legitimate: one that states task=N of an open task, or \
      one with a label that the app acquires (`acquire timer`) while a callback leaves the \
      foreground. The label stays excused, also after the next activation, until the app acquires \
      such a timer elsewhere; of more than 64 labels the rule cannot tell. If the app declares \
      audio, location or voip, a recording or navigation may need its timer, and the rule cannot \
      tell. Timers that carry by=system, or that fire during the system's snapshot, do not belong \
      to the app. If the start of the process is recorded, the rule checks no timers before the \
      first activation, and never on the way back to the foreground: the documentation refers to \
      timers that run at the resign.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.timer), while: .subjectInactive,
        says: "the timer {label} of {subject} fired while inactive, after {opener} at {since}")
    ],
    given: "0s - profile mode=scene hooks=scene-delegate,work",
    examples: """
      clean: a timer while active, and inside the callback
      1s..1.1s main call sceneDidBecomeActive scene:1
      2s main work timer scene:1 "autosave"
      3s..3.2s main call sceneWillResignActive scene:1
      3.1s main work timer scene:1 "autosave"

      clean: the other scene is active
      1s main call sceneDidBecomeActive scene:1
      1s main call sceneDidBecomeActive scene:2
      3s main return sceneWillResignActive scene:1
      4s main work timer scene:2 "autosave"
      4s main work timer app "clock"

      clean: the system's own timer, and one during the snapshot
      0s - profile mode=app hooks=app-delegate,work,system
      1s..1.1s main call applicationDidEnterBackground app
      2s main work timer app "layout" by=system
      3s..3.2s - snapshot.begin app
      3.1s main work timer app "layout"

      clean: started at the launch, and again in willEnterForeground
      0s - profile mode=app launch=user hooks=app-delegate,work,system
      0s - process.start app launch=user
      1s..1.1s main call applicationDidFinishLaunching app
      1.2s - state notRunning->inactive app
      1.3s main work timer app "splash"
      1.4s..1.5s main call applicationDidBecomeActive app
      5s..5.1s main call applicationWillResignActive app
      6s..6.1s main call applicationDidEnterBackground app
      9s..9.1s main call applicationWillEnterForeground app
      9.2s main work timer app "clock"
      9.3s main call applicationDidBecomeActive app

      clean: launched in the background, and never active
      0s - profile mode=app launch=location hooks=app-delegate,work,system
      0s - process.start app launch=location
      1s..1.1s main call applicationDidEnterBackground app
      2s main work timer app "timeout"

      clean: timers that finish the quieting
      0s - profile mode=app hooks=app-delegate,work,resources,tasks
      1s..1.1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app
      3.1s main acquire timer app "fade out"
      3.4s main work timer app "fade out"
      3.4s main release timer app "fade out"
      4s main task.begin task:1 "save" handler=true
      4.5s main work timer app "flush" task=1
      4.6s main task.end task:1 "save"

      cannot tell: a navigation app
      0s - profile mode=app background-modes=location hooks=app-delegate,work
      1s..1.1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app
      4s main work timer app "next turn"

      violating: a timer goes on after the resign
      1s..1.1s main call sceneDidBecomeActive scene:1
      3s..3.2s main call sceneWillResignActive scene:1
      4s main work timer scene:1 "autosave" ◀
      5s main work timer scene:1 "autosave"
      """
  )

  static let interests: [EventPattern] = [.acquire(.timer)]

  /// The timers that were taken while a callback ran by which the app leaves the foreground.
  private var finishing = RememberedSet<String>(64)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let isLeaving = !moment.departuresRunning.isEmpty
    if !isLeaving && finishing.isEmpty { return }
    let timer = moment.vocabulary.text(event.label)

    if !isLeaving {
      finishing.remove(timer)
    } else if event.isLabelled {
      finishing.insert(timer)
    }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.departure.isAfterActivity(opener, moment) { return .notJudged }
    if isCovered(culprit, moment) { return .kept }
    guard let isFinishing = finishing.contains(moment.vocabulary.text(culprit.label)) else {
      return .unclear(.tooManyInstances)
    }
    return isFinishing ? .kept : .violation(unless: moment.doubtOfLastingModes)
  }

  private func isCovered(_ timer: Event, _ moment: Moment) -> Bool {
    guard let task = moment.attribute(.task, timer) else { return false }
    return moment.state.open.facts(.task).contains { String($0.event.subjectNumber) == task }
  }
}
