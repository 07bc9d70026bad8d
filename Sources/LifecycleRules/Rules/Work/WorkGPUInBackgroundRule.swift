import LifecycleModel
import TraceAnalysis

/// No GPU work is done, or left to do, behind the app's last background.
struct WorkGPUInBackgroundRule: JudgingRule {
  static let description: RuleDescription = .init(
    id: "work-gpu-in-background",
    formerRules: [
      FormerRule("work-gpu-unfinished-at-background", number: 61, culprits: .backgroundEntered)
    ],
    number: 60,
    topic: .work,
    summary: "OpenGL ES and Metal work ends before didEnterBackground returns, and none follows",
    severity: .error,
    sources: [
      .s4, .didEnterBackground, .backgroundPreparation, .metalInBackground, .continuedProcessing,
      .spriteKit,
    ],
    why: """
      The system refuses Metal commands from the background (BackgroundExecutionNotPermitted), and \
      commands that are not scheduled when the method returns: the frame is lost, or missing from the \
      snapshot. OpenGL ES may end the process.
      """,
    remedy: """
      Stop drawing with the GPU before {background} returns, and call waitUntilScheduled() on the \
      last command buffer; with OpenGL ES, call glFinish(). Draw again after {foreground}.
      """,
    limits: """
      A running BGTaskScheduler task with gpu=true may use the GPU (iOS 26). Work within 50 ms of \
      the return may be a frame in flight, and is a warning. The documentation refers to the app: \
      a background scene beside one on screen is not checked. Commits by frameworks look like the \
      app's unless they carry by=system. An old guide says that any GPU use in the background ends \
      the app; the newer documentation says that the system prevents the commands. Unfinished work is \
      a warning; only work with a begin and an end is checked, and if only the notification shows the \
      background, the rule cannot tell.
      """,
    needs: RuleNeeds(hooks: [[.work]]),
    patterns: [
      .never(
        .work(.gpu), while: .subjectInBackground,
        says: "{subject} did GPU work {label} in the background, after {opener} at {since}"
      ).needing(RuleNeeds(hooks: [.states])),
      .never(
        .backgroundEntered, while: .running(.gpu),
        says: "{name} returned before the GPU work {held}, begun at {since}, finished"
      ).severity(.warning).needing(RuleNeeds(hooks: [.delegates])),
    ],
    given: "0s - profile mode=app hooks=app-delegate,work",
    examples: """
      clean: committed before, and inside, the callback
      1s..1.1s main call applicationWillResignActive app
      1.2s render work gpu app "frame"
      2s..2.2s main call applicationDidEnterBackground app
      2.1s main work gpu app "last frame"

      clean: a continued task with the GPU entitlement
      0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
      1s main bgtask.register com.example.export app kind=continued gpu=true
      2s..2.2s main call applicationDidEnterBackground app
      3s - bgtask.launch com.example.export app handler=true
      4s render work gpu app "export"

      cannot tell: the registration of the task that runs may be missing
      0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
      1s - gap ring-full 2
      2s..2.2s main call applicationDidEnterBackground app
      3s - bgtask.launch com.example.export app handler=true
      4s render work gpu app "export"

      cannot tell: a scene that was connected and not yet brought to the foreground
      0s - profile mode=scene hooks=scene-delegate,work
      1s..1.1s main call sceneWillConnect scene:1
      1.2s main work gpu scene:1 "shaders"

      clean: a scene in the background while another one is on screen
      0s - profile mode=scene hooks=scene-delegate,work
      1s..1.1s main call sceneDidBecomeActive scene:2
      2s..2.1s main call sceneDidEnterBackground scene:1
      5s render work gpu scene:1 "refresh"

      violating: a commit from the background
      2s..2.2s main call applicationDidEnterBackground app
      2.3s render work gpu app "frame" ◀

      violating: a frame that may have been in flight as the callback returned: a warning
      2s..2.2s main call applicationDidEnterBackground app
      2.216s render work gpu app "frame" ◀

      violating: the entitled task is over
      0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
      2s main return applicationDidEnterBackground app
      2s main notify UIApplication.didEnterBackgroundNotification app
      3s - bgtask.launch com.example.export app gpu=true
      4s main bgtask.complete com.example.export app
      5s render work.begin gpu app "export" ◀

      clean: finished first
      1s..1.3s main call applicationDidEnterBackground app
      1.1s..1.2s render work.begin gpu app "frame"

      clean: committed by a framework
      1s render work.begin gpu app "SpriteKit" by=system
      1.3s main return applicationDidEnterBackground app

      clean: of the scene that stays, in either order
      0s - profile mode=scene hooks=scene-delegate,work
      0s main call sceneDidBecomeActive scene:1
      0s main call sceneDidBecomeActive scene:2
      1s render work.begin gpu scene:2 "frame"
      1s render work.begin gpu app "shaders"
      1.1s..1.3s main call sceneDidEnterBackground scene:1

      clean: under a task with the GPU entitlement
      0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
      0s - bgtask.launch com.example.export app kind=continued gpu=true handler=true
      1s render work.begin gpu app "export"
      1.3s main return applicationDidEnterBackground app

      violating: completed two seconds later
      1s..3.3s render work.begin gpu app "frame"
      1.1s main call applicationDidEnterBackground app
      1.3s main return applicationDidEnterBackground app ◀
      """
  )

  static let interests: [EventPattern] =
    [.verbs(.bgtaskRegister, .bgtaskLaunch)] + UnseenReturn.interests

  /// The tasks of BGTaskScheduler that may use the GPU in the background (iOS 26): those that once said
  /// `gpu=true`.
  private var entitled = RememberedSet<String>(256)
  private var unseen = UnseenReturn()
  /// When didEnterBackground last returned.
  private var returned = Instant.distantPast

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .return, .notify:
      if event.verb == .return { returned = event.instant }
      unseen.note(
        event, isInQuestion: !moment.state.open.facts(.work, WorkCategory.gpu).isEmpty)
    default:
      if moment.attribute(.gpu, event) == "true" {
        entitled.insert(moment.vocabulary.text(event.name))
      }
    }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    if culprit.verb == .return {
      if !moment.state.concerns(opener, culprit) { return .notJudged }
      if moment.isSystems(opener.event) { return .kept }
    } else if Callback.of(opener.event.name) == .sceneWillConnect {
      // That a scene is in the background from its connection on is not documented.
      return .unclear(.stateNotKnown)
    }

    guard let mayUseGPU = isEntitledTaskRunning(moment) else { return .unclear(.gap) }
    if mayUseGPU { return .kept }
    if culprit.verb == .return { return .violation() }
    if moment.state.appState?.isForeground == true { return .notJudged }
    let left = max(returned, opener.event.instant)
    return .violation(
      culprit.instant.since(left) < Allowances.Background.framesInFlight ? .warning : nil)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    unseen.end(&findings)
  }

  /// The right is the app's, and outlives the process.
  mutating func keep(from last: Self) { entitled = last.entitled }

  /// Whether a task runs that may use the GPU; `nil` when the registration of one that runs may be missing.
  ///
  /// Where more were registered than are remembered any may be one.
  private func isEntitledTaskRunning(_ moment: Moment) -> Bool? {
    let running = moment.state.open.facts(.bgtask)
    let isOne = running.contains {
      entitled.contains(moment.vocabulary.text($0.event.name)) != false
    }
    if isOne { return true }
    return running.isEmpty || moment.state.lastGap == nil ? false : nil
  }
}
