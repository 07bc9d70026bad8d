import LifecycleModel
import TraceAnalysis

/// Views of one kind that the app says are on screen: `acquire other`, `kind=sensitive` or
/// `kind=alert`, until the `release`.
struct ViewsOnScreen: Sendable {
  /// What a rule has to hand to ``judge(_:_:_:says:)``.
  static let interests: [EventPattern] = [.acquire(.other), .backgroundEntered]

  private let kind: Profile.Mark
  /// Whether the log ever says which views are of this kind; a process need not say it again.
  private var isSaid = false

  init(kind: Profile.Mark) { self.kind = kind }

  /// Sees an event of ``interests``; at the return of didEnterBackground reports what is on screen.
  mutating func judge(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings, says message: String
  ) {
    if event.verb == .acquire {
      if moment.attribute(.kind, event) == kind.rawValue { isSaid = true }
      return
    }

    guard isSaid || moment.profile.marks?.contains(kind) ?? false else {
      return findings.cannotTell(.notMarked(kind))
    }

    let shown = moment.state.open.facts(.resource, Resource.other).filter {
      moment.attribute(.kind, $0.event) == kind.rawValue && !moment.isSystems($0.event)
        && moment.state.concerns($0, event)
    }
    if shown.isEmpty { findings.foundClean() }
    for view in shown {
      findings.report(event, since: view, missing: moment.end(of: view), says: message)
    }
  }
}
