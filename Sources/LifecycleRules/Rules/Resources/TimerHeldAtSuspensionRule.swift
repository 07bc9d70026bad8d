import LifecycleModel
import TraceAnalysis

/// No repeating timer is held across suspension.
struct TimerHeldAtSuspensionRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "timer-held-at-suspension",
    number: 106,
    topic: .resources,
    summary: "no repeating timer of the app is valid when the process is suspended",
    severity: .info,
    cause: SharedCause(.heldResource, rank: 5),
    sources: [.s4, .backgroundPreparation],
    why: """
      The documentation asks to invalidate timers. A valid timer fires immediately when the \
      process resumes, even in the background, where its work counts against the app.
      """,
    remedy: """
      Invalidate the timer in {resign} or {background}, and create it again in {activate}.
      """,
    limits: """
      SDKs hold such timers, and most do little, so a finding is info. The event that acquires \
      the timer states kind=repeating or kind=once; without that the rule cannot tell. A timer \
      that fires once is not checked. If the app declares audio, location or voip, a recording \
      or navigation may need its timer, and the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.resources], [.system]]),
    patterns: [
      .never(
        .verbs(.suspend), while: .holding(.timer),
        says: "the process was suspended while the timer {held} was valid, since {since}")
    ],
    given: "0s - profile hooks=resources,system",
    examples: """
      clean: invalidated before, and a timer that fires once
      1s main acquire timer app "autosave" kind=repeating
      2s main acquire timer app "time-out" kind=once
      3s main release timer app "autosave"
      4s - suspend app

      clean: a timer of the system
      1s main acquire timer app "layout" kind=repeating by=system
      4s - suspend app

      cannot tell: timer kind unknown
      1s main acquire timer app "autosave"
      4s - suspend app

      cannot tell: a navigation app
      0s - profile background-modes=location hooks=resources,system
      1s main acquire timer app "next turn" kind=repeating
      4s - suspend app

      cannot tell: the end of the timer may be in the gap
      1s main acquire timer app "autosave" kind=repeating
      2s - gap ring-full 3
      4s - suspend app

      violating: still valid
      1s main acquire timer app "autosave" kind=repeating
      4s - suspend app ◀
      """
  )

  func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if moment.isSystems(opener.event) { return .kept }
    switch moment.attribute(.kind, opener.event) {
    case "once": return .kept
    case "repeating": return .violation(unless: moment.doubtOfLastingModes)
    default: return .unclear(.attributeMissing(.kind))
    }
  }
}
