import LifecycleModel
import TraceAnalysis
import TraceText

extension DeathCause {
  /// What a trace should show before an end, and how it is looked for.
  struct Signature: Sendable {
    /// What the trace shows, in a sentence; `nil` when it shows nothing of it.
    var trace: String?
    /// Whether an app in the background that shows it was not just reclaimed.
    var isNoReclaim = false
    /// Looks for it at the end of a process.
    let look: @Sendable (EndEvidence) -> EndEvidence.Reading
  }
}

extension DeathCause.Signature {
  static let overrunOrLeakedTask = Self(
    trace: """
      A callback, a handler or work on the main thread that exceeds its time; or, if the main \
      thread is idle in the background, a background task that never ends.
      """,
    look: { $0.watchdog })

  static let lockAtSuspension = Self(
    trace: "A lock that is acquired and not released before the suspension.",
    look: { $0.lockAtSuspension })

  /// A background task that is open, or a launch for one.
  static let openBackgroundTask = Self(
    trace: "A background task that begins and never ends.",
    look: {
      $0.found(
        $0.tasks + $0.scheduledTasks, [.tasks],
        otherwise: "no recorded background task was open; look for one that an SDK begins")
    })

  static let openURLSession = Self(
    trace: "A delivery of URL session events that never completes.",
    look: {
      $0.found(
        $0.deliveries(.urlsession), [.system],
        otherwise: "each recorded delivery of URL session events was completed")
    })

  static let openFetch = Self(
    trace: "A background fetch that never completes.",
    look: {
      $0.found(
        $0.deliveries(.fetch, .push), [.system],
        otherwise: "each recorded fetch and push was completed")
    })

  static let unreportedCall = Self(look: { _ in
    (.cannotTell(.notSaid("which pushes announce a call")), [])
  })

  static let resumeLoop = Self(
    trace: "A dozen resumes of the process within a minute.", look: { $0.resumeLoop })

  static let manyOperations = Self(
    trace: "Many operations that are open at once.",
    look: { _ in (.cannotTell(.notSaid("how many operations are too many")), []) })

  static let watchBackground = Self(
    trace: "Work in the background, on watchOS.", look: { $0.watchBackground })

  static let tooManyTasks = Self(
    trace: "About a thousand background tasks that are open at once.", look: { $0.tooManyTasks })

  static let heldSocket = Self(
    trace: "A connected socket that is acquired before a suspension and held after it.",
    isNoReclaim: true,
    look: { $0.heldSockets.isEmpty ? (.nothingToShow, []) : (.agrees, $0.heldSockets) })
}

/// Whether the code of a kill fits the trace before it.
extension EndEvidence {
  typealias Reading = (agreement: DeathVerdict.Agreement, suspects: [DeathVerdict.Suspect])

  fileprivate var watchdog: Reading {
    let overruns = overruns
    let suspects =
      (overruns.isEmpty ? unansweredRequests + launch : overruns) + leakedTasks
    if !suspects.isEmpty { return (.agrees, suspects) }
    if !tasks.isEmpty && audience == .unknown { return (.cannotTell(.stateNotKnown), tasks) }
    // Callbacks alone do not show what else the main thread did.
    let reading = found([], [.work], otherwise: whatMainShows)
    if case .notShown = reading.agreement, audience != .visible, !isRecorded([.tasks]) {
      return (.cannotTell(.hooksNotRecorded([.tasks])), [])
    }
    return reading
  }

  /// What the trace shows of the main thread before a kill that nothing explains.
  private var whatMainShows: String {
    if let open = running.first {
      let name = moment.vocabulary.word(naming: open.event)
      let allowed = stated.allowance.map { " of the \(TimeText.span($0)) allowed" } ?? ""
      return "the log shows \(name), open for \(TimeText.span(elapsed(open)))\(allowed), and not "
        + "what took the rest of the time"
    }

    guard let silence else { return "the log shows nothing that held the main thread" }
    if silence >= Allowances.reportedHang {
      return "the log shows nothing on the main thread for \(TimeText.span(silence)): a hang "
        + "outside any recorded callback"
    }
    return "the main thread wrote an event \(TimeText.span(silence)) before the end, and no "
      + "recorded callback was open: the log does not show what the system waited for"
  }

  /// The launch, where the system says that it took too long, or ends the app without a word at the end of the time
  /// that it gives one.
  private var launch: [DeathVerdict.Suspect] {
    let ofLaunch = ["process-launch", "scene-create", "failed to launch in time"]
    if ofLaunch.contains(where: stated.reason.contains) { return lateLaunch }
    // A log that records states shows what the app did; a report alone does not.
    guard stated.reason.isEmpty, !areStatesRecorded, audience != .notVisible,
      let start = moment.state.processStart?.event,
      [nil, "user", "unknown"].contains(moment.attribute(.launch, start))
    else { return [] }
    return lateLaunch.filter { $0.elapsed < Allowances.launchToFirstFrame + Self.killDelay }
  }

  /// So soon after a time has passed the system ends an app for it.
  private static let killDelay: Nanoseconds = .seconds(2)

  fileprivate var lockAtSuspension: Reading {
    if locks.isEmpty, audience == .visible, doubt == nil, stated.audience != .notVisible {
      return (.disagrees("the app was on screen, and the code applies to suspended apps"), [])
    }
    return found(
      locks, [.resources],
      otherwise: "no recorded lock was open; look for one that the log does not record, such as "
        + "Core Data or SQLite in an app group, in an SDK or in an extension")
  }

  fileprivate var resumeLoop: Reading {
    let resumes = resumes
    return found(
      resumes.count >= ResumeTimes.loop ? [resumes[0]] : [], [.system],
      otherwise: "the log shows \(resumes.count) resumes in the last minute, and no document says "
        + "how many are too many")
  }

  fileprivate var watchBackground: Reading {
    guard let platform = moment.profile.platform else {
      return (.cannotTell(.profileKeyMissing(.platform)), [])
    }
    if let doubt { return (.cannotTell(doubt), []) }
    if platform != "watchos" { return (.disagrees("the code applies only to watchOS"), []) }
    if audience == .visible { return (.disagrees("the app was in the foreground"), []) }
    return audience == .unknown ? (.cannotTell(.stateNotKnown), []) : (.agrees, scheduledTasks)
  }

  fileprivate var tooManyTasks: Reading {
    let count = moment.state.open.count(.task)
    return found(
      count >= Allowances.Background.liveTasks ? [tasks[0]] : [], [.tasks],
      otherwise: "\(count) recorded background tasks were open")
  }

  /// Agrees when something is found.
  ///
  /// What is not recorded is no proof of the contrary: an SDK, a system framework or an extension leaves
  /// no trace in the log.
  fileprivate func found(
    _ suspects: [DeathVerdict.Suspect], _ hooks: [Hook], otherwise: String
  ) -> Reading {
    if !suspects.isEmpty { return (.agrees, suspects) }
    if !isRecorded(hooks) { return (.cannotTell(.hooksNotRecorded(hooks)), []) }
    if let hook = hooks.first(where: moment.profile.partial.contains) {
      return (.cannotTell(.recordedInPart(hook)), [])
    }
    return (doubt.map { .cannotTell($0) } ?? .notShown(otherwise), [])
  }

  private func isRecorded(_ hooks: [Hook]) -> Bool {
    !(moment.profile.hooks ?? []).isDisjoint(with: hooks)
  }
}
