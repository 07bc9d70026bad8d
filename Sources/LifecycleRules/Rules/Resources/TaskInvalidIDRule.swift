import LifecycleModel
import TraceAnalysis

/// Only tasks that were begun are ended.
struct TaskInvalidIDRule: Rule {
  static let description: RuleDescription = .init(
    id: "task-invalid-id",
    number: 77,
    topic: .resources,
    summary: "the app ends no task that it never began",
    severity: .warning,
    sources: [.beginBackgroundTask, .endBackgroundTask],
    why: """
      beginBackgroundTask returns .invalid if it cannot begin a task. Code that ends .invalid, or \
      a number of its own, leaves the real task open.
      """,
    remedy: "Store exactly the identifier that begin returned, and compare it with .invalid first.",
    limits: """
      Checked if the log shows the start of the process. UIKit and its ports use different numbers \
      for .invalid, and on some 0 is a normal task: no number alone is wrong. A capture of the \
      system's own lines may hide a begin: the rule then cannot tell, unless UIKit itself reports \
      that it refused the end; but iOS 13 reports that in apps without tasks too. After more than \
      4,096 ended tasks, the rule cannot distinguish an end without a begin from a late second \
      end.
      """,
    needs: RuleNeeds(hooks: [[.tasks]]),
    given: "0s - profile hooks=tasks,system",
    examples: """
      clean: ends what was begun
      0s - process.start app
      1s..2s main task.begin task:7 "sync"

      clean: number 0 on a port, and a second end, covered by another rule
      0s - profile port=true hooks=tasks,system
      0s - process.start app
      1s..2s main task.begin task:0 "sync"
      3s main task.end task:0 "sync"

      cannot tell: the recorder was attached late
      2s main task.end task:7 "sync"

      cannot tell: the begin may be in the gap
      0s - process.start app
      1s - gap ring-full 3
      2s main task.end task:7 "sync"

      cannot tell: the system hides the number of the begin
      0s - profile hooks=tasks,system clock=wall
      0s - process.start app
      0.8s - task.end task:2

      clean: UIKit refused a second end, covered by another rule
      0s - profile hooks=tasks,system clock=wall
      0s - process.start app
      1s - task.begin task:7 "sync"
      2s - task.end task:7
      3s - task.end task:7
      3s - note task:7 "Can't end BackgroundTask" warning=refused

      cannot tell: iOS 13 refuses ends of its own
      0s - profile os=13.1 hooks=tasks,system clock=wall
      0s - process.start app
      1s - note task:7 "Can't end BackgroundTask" warning=refused

      violating: UIKit refused the end of a task whose begin was not seen
      0s - profile hooks=tasks,system clock=wall
      0s - gap source-hole -1
      1s - task.end task:7
      1s - note task:7 "Can't end BackgroundTask" warning=refused ◀

      violating: an end of nothing
      0s - process.start app
      1s main task.begin task:7 "sync"
      2s main task.end task:99 "sync" ◀
      """
  )

  static let interests: [EventPattern] = [.verbs(.taskEnd, .note)]

  private var ended = RememberedSet<UInt32>(4096)
  /// What ended a second time, which is another rule's.
  private var endedAgain = RememberedSet<UInt32>(4096)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .note { return judgeWarning(event, moment, &findings) }
    guard event.subjectKind == .task else { return findings.cannotTell(.subjectNotKnown) }

    if moment.state.open.span(closedBy: event, .task) != nil {
      ended.insert(event.subjectNumber)
      return findings.foundClean()
    }

    let hasEnded = ended.contains(event.subjectNumber)
    if hasEnded == true {
      endedAgain.insert(event.subjectNumber)
      return
    }

    // The system's own lines may leave a begin out, or hide its number.
    if event.writer == .system { return findings.cannotTell(.notSaid("which tasks the app began")) }
    guard let start = moment.beginning else { return findings.cannotTell(.startNotSeen) }

    findings.report(
      moment.fact(event), restingOn: [start],
      unless: hasEnded == nil ? .tooManyInstances : nil,
      says: "{subject} {label} ended but never began")
  }

  /// Judges what UIKit itself says of an end.
  private func judgeWarning(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard moment.warning(event) == .refused else { return }
    if endedAgain.contains(event.subjectNumber) == true { return findings.foundClean() }
    if moment.profile.osMajor == 13 {
      return findings.cannotTell(.notSaid("which tasks the app began"))
    }
    findings.report(
      event, regardlessOfGaps: "UIKit itself says it",
      says: "UIKit refused to end {subject}: no such task, or it has already ended")
  }
}
