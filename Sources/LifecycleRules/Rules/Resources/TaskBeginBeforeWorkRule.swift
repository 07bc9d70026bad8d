import LifecycleModel
import TraceAnalysis

/// The time for work is asked for before the work is handed over.
struct TaskBeginBeforeWorkRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "task-begin-before-work",
    number: 72,
    topic: .resources,
    summary:
      "on the way to the background, a task begins before its work is dispatched",
    severity: .warning,
    sources: [.s4, .beginBackgroundTask, .didEnterBackground],
    why: """
      The documentation asks to request the time first and then run the work. The system may \
      suspend work that is dispatched before it grants the request.
      """,
    remedy: "Call beginBackgroundTask(expirationHandler:) first, then dispatch.",
    limits: """
      Checked inside the callbacks that leave the foreground, on their thread. Work belongs to a task if it states \
      task=N, or has the task's name as its label; other work is not checked. Work that ended \
      before the task began was shorter than the gap, and is not reported.
      """,
    needs: RuleNeeds(hooks: [[.tasks], [.work], .delegates]),
    patterns: [
      .never(.work(.dispatch), while: .insideDeparture, says: ""),
      .never(.verbs(.workEnd), while: .insideDeparture, says: ""),
    ],
    given: "0s - profile hooks=app-delegate,tasks,work",
    examples: """
      clean: the task, then the work
      1s..1.3s main call applicationDidEnterBackground app
      1.1s main task.begin task:1 "save"
      1.2s main work dispatch app "save" task=1

      clean: the work was shorter than the gap
      1s..1.3s main call applicationWillResignActive app
      1.01s main work dispatch app "save"
      1.02s..1.03s worker work.begin other app "save"
      1.1s main task.begin task:1 "save"

      clean: another thread's work, which the callback does not hand over
      1s..1.3s main call applicationWillResignActive app
      1.1s worker work dispatch app "save"
      1.2s worker task.begin task:1 "save"

      clean: a task for other work
      1s..1.3s main call applicationWillResignActive app
      1.01s main work dispatch app "log"
      1.1s main task.begin task:1 "save"
      1.2s main work dispatch app "save"

      violating: the work, then the task
      1s..1.3s main call applicationDidEnterBackground app
      1.1s main work dispatch app "save" ◀
      1.2s main task.begin task:1 "save"

      violating: the work names the task
      0s - profile hooks=scene-delegate,tasks,work
      1s..1.3s main call sceneDidEnterBackground scene:1
      1.1s main work dispatch scene:1 "flush" task=4 ◀
      1.2s main task.begin task:4 "save"
      """
  )

  static let interests: [EventPattern] = [.verbs(.taskBegin), Turn.returns(.resign, .background)]

  /// What was handed over in the callback that runs, and is not over.
  private var handedOver = Remembered<(work: OpenEvent, task: String?)>(64, beyond: .cannotTell)

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    let covering = moment.attribute(.task, culprit)
    if culprit.verb == .workEnd {
      if let index = handedOver.firstIndex(where: { $0.work.event.label == culprit.label }) {
        handedOver.remove(at: index)
      }
      return .notJudged
    }
    // What another thread does meanwhile is no part of the callback.
    if culprit.writer != opener.event.writer { return .notJudged }

    let number = covering.flatMap { UInt32($0) }
    let isCovered = moment.state.open.facts(.task).contains {
      $0.event.subjectNumber == number || $0.event.label == culprit.label
    }
    if isCovered { return .kept }
    return handedOver.append((moment.fact(culprit), covering))
      ? .notJudged : .unclear(.tooManyInstances)
  }

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard event.verb == .taskBegin else { return handedOver.removeAll() }
    handedOver.removeAll { item in
      let isItsWork =
        item.task.map { $0 == String(event.subjectNumber) }
        ?? (item.work.event.isLabelled && item.work.event.label == event.label)
      if !isItsWork { return false }
      findings.report(
        item.work, until: event,
        says: "work {label} of {subject} was dispatched before the task that covers it began")
      return true
    }
  }
}
