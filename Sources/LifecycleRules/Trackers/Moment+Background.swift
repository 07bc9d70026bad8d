import LifecycleModel
import TraceAnalysis

extension Moment {
  /// What UIKit says of a task, by a note about it; `nil` when it says nothing.
  func warning(_ note: Event) -> TaskWarning? {
    note.subjectKind == .task
      ? attribute(.warning, note).flatMap { TaskWarning(rawValue: $0) } : nil
  }

  /// The begin of the open task that an event is about; `nil` when it is not open.
  func begin(ofTask event: Event) -> OpenEvent? {
    state.open.facts(.task).last { $0.event.subject == event.subject }
  }

  /// Whether an event says that it is the system's and not the app's.
  func isSystems(_ event: Event) -> Bool { attribute(.by, event) == "system" }

  /// Whether the app is in the background; `nil` when that is not known.
  ///
  /// A process that was launched for an event and has not been anywhere yet is there.
  var isInBackground: Bool? {
    if let state = state.appState { return state == .background || state == .suspended }
    switch launch {
    case .push, .location, .bgtask: return true
    case .user, .url: return false
    case .prewarm, nil: return nil
    }
  }

  /// What brought the app to the background where it is: for a process that was launched for an event
  /// and has not been anywhere yet its start; `nil` when it is not there, or that is not known.
  var backgroundSince: OpenEvent? {
    if let app = state.app { return app.state == .background ? app.since : nil }
    return isInBackground == true ? state.processStart : nil
  }

  /// The suspension that `event` ends, with its length; `nil` without one, and where it was short.
  func longSuspension(endedBy event: Event) -> (suspension: OpenEvent, time: Nanoseconds)? {
    guard let suspension = state.suspension else { return nil }
    let time = event.instant.since(suspension.event.instant)
    return time >= Allowances.requestTimeout ? (suspension, time) : nil
  }

  /// Why a finding in the background is in doubt under the declared modes; `nil` when it is not.
  ///
  /// `modes` are those that would allow what was found; `nil` for any.
  func doubt(allowedBy modes: Set<String>?) -> Doubt? {
    guard let declared = profile.backgroundModes else {
      return .profileKeyMissing(.backgroundModes)
    }
    let isNoneMeant = modes?.isDisjoint(with: declared) ?? declared.isEmpty
    return isNoneMeant ? nil : .backgroundModes
  }

  /// The same for what an interruption need not end under the modes that would allow it; where the profile
  /// does not name its modes, there are none.
  var doubtOfLastingModes: Doubt? {
    let modes: Set<String> = ["audio", "location", "voip"]
    return modes.isDisjoint(with: profile.backgroundModes ?? []) ? nil : .backgroundModes
  }

  /// Whether a datum is the state to restore, which is no data of the user's: it has its own rule.
  func isRestoration(_ event: Event) -> Bool { vocabulary.text(event.label) == "restoration" }

  /// Whether something was granted that lets the app work in the background: a background task, a task
  /// of BGTaskScheduler, or an event that it has to complete.
  var hasRightToWork: Bool {
    state.open.count(.task) > 0 || state.open.count(.bgtask) > 0 || state.open.count(.delivery) > 0
  }
}

extension OpenSpans {
  /// What opened the spans of a family that have one of these names, oldest first.
  func facts<Name: WellKnown>(_ family: SpanFamily, _ names: Name...) -> [OpenEvent] {
    if count(family) == 0 { return [] }
    let symbols = names.map { $0.symbol }
    return facts(family).filter { symbols.contains($0.event.name) }
  }
}

extension Judgement {
  /// It is a finding, unless there is a doubt.
  static func violation(unless doubt: Doubt?) -> Judgement {
    doubt.map { .unclear($0) } ?? .violation()
  }
}

extension Event {
  /// Whether the app has given it words of its own.
  var isLabelled: Bool { !label.isNone }
}
