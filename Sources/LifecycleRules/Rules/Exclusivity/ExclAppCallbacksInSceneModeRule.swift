import LifecycleModel
import TraceAnalysis

/// With scenes, UIKit does not call the app delegate's lifecycle methods, and nothing may wait for it.
struct ExclAppCallbacksInSceneModeRule: Rule {
  static let description = RuleDescription(
    id: "excl-app-callbacks-in-scene-mode",
    number: 36,
    topic: .exclusivity,
    summary: "an app with scenes leaves nothing to the app delegate's four lifecycle callbacks",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 1),
    sources: [
      .s0, .s1, .didEnterBackground, .didBecomeActive, .willEnterForeground, .sceneMigration,
      .methodsWithoutCalls, .methodsToMove, .methodsLeftBehind,
    ],
    why: """
      UIKit calls the scene delegate instead. If both are called, all work in them happens twice. \
      What is left in the app delegate, such as saving, refreshing or locking, is not done any more.
      """,
    remedy: """
      Move the work to sceneDidBecomeActive(_:), sceneWillResignActive(_:), \
      sceneDidEnterBackground(_:) or sceneWillEnterForeground(_:) of the scene delegate, and call no \
      method of the app delegate by hand. What is to happen once for all windows belongs to an \
      observer of the UIApplication notification, which UIKit posts in both cases.
      """,
    limits: """
      A scene delegate class without a scene manifest in Info.plist is not scene mode: then the \
      profile is wrong, not the app. Before iOS 13 a manifest has no effect, and the app has no \
      scenes. The profile states under implements= which methods there are; without it, only calls \
      are judged. A method that the scene delegate implements too is there for iOS 12. One that it \
      does not implement is a warning as its transition comes.
      """,
    needs: RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.scene)]),
    patterns: [
      .never(
        .call(
          .applicationDidBecomeActive, .applicationWillResignActive,
          .applicationDidEnterBackground, .applicationWillEnterForeground),
        exercisedBy: .call(
          .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground,
          .sceneWillEnterForeground)
          | .notify(
            .applicationDidBecomeActive, .applicationWillResignActive,
            .applicationDidEnterBackground, .applicationWillEnterForeground),
        says: "{name} was called although the app uses scenes")
    ],
    examples: [
      .clean(
        "the scene delegate, and both notifications",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "a scene delegate class without a scene manifest: both notifications, and the app delegate",
        """
        0s - profile mode=app hooks=app-delegate,app-notifications,scene-notifications
        1s main call applicationWillResignActive app
        1.1s main notify UIScene.willDeactivateNotification scene:1
        1.2s main notify UIApplication.willResignActiveNotification app
        """),
      .clean(
        "the same binary on iOS 12, which has no scenes",
        """
        0s - profile mode=scene os=12.4 hooks=app-delegate,scene-delegate
        1s main call applicationDidBecomeActive app
        """),
      .clean(
        "both delegates implement it: the app delegate's is for iOS 12",
        """
        0s - profile mode=scene implements=applicationDidEnterBackground,sceneDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneDidEnterBackground scene:1
        1.1s main return sceneDidEnterBackground scene:1
        1.2s main notify UIApplication.didEnterBackgroundNotification app
        9s main note "later"
        """),
      .clean(
        "methods that are called in an app with scenes too",
        """
        0s - profile mode=scene implements=applicationDidFinishLaunching,applicationWillTerminate,sceneDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneDidEnterBackground scene:1
        1.1s main return sceneDidEnterBackground scene:1
        1.2s main notify UIApplication.didEnterBackgroundNotification app
        9s main note "later"
        """),
      .cannotTell(
        "the call may be in the gap",
        """
        0s - profile mode=scene implements=applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main notify UIApplication.didEnterBackgroundNotification app
        1.1s - gap ring-full 3
        9s main note "later"
        """),
      .violating(
        "the save has stayed in the app delegate",
        """
        0s - profile mode=scene implements=applicationDidFinishLaunching,applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main notify UIApplication.willResignActiveNotification app
        2s main notify UIApplication.didEnterBackgroundNotification app ◀
        9s main note "later"
        """),
      .violating(
        "the same, and the system states the transition",
        """
        0s - profile mode=scene implements=applicationDidBecomeActive,applicationDidEnterBackground,sceneWillConnect,sceneDidBecomeActive hooks=app-delegate,scene-delegate,system
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        1.2s - state background->foregroundInactive scene:1
        1.3s - state foregroundInactive->foregroundActive scene:1
        2s main call sceneDidBecomeActive scene:1
        2.1s main return sceneDidBecomeActive scene:1
        3s - state foregroundActive->foregroundInactive scene:1
        4s - state foregroundInactive->background scene:1 ◀
        9s - suspend app
        """),
      .violating(
        "both delegates",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main call sceneWillResignActive scene:1
        1.1s main call applicationWillResignActive app ◀
        """),
    ]
  )

  /// A method of the app delegate, what UIKit calls instead, and what shows that it would have been due.
  private struct Turn {
    let method: Callback
    let counterpart: Callback
    let events: EventPattern

    init(
      _ method: Callback, _ counterpart: Callback, _ app: LifecycleNotification,
      _ scene: LifecycleNotification, _ transitions: [Transition]
    ) {
      (self.method, self.counterpart) = (method, counterpart)
      let states = EventPattern.any(
        of: transitions.map { EventPattern(.state, names: [$0.symbol]) })
      events = .notify(app, scene) | states
    }

    func isShown(by event: Event) -> Bool {
      events.alternatives.contains { $0.verb == event.verb && $0.name == event.name }
    }
  }

  private static let turns = [
    Turn(
      .applicationDidBecomeActive, .sceneDidBecomeActive, .applicationDidBecomeActive,
      .sceneDidActivate,
      [Transition(SceneActivation.foregroundInactive, .foregroundActive)]),
    Turn(
      .applicationWillResignActive, .sceneWillResignActive, .applicationWillResignActive,
      .sceneWillDeactivate,
      [Transition(SceneActivation.foregroundActive, .foregroundInactive)]),
    Turn(
      .applicationDidEnterBackground, .sceneDidEnterBackground, .applicationDidEnterBackground,
      .sceneDidEnterBackground,
      [
        Transition(SceneActivation.foregroundInactive, .background),
        Transition(SceneActivation.foregroundActive, .background),
      ]),
    Turn(
      .applicationWillEnterForeground, .sceneWillEnterForeground, .applicationWillEnterForeground,
      .sceneWillEnterForeground,
      [Transition(SceneActivation.background, .foregroundInactive)]),
  ]

  static let interests: [EventPattern] =
    turns.map(\.events) + [
      .named(.call, turns.flatMap { [$0.method, $0.counterpart] }), .verbs(.suspend),
    ]

  /// What shows first that a method was not called, and which one.
  private var due: (method: Callback, shown: OpenEvent)?
  /// The methods that were called, and those whose counterparts were.
  private var called: Set<Callback> = []
  private var isReported = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .call: call(event)
    case .suspend: report(moment, &findings)
    default:
      guard due == nil, !isReported, let turn = Self.turns.first(where: { $0.isShown(by: event) })
      else { return }
      if isLeft(turn, moment.profile) {
        due = (turn.method, moment.fact(event))
        findings.wake(at: moment.awake(event) &+ Allowances.Background.wake)
      } else if moment.profile.implements != nil {
        findings.foundClean()
      }
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    report(moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    if due != nil { findings.cannotTell(reason) }
  }

  private mutating func call(_ event: Event) {
    guard
      let turn = Self.turns.first(where: {
        $0.method.symbol == event.name || $0.counterpart.symbol == event.name
      })
    else { return }
    called.insert(turn.method)
    if due?.method == turn.method { due = nil }
  }

  /// Whether the app delegate has a method that neither UIKit nor somebody else has called, and the scene
  /// delegate has none instead.
  private func isLeft(_ turn: Turn, _ profile: Profile) -> Bool {
    profile.implements(turn.method) && !profile.implements(turn.counterpart)
      && profile.records(.sceneDelegate) && !called.contains(turn.method)
  }

  private mutating func report(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let (_, shown) = due else { return }
    (due, isReported) = (nil, true)
    let left = Self.turns.filter { isLeft($0, moment.profile) }
    let methods = left.map(\.method.rawValue).joined(separator: ", ")
    let missing = left.map(\.counterpart.rawValue).joined(separator: ", ")
    findings.report(
      shown, severity: .warning,
      says: """
        the app delegate implements \(methods), which UIKit does not call in an app with scenes, and \
        the scene delegate does not implement \(missing)
        """)
  }
}
