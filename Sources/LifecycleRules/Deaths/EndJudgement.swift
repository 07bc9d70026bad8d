import LifecycleModel
import TraceAnalysis

/// What an end means: the table of the article `KindsOfDeath`, §1.
struct EndJudgement {
  var deathClass: DeathClass
  /// Why the class is not known.
  var unknown: Doubt?
  /// What MetricKit counts the end under, where that follows from more than its cause.
  var reason: ExitReason?
  /// Whether it is what a stop from Xcode leaves in a log.
  var isStopOfDebugger = false
  /// Whether the app ended itself before the user's eyes, and nothing asked it to.
  var isExitOnScreen = false

  /// How the process ended, where that follows from more than its cause.
  var sentence: String? {
    if isStopOfDebugger {
      return """
        The app was ended with SIGKILL under a debugger: a stop from Xcode looks like this, and so does a \
        kill by the user, or by the system for memory or time.
        """
    }
    return isExitOnScreen
      ? "The app exited while it was on screen: a user sees that as a crash." : nil
  }

  init(
    _ cause: EndCause, _ evidence: DeathVerdict.Evidence, _ scene: EndEvidence, isExplained: Bool,
    isOverrun: Bool, isReported: Bool, _ moment: Moment
  ) {
    deathClass = .unknown
    switch cause.row.bearing {
    case .fault: deathClass = .fault
    case .noDeath: deathClass = .normal
    case .innocent:
      isExitOnScreen = EndJudgement.isExitOnScreen(cause, scene.audience, moment)
      deathClass = isExitOnScreen ? .unexplained : .normal
    case .audience:
      isStopOfDebugger = moment.profile.debugger && cause.name == "SIGKILL"
      if isStopOfDebugger || moment.termination != nil && !cause.isUnlisted {
        (deathClass, reason) = (.normal, cause.reason ?? .normal)
        return
      }
      switch scene.audience {
      case .unknown: unknown = scene.doubt == .gap ? .gap : .stateNotKnown
      case .visible:
        unknown = EndJudgement.doubtOfVisible(cause, evidence, moment)
        if unknown == nil { deathClass = .unexplained }
      case .notVisible where isOverrun && !moment.profile.debugger:
        // What is out of time is killed: the word for it is not in the log.
        deathClass = .unexplained
      case .notVisible where cause.isUnlisted && moment.state.suspension == nil:
        // It ran, and the system ended it for a reason of its own.
        deathClass = .unexplained
      case .notVisible where isReported && cause.name == "SIGKILL":
        // The system writes no crash report of an app that it reclaims, or that the user quits.
        deathClass = .unexplained
      case .notVisible where isExplained && cause.row.signature?.isNoReclaim == true:
        deathClass = .unexplained
      case .notVisible:
        unknown = EndJudgement.doubtOfReclaim(cause, scene, isExplained: isExplained)
        if unknown == nil { deathClass = .normal }
      }
    }
  }

  /// Whether the app ended itself before the user's eyes: an app of UIKit never does, a program of a desktop
  /// or a terminal may.
  private static func isExitOnScreen(
    _ cause: EndCause, _ audience: DeathVerdict.Audience, _ moment: Moment
  ) -> Bool {
    let desktops = ["linux", "macos", "catalyst"]
    return cause.manner == .exit && audience == .visible && moment.termination == nil
      && !desktops.contains(moment.profile.platform ?? "")
  }

  /// Why it is not known whether an app that somebody looked at vanished.
  private static func doubtOfVisible(
    _ cause: EndCause, _ evidence: DeathVerdict.Evidence, _ moment: Moment
  ) -> Doubt? {
    if moment.profile.debugger { return .notSaid("what ends a process under a debugger") }
    if moment.profile.simulator { return .notSaid("what ends a process in a simulator") }
    guard evidence.isUnseen else { return nil }

    // An exit or a kill would have been recorded.
    if !(moment.profile.hooks ?? []).contains(.process) { return .hooksNotRecorded([.process]) }
    if let before = evidence.profile,
      !before.isOfSameInstallation(as: evidence.next ?? moment.profile)
    {
      return .notSaid("whether the update that came before the next launch ended it")
    }
    return nil
  }

  /// Why it is not known whether an app in the background was reclaimed.
  private static func doubtOfReclaim(
    _ cause: EndCause, _ scene: EndEvidence, isExplained: Bool
  ) -> Doubt? {
    if cause.isUnlisted { return .notSaid("why the system ended it") }
    // Jetsam says by itself that it was for memory.
    if cause.namespace == "JETSAM" || cause.row.kind == .jetsam { return nil }
    if cause.row.kind == .namespace { return .notSaid("who ended the process") }
    return isExplained || scene.hasOpenBusiness
      ? .notSaid("whether the work that was open at the end caused it") : nil
  }
}
