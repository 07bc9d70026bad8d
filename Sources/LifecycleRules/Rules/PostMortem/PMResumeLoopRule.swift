import LifecycleModel
import TraceAnalysis

/// The process is not resumed again and again in a short time.
struct PMResumeLoopRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "pm-resume-loop",
    number: 96,
    topic: .postMortem,
    summary: "the process is not resumed twelve times in a minute",
    severity: .warning,
    sources: [.killCodes],
    why: """
      An app that is woken again and again drains the battery. The system kills VoIP apps for this \
      with 0xbad22222.
      """,
    remedy: """
      Find what wakes the app: a socket that the peer closes, repeated pushes, a session's timer. \
      Let one wake do the work of many.
      """,
    limits: """
      The limit is not documented; twelve resumes in a minute is this rule's own threshold. Apps \
      that declare a background mode, especially location, may resume often by design: the rule \
      then cannot tell, unless the system kills the app with 0xbad22222.
      """,
    needs: RuleNeeds(hooks: [[.system]]),
    patterns: [
      .fewer(
        than: ResumeTimes.loop, .verbs(.resume), within: ResumeTimes.span, by: .wall, per: .app,
        says: "the process was resumed \(ResumeTimes.loop) times since {since}")
    ],
    examples: """
      clean: a few
      \(resumes(11, every: 2))

      clean: twelve, over an hour
      \(resumes(12, every: 300))

      cannot tell: a navigation app
      \(resumes(12, every: 2, modes: "location"))

      violating: twelve in half a minute
      \(resumes(12, every: 2, mark: true))

      violating: a VoIP app, and the code that decides
      \(resumes(12, every: 2, modes: "voip", mark: true))
      26s - kill app code=0xbad22222 namespace=RUNNINGBOARD
      """
  )

  func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    .violation(unless: moment.doubt(allowedBy: nil))
  }

  mutating func conclude(
    _ death: DeathVerdict, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard let first = death.suspects.first, first.kind == .resume, !first.isFound,
      let last = moment.resumes.facts.last
    else { return }
    findings.report(
      last, since: first.fact, until: death.end,
      says: "the process was resumed \(ResumeTimes.loop) times since {since}, and killed for it")
  }

  /// A trace of that many resumes; the last line may be marked.
  private static func resumes(
    _ count: Int, every seconds: Int, modes: String = "none", mark: Bool = false
  ) -> String {
    var lines = [
      "0s - profile background-modes=\(modes) hooks=app-delegate,system",
      "1s main call applicationDidEnterBackground app",
      "1.1s main return applicationDidEnterBackground app",
    ]

    for index in 1...count {
      lines.append("\(index * seconds).5s - suspend app")
      lines.append("\(index * seconds + 1)s - resume app")
    }

    if mark { lines[lines.count - 1] += " ◀" }
    return lines.joined(separator: "\n")
  }
}
