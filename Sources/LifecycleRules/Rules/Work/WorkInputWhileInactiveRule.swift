import LifecycleModel
import TraceAnalysis

/// Touches and keys reach responders only while active.
struct WorkInputWhileInactiveRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-input-while-inactive",
    number: 67,
    topic: .work,
    summary: "no touch or key event is handled while the app or its scene is inactive",
    severity: .warning,
    sources: [.s0, .activationState],
    why: """
      An inactive app keeps running but does not dispatch incoming events to responders. Input \
      that is handled then comes from somewhere else, and acts on a covered interface.
      """,
    remedy: """
      Look for code that sends events to responders itself: a game loop, a UIKit port's window \
      layer, a touch queue that is processed later.
      """,
    limits: """
      Events already in the run loop may come within 100 ms after the resign. URLs, activities and \
      notification responses come before the app is active and are not input.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.input), while: .subjectInactive,
        says: "{subject} handled input {label} while inactive, after {opener} at {since}")
    ],
    given: "0s - profile mode=app hooks=app-delegate,work",
    examples: """
      clean: while active, and already in the run loop
      1s main call applicationDidBecomeActive app
      2s main work input app "tap"
      3s..3.1s main call applicationWillResignActive app
      3.15s main work input app "tap"

      clean: a URL between foreground and active is no input
      0s - profile mode=app hooks=app-delegate,work,system
      1s main return applicationWillEnterForeground app
      1.2s..1.3s main call applicationOpenURL app
      1.2s - deliver url app
      1.4s main call applicationDidBecomeActive app

      clean: the other scene is active
      0s - profile mode=scene hooks=scene-delegate,work
      1s main call sceneDidBecomeActive scene:1
      1s main call sceneDidBecomeActive scene:2
      3s main return sceneWillResignActive scene:1
      4s main work input scene:2 "tap"

      violating: a tap after the resign
      1s main call applicationDidBecomeActive app
      3s..3.1s main call applicationWillResignActive app
      5s main work input app "tap" ◀

      violating: a tap on the way to the foreground
      1s main call applicationDidBecomeActive app
      3s main return applicationWillResignActive app
      4s main return applicationDidEnterBackground app
      9s main return applicationWillEnterForeground app
      9.01s main work input app "tap" ◀
      9.02s main call applicationDidBecomeActive app
      """
  )

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    let isFresh = culprit.instant.since(opener.event.instant) < Allowances.Background.runLoop
    // On the way to the foreground nothing waits in the run loop yet.
    return isFresh && Departure.isDeparture(opener) ? .notJudged : .violation()
  }
}
