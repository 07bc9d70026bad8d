import LifecycleModel
import TraceAnalysis

/// Fewer frames are drawn, or none, once the app or its scene has resigned.
struct WorkFrameRateRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-frame-rate",
    number: 59,
    topic: .work,
    summary: "the frame rate is lower while inactive than while active",
    severity: .warning,
    sources: [.s0, .s1, .s2],
    why: """
      The documentation asks to throttle frame rates, or to stop updating the interface, before \
      the method returns. Nobody plays while an alert is up, and frames use power.
      """,
    remedy: "Pause the display link, or lower its preferred rate, in {resign}.",
    limits: """
      A heuristic. A display link may tick a few more times: the rule reports only more than ten \
      frames within one second after the resign, and sampled rates that are not below the last \
      active one. It does not check the way to the foreground, nor a process that was launched in \
      the background and is not active yet.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.frame), while: .subjectInactive,
        says: "{subject} draws more than ten frames per second while inactive, after {opener}"),
      .never(
        .sample(.frameRate), while: .subjectInactive,
        says: "the frame rate is not lower than while active, after {opener} at {since}"),
    ],
    given: """
      0s - profile mode=app hooks=app-delegate,work
      0s main call applicationDidBecomeActive app
      """,
    examples: """
      clean: a few more ticks, then none
      1s main work frame app
      2s main return applicationWillResignActive app
      2.01s main work frame app
      2.03s main work frame app
      2.05s main work frame app

      clean: throttled
      1s main sample frameRate app 60
      2s main return applicationWillResignActive app
      3s main sample frameRate app 10

      clean: frames on the way to the foreground
      0s - profile mode=scene hooks=scene-delegate,work
      0s main return sceneWillEnterForeground scene:1
      0.01s main work frame scene:1
      0.02s main work frame scene:1
      0.03s main work frame scene:1
      0.04s main work frame scene:1
      0.05s main work frame scene:1
      0.06s main work frame scene:1
      0.07s main work frame scene:1
      0.08s main work frame scene:1
      0.09s main work frame scene:1
      0.10s main work frame scene:1
      0.11s main work frame scene:1

      cannot tell: rate while active unknown
      2s main return applicationWillResignActive app
      3s main sample frameRate app 60

      violating: 60 a second before and after
      1s main sample frameRate app 60
      2s main return applicationWillResignActive app
      3s main sample frameRate app 60 ◀

      violating: resumed for a push, it draws again
      0s - profile mode=app hooks=app-delegate,work,system
      0s main call applicationDidBecomeActive app
      1s main sample frameRate app 60
      2s main return applicationWillResignActive app
      3s main return applicationDidEnterBackground app
      9s..60s - suspend app
      60s - deliver push app
      61s main sample frameRate app 60 ◀

      violating: the display link goes on
      2s main return applicationWillResignActive app
      2.01s main work frame app
      2.02s main work frame app
      2.03s main work frame app
      2.04s main work frame app
      2.05s main work frame app
      2.06s main work frame app
      2.07s main work frame app
      2.08s main work frame app
      2.09s main work frame app
      2.10s main work frame app
      2.11s main work frame app ◀
      """
  )

  static let interests: [EventPattern] = [.sample(.frameRate)]

  /// The rate that was sampled last while the app was active.
  private var activeRate: Int64?
  /// The frames of the current second, and what they come after.
  private var opener: UInt64 = 0
  private var second = Instant.distantPast
  private var frames = 0

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if moment.state.appState == .active { activeRate = event.value }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.departure.isAfterActivity(opener, moment) { return .notJudged }
    if culprit.verb == .sample { return judgeRate(culprit) }
    if self.opener != opener.ordinal || culprit.instant.since(second) > .seconds(1) {
      (self.opener, second, frames) = (opener.ordinal, culprit.instant, 0)
    }
    frames += 1
    return frames > Allowances.Background.ticks ? .violation() : .kept
  }

  private func judgeRate(_ sample: Event) -> Judgement {
    guard let activeRate, let rate = sample.value else {
      return .unclear(.notSaid("the frame rate while active"))
    }
    return rate > 0 && rate >= activeRate ? .violation() : .kept
  }
}
