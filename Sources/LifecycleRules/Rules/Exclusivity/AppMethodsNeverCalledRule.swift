import LifecycleModel
import TraceAnalysis

/// What the app delegate does at a transition, the scene delegate does in an app with scenes.
struct AppMethodsNeverCalledRule: Rule {
  static let description = RuleDescription(
    id: "app-methods-never-called",
    number: 112,
    topic: .exclusivity,
    summary: "in an app with scenes no lifecycle method of the app delegate waits for a call",
    severity: .warning,
    sources: [
      .sceneMigration, .didEnterBackground, .didBecomeActive, .willEnterForeground,
      .methodsWithoutCalls, .methodsToMove, .methodsLeftBehind,
    ],
    why: """
      In an app with scenes UIKit calls the scene delegate and not the app delegate. What the app \
      delegate's method did before the app adopted scenes, such as saving, refreshing or locking, is \
      not done any more.
      """,
    remedy: """
      Move the work to sceneDidBecomeActive(_:), sceneWillResignActive(_:), \
      sceneDidEnterBackground(_:) or sceneWillEnterForeground(_:) of the scene delegate. What is to \
      happen once for all windows belongs to an observer of the UIApplication notification, which \
      UIKit posts in both cases.
      """,
    limits: """
      The profile states under implements= which methods there are. A method that the scene delegate \
      implements too is there for systems without scenes, and is not judged. The rule reports an app \
      delegate's method when its transition comes and the method is not called. Who leaves the method \
      for iOS 12 alone and works in observers may suppress it. If somebody calls the method by hand, \
      excl-app-callbacks-in-scene-mode judges the call.
      """,
    needs: RuleNeeds(
      hooks: [
        [.appDelegate], [.sceneDelegate], [.appNotifications, .sceneNotifications, .system],
      ],
      profile: [.mode(.scene), .says(.implements)]),
    examples: [
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
      .clean(
        "an app without scenes, and one on iOS 12",
        """
        0s - profile mode=scene os=12.4 implements=applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main call applicationDidEnterBackground app
        1.1s main return applicationDidEnterBackground app
        1.2s main notify UIApplication.didEnterBackgroundNotification app
        9s main note "later"
        """),
      .clean(
        "the app calls it by hand",
        """
        0s - profile mode=scene implements=applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
        1s main notify UIApplication.didEnterBackgroundNotification app
        1.1s main call applicationDidEnterBackground app
        1.2s main return applicationDidEnterBackground app
        9s main note "later"
        """),
      .cannotTell(
        "the log does not state which methods there are",
        """
        0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
        1s main notify UIApplication.didEnterBackgroundNotification app
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
        "the system's word for the transition",
        """
        0s - profile mode=scene implements=applicationDidBecomeActive,applicationDidEnterBackground,sceneWillConnect,sceneDidBecomeActive hooks=app-delegate,scene-delegate,system
        1s main call sceneWillConnect scene:1
        1.1s main return sceneWillConnect scene:1
        2s main call sceneDidBecomeActive scene:1
        2.1s main return sceneDidBecomeActive scene:1
        3s - state foregroundActive->foregroundInactive scene:1
        4s - state foregroundInactive->background scene:1 ◀
        9s - suspend app
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
      } else {
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
      && !called.contains(turn.method)
  }

  private mutating func report(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let (_, shown) = due else { return }
    (due, isReported) = (nil, true)
    let left = Self.turns.filter { isLeft($0, moment.profile) }
    let methods = left.map(\.method.rawValue).joined(separator: ", ")
    let missing = left.map(\.counterpart.rawValue).joined(separator: ", ")
    findings.report(
      shown,
      says: """
        the app delegate implements \(methods), which UIKit does not call in an app with scenes, and \
        the scene delegate does not implement \(missing)
        """)
  }
}
