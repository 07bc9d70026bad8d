import LifecycleModel
import TraceAnalysis

/// A death is not judged by what the recorder came too late to see.
struct PMRecorderJoinedLateRule: Rule {
  static let description: RuleDescription = .init(
    id: "pm-recorder-joined-late", formerRules: ["pm-recorder-coverage"],
    number: 100,
    topic: .postMortem,
    summary: "the recorder was running from the start of a process that ended",
    severity: .info,
    sources: [.activationNotPosted, .backgroundLaunchDeaths, .prewarmPauses],
    why: """
      A missing callback proves nothing if the recorder started after it. A background or \
      prewarmed launch never has foreground callbacks. Reports that treat such a process as faulty \
      are wrong.
      """,
    remedy: """
      Start the recorder before anything else: first in main, or with `tracectl record`, which \
      also records the start of the process.
      """,
    limits: """
      Reported when a process ends whose start is not in the log and cannot be lost in a gap. \
      Other rules handle background and prewarmed launches if the launch reason is recorded. If it \
      is not recorded and the process ends before the app reaches any state, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.process]]),
    given: "0s - profile hooks=app-delegate,system",
    examples: """
      clean: the start was recorded
      0s - process.start app launch=user
      1s main call applicationDidBecomeActive app
      9s - kill app

      clean: a launch in the background that never came to the foreground
      0s - process.start app launch=push
      9s - kill app

      cannot tell: no state, and launch reason unknown
      0s - process.start app
      9s - kill app

      cannot tell: the start may be in the gap
      0s - profile hooks=app-delegate,process
      0s - gap ring-full 9
      1s main call applicationDidBecomeActive app
      9s - kill app

      violating: the recorder joined in mid-life
      0s - gap source-hole -1
      1s main call applicationWillResignActive app
      9s - kill app ◀
      """, isAboutRecording: true)

  static let interests: [EventPattern] = [.verbs(.kill, .exit)]

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.processEnd != nil { return }
    if moment.state.processStart == nil && mayHideStart(moment) {
      findings.cannotTell(.gap)
    } else if moment.state.processStart == nil {
      findings.report(
        event,
        missing: [MissingEvent([MissingEvent.Kind(.processStart, about: .app)], before: event)],
        regardlessOfGaps: "no gap hides the start but the one that stands for it",
        says: "the recorder joined late: this process's earlier events cannot be checked")
    } else if moment.state.app == nil && moment.launch == nil {
      findings.cannotTell(.profileKeyMissing(.launch))
    } else {
      findings.foundClean()
    }
  }

  /// Whether the start of the process may be lost: a hole in the source right after the first profile
  /// says instead that there was nobody yet to record it.
  private func mayHideStart(_ moment: Moment) -> Bool {
    guard let gap = moment.state.lastGap else { return false }
    return gap.ordinal > 2 || gap.event.name != GapCause.sourceHole.symbol
  }
}
