import LifecycleModel
import TraceAnalysis

/// No GPU work is submitted from the background.
struct WorkGPUInBackgroundRule: JudgingRule {
  static let description = RuleDescription(
    id: "work-gpu-in-background",
    number: 60,
    topic: .work,
    summary: "the app submits no OpenGL ES or Metal work after didEnterBackground",
    severity: .error,
    sources: [
      .s4, .didEnterBackground, .backgroundPreparation, .metalInBackground, .continuedProcessing,
    ],
    why: """
      The system refuses Metal commands from the background (BackgroundExecutionNotPermitted), and \
      the frame is lost. OpenGL ES may end the process.
      """,
    remedy: """
      Stop the display link and finish encoded work before {background} returns; render again \
      after {foreground}.
      """,
    limits: """
      A running BGTaskScheduler task with gpu=true may use the GPU (iOS 26). Work within 50 ms of \
      the return may be a frame in flight, and is a warning. The documentation refers to the app: \
      a background scene beside one on screen is not checked. Commits by frameworks look like the \
      app's unless they carry by=system. An old guide says that any GPU use in the background ends \
      the app; the newer documentation says that the system prevents the commands.
      """,
    needs: RuleNeeds(hooks: [[.work], .states]),
    patterns: [
      .never(
        .work(.gpu), while: .subjectInBackground,
        says: "{subject} did GPU work {label} in the background, after {opener} at {since}")
    ],
    examples: [
      .clean(
        "committed before, and inside, the callback",
        """
        0s - profile mode=app hooks=app-delegate,work
        1s main call applicationWillResignActive app
        1.1s main return applicationWillResignActive app
        1.2s render work gpu app "frame"
        2s main call applicationDidEnterBackground app
        2.1s main work gpu app "last frame"
        2.2s main return applicationDidEnterBackground app
        """),
      .clean(
        "a continued task with the GPU entitlement",
        """
        0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
        1s main bgtask.register com.example.export app kind=continued gpu=true
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        3s - bgtask.launch com.example.export app handler=true
        4s render work gpu app "export"
        """),
      .cannotTell(
        "the registration of the task that runs may be missing",
        """
        0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
        1s - gap ring-full 2
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        3s - bgtask.launch com.example.export app handler=true
        4s render work gpu app "export"
        """),
      .cannotTell(
        "a scene that was connected and not yet brought to the foreground",
        """
        0s - profile mode=scene hooks=scene-delegate,work
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        1.2s main work gpu scene:1 "shaders"
        """),
      .clean(
        "a scene in the background while another one is on screen",
        """
        0s - profile mode=scene hooks=scene-delegate,work
        1s main call sceneDidBecomeActive scene:2
        1.1s main return sceneDidBecomeActive scene:2
        2s main call sceneDidEnterBackground scene:1
        2.1s main return sceneDidEnterBackground scene:1
        5s render work gpu scene:1 "refresh"
        """),
      .violating(
        "a commit from the background",
        """
        0s - profile mode=app hooks=app-delegate,work
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        2.3s render work gpu app "frame" ◀
        """),
      .violating(
        "a frame that may have been in flight as the callback returned: a warning",
        """
        0s - profile mode=app hooks=app-delegate,work
        2s main call applicationDidEnterBackground app
        2.2s main return applicationDidEnterBackground app
        2.216s render work gpu app "frame" ◀
        """),
      .violating(
        "the entitled task is over",
        """
        0s - profile mode=app os=26.0 hooks=app-delegate,work,tasks
        2s main return applicationDidEnterBackground app
        2s main notify UIApplication.didEnterBackgroundNotification app
        3s - bgtask.launch com.example.export app gpu=true
        4s main bgtask.complete com.example.export app
        5s render work.begin gpu app "export" ◀
        """),
    ]
  )

  static let interests: [EventPattern] = GPUEntitlements.interests + [.backgroundEntered]

  private var entitlements = GPUEntitlements()
  /// When didEnterBackground last returned.
  private var returned = Instant.distantPast

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .return {
      returned = event.instant
    } else {
      entitlements.note(event, moment)
    }
  }

  mutating func judge(_ culprit: Event, since opener: OpenEvent, _ moment: Moment) -> Judgement {
    // That a scene is in the background from its connection on is not documented.
    if Callback.of(opener.event.name) == .sceneWillConnect { return .unclear(.stateNotKnown) }
    guard let mayUseGPU = entitlements.areInUse(moment) else { return .unclear(.gap) }
    if mayUseGPU { return .kept }
    if moment.state.appState?.isForeground == true {
      return .notJudged
    }

    let left = max(returned, opener.event.instant)
    return .violation(
      culprit.instant.since(left) < Allowances.Background.framesInFlight ? .warning : nil)
  }

  mutating func keep(from last: Self) { entitlements = last.entitlements }
}
