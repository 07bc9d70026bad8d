import LifecycleModel
import TraceAnalysis

/// Encoded GPU work is finished before didEnterBackground returns.
struct WorkGPUUnfinishedAtBackgroundRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-gpu-unfinished-at-background",
    number: 61,
    topic: .work,
    summary: "all GPU work is finished when didEnterBackground returns",
    severity: .warning,
    sources: [.backgroundPreparation, .metalInBackground, .spriteKit],
    why: """
      The system refuses commands that are not scheduled when the method returns, and their \
      drawing is missing from the snapshot.
      """,
    remedy: """
      Commit encoded work and call waitUntilScheduled() in {background}; with OpenGL ES, call \
      glFinish().
      """,
    limits: """
      Buffers that frameworks commit look like the app's unless they carry by=system. A running \
      task with gpu=true may continue. The rule checks only work with a begin and an end. If only \
      the notification shows the background, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.work], .delegates]),
    patterns: [
      .never(
        .backgroundEntered, while: .running(.gpu),
        says: "{name} returned before the GPU work {held}, begun at {since}, finished")
    ],
    examples: [
      .clean(
        "finished first",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s main call applicationDidEnterBackground app
        1.1s render work.begin gpu app "frame"
        1.2s render work.end gpu app "frame"
        1.3s main return applicationDidEnterBackground app
        """),
      .clean(
        "committed by a framework",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s render work.begin gpu app "SpriteKit" by=system
        1.3s main return applicationDidEnterBackground app
        """),
      .clean(
        "of the scene that stays, in either order",
        """
        0s - profile mode=scene hooks=scene-delegate,work
        0s main call sceneDidBecomeActive scene:1
        0s main call sceneDidBecomeActive scene:2
        1s render work.begin gpu scene:2 "frame"
        1s render work.begin gpu app "shaders"
        1.1s main call sceneDidEnterBackground scene:1
        1.3s main return sceneDidEnterBackground scene:1
        """),
      .clean(
        "under a task with the GPU entitlement",
        """
        0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
        0s - bgtask.launch com.example.export app kind=continued gpu=true handler=true
        1s render work.begin gpu app "export"
        1.3s main return applicationDidEnterBackground app
        """),
      .violating(
        "completed two seconds later",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s render work.begin gpu app "frame"
        1.1s main call applicationDidEnterBackground app
        1.3s main return applicationDidEnterBackground app ◀
        3.3s render work.end gpu app "frame"
        """),
    ]
  )

  static let interests: [EventPattern] = GPUEntitlements.interests + UnseenReturn.interests

  private var entitlements = GPUEntitlements()
  private var unseen = UnseenReturn()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.note(
      event,
      isInQuestion: moment.state.open.facts(.work).contains {
        $0.event.name == WorkCategory.gpu.symbol
      })
    if event.verb != .return && event.verb != .notify { entitlements.note(event, moment) }
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.end(&findings)
  }

  mutating func keep(from last: Self) { entitlements = last.entitlements }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if !moment.concerns(opener, culprit) { return .notJudged }
    if moment.isSystems(opener.event) { return .kept }
    guard let mayUseGPU = entitlements.areInUse(moment) else { return .unclear(.gap) }
    return mayUseGPU ? .kept : .violation()
  }
}
