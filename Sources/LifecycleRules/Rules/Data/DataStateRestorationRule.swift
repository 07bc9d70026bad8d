import LifecycleModel
import TraceAnalysis

/// What is needed to restore the interface is written by the time the process is suspended.
struct DataStateRestorationRule: Rule {
  static let description: RuleDescription = .init(
    id: "data-state-restoration",
    number: 90,
    topic: .data,
    summary: "the state to restore is written before the process is suspended",
    severity: .info,
    sources: [.s4],
    why: """
      The documentation asks to store enough state to bring the app back to where it was, in case \
      the system terminates it later. Without that state the user starts over.
      """,
    remedy: """
      Return an activity from stateRestorationActivity(for:), or encode the state in \
      {background}.
      """,
    limits: """
      The app reports changes of the state as `data.dirty` with the label "restoration", and \
      reports its saves; UIKit's own request, sceneStateRestorationActivity, counts as a save. \
      Without any of these events the rule cannot tell, unless the profile states \
      marks=restoration: then nothing has changed.
      """,
    needs: RuleNeeds(hooks: [[.data], [.system]]),
    given: "0s - profile hooks=app-delegate,data,system",
    examples: """
      clean: written in the background
      1s..2.1s main data.dirty app "restoration"
      2s..2.2s main call applicationDidEnterBackground app
      9s - suspend app

      clean: nothing changed since it was written
      1s..2.1s main data.dirty app "restoration"
      9s..60s - suspend app
      90s - suspend app

      clean: UIKit asked for it
      0s - profile hooks=scene-delegate,data,system
      1s main data.dirty scene:1 "restoration"
      2.2s main return sceneDidEnterBackground scene:1
      2.3s..2.4s main call sceneStateRestorationActivity scene:1
      9s - suspend app

      clean: the app labels its changes, and there was none
      0s - profile marks=restoration hooks=app-delegate,data,system
      2.2s main return applicationDidEnterBackground app
      9s - suspend app

      cannot tell: the log never mentions it
      2.2s main return applicationDidEnterBackground app
      9s - suspend app

      violating: not written
      1s main data.dirty app "restoration"
      2s..2.2s main call applicationDidEnterBackground app
      9s - suspend app ◀
      """
  )

  static let interests: [EventPattern] = [
    .verbs(.dataDirty, .suspend), .returned(.sceneStateRestorationActivity),
  ]

  private var isSaid = false
  /// When UIKit last asked for each scene's state.
  private var asked = Remembered<OpenEvent>(64, beyond: .oldestGoes)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .dataDirty: if !isSaid { isSaid = moment.isRestoration(event) }
    case .suspend: judge(event, moment, &findings)
    default:
      isSaid = true
      asked.removeAll { $0.event.subjectNumber == event.subjectNumber }
      asked.append(moment.fact(event))
    }
  }

  private func judge(_ suspend: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard isSaid || moment.profile.marks?.contains(.restoration) ?? false else {
      return findings.cannotTell(.notMarked(.restoration))
    }

    let unwritten = moment.state.open.facts(.data).filter {
      moment.isRestoration($0.event) && wasWritten($0) != true
    }
    if unwritten.isEmpty { findings.foundClean() }
    for change in unwritten {
      findings.report(
        suspend, since: change, missing: moment.end(of: change),
        unless: wasWritten(change) == nil ? .tooManyInstances : nil,
        says: """
          the process was suspended before the state to restore, changed at {since}, was written
          """)
    }
  }

  /// Whether UIKit has asked for the state since; `nil` if there were more scenes than are
  /// remembered.
  private func wasWritten(_ change: OpenEvent) -> Bool? {
    let asked = asked.last { $0.event.subjectNumber == change.event.subjectNumber }
    if let asked { return asked.ordinal > change.ordinal }
    return self.asked.isWhole ? false : nil
  }
}
