import LifecycleModel
import TraceAnalysis

/// There are never many background tasks open at once.
struct TaskCountRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-count",
    number: 80,
    topic: .resources,
    summary: "fewer than 100 background tasks are open at once; about 1,000 get the app killed",
    severity: .error,
    sources: [.backgroundTaskNotes, .killCodes],
    why: """
      Each open task holds a system assertion. At about a thousand the system kills the app with \
      0xbada5e47; hundreds show that tasks begin and do not end.
      """,
    remedy: "Find the path on which a task does not end. Begin one task for a batch of work.",
    limits: """
      The number comes from an engineer. Only open tasks count: any number of short ones is fine. \
      After a gap an open task may have ended unseen, and the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    given: "0s - profile hooks=tasks",
    examples: """
      clean: many short ones
      1s..2s main task.begin task:1 "a"
      3s..4s main task.begin task:2 "a"

      violating: a hundred at once
      \(TaskCountRule.hundred)
      """
  )

  static let interests: [EventPattern] = [.verbs(.taskBegin)]

  private static let hundred =
    (1...100).map { "\($0)ms main task.begin task:\($0) \"upload\"" }.joined(separator: "\n")
    + " ◀"

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    let count = moment.state.open.count(.task) + 1
    let isLimit =
      count == Allowances.Background.liveTasksWarning || count == Allowances.Background.liveTasks
    if !isLimit {
      if count < Allowances.Background.liveTasksWarning { findings.foundClean() }
      return
    }

    guard let oldest = moment.state.open.facts(.task).first else { return }
    findings.report(
      event, since: oldest, severity: count < Allowances.Background.liveTasks ? .warning : .error,
      says: "\(count) background tasks are open at once, the oldest {held} since {since}")
  }
}
