import LifecycleModel
import TraceAnalysis

/// Whether the code of a kill fits the trace before it.
extension EndEvidence {
  typealias Reading = (agreement: DeathVerdict.Agreement, suspects: [DeathVerdict.Suspect])

  /// Looks for what a code means.
  ///
  /// `words` are what the system says with it.
  func reading(of cause: DeathCause, _ words: String?) -> Reading {
    switch cause.signature {
    case .overrunOrLeakedTask: watchdog(words ?? "")
    case .lockAtSuspension:
      found(locks, [.resources], otherwise: "no lock was held")
    case .openBackgroundTask:
      found(tasks + scheduledTasks, [.tasks], otherwise: "no background task was open")
    case .openURLSession:
      found(
        deliveries(.urlsession), [.system],
        otherwise: "all URL session deliveries were completed")
    case .openFetch:
      found(
        deliveries(.fetch, .push), [.system], otherwise: "all fetches and pushes were completed")
    case .unreportedCall: (.cannotTell(.notSaid("which pushes announce a call")), [])
    case .resumeLoop: resumeLoop
    case .manyOperations: (.cannotTell(.notSaid("how many operations are too many")), [])
    case .watchBackground: watchBackground
    case .tooManyTasks: tooManyTasks
    case .heldSocket: heldSockets.isEmpty ? (.nothingToShow, []) : (.agrees, heldSockets)
    case .nothing: (.nothingToShow, [])
    }
  }

  private func watchdog(_ words: String) -> Reading {
    let suspects = unansweredRequests + launch(words) + overruns + leakedTasks
    if !suspects.isEmpty { return (.agrees, suspects) }
    if !tasks.isEmpty && audience == .unknown { return (.cannotTell(.stateNotKnown), tasks) }
    let reading = found(
      // Callbacks alone do not show what else the main thread did.
      [], [.work],
      otherwise: "nothing held the main thread too long, and no background task was left open")
    if case .disagrees = reading.agreement, !isRecorded([.tasks]) {
      return (.cannotTell(.hooksNotRecorded([.tasks])), [])
    }

    return reading
  }

  /// The launch, where the system says that it took too long.
  private func launch(_ words: String) -> [DeathVerdict.Suspect] {
    let ofLaunch = ["process-launch", "scene-create", "failed to launch in time"]
    return ofLaunch.contains(where: words.contains) ? lateLaunch : []
  }

  private var resumeLoop: Reading {
    let resumes = resumes
    let count = resumes.count
    return found(
      count >= ResumeTimes.loop ? [resumes[0]] : [], [.system],
      otherwise: "the process was resumed \(count) times in the last minute")
  }

  private var watchBackground: Reading {
    guard let platform = moment.profile.platform else {
      return (.cannotTell(.profileKeyMissing(.platform)), [])
    }
    if platform != "watchos" { return (.disagrees("the code applies only to watchOS"), []) }
    if audience == .visible { return (.disagrees("the app was in the foreground"), []) }
    return audience == .unknown ? (.cannotTell(.stateNotKnown), []) : (.agrees, scheduledTasks)
  }

  private var tooManyTasks: Reading {
    let count = moment.state.open.count(.task)
    return found(
      count >= Allowances.Background.liveTasks ? [tasks[0]] : [], [.tasks],
      otherwise: "\(count) background tasks were open")
  }

  /// Agrees when something is found; disagrees when nothing is, though it would show.
  private func found(
    _ suspects: [DeathVerdict.Suspect], _ hooks: [Hook], otherwise: String
  ) -> Reading {
    if !suspects.isEmpty { return (.agrees, suspects) }
    if !isRecorded(hooks) { return (.cannotTell(.hooksNotRecorded(hooks)), []) }
    if let hook = hooks.first(where: moment.profile.partial.contains) {
      return (.cannotTell(.recordedInPart(hook)), [])
    }
    return (doubt.map { .cannotTell($0) } ?? .disagrees(otherwise), [])
  }

  private func isRecorded(_ hooks: [Hook]) -> Bool {
    !(moment.profile.hooks ?? []).isDisjoint(with: hooks)
  }
}
