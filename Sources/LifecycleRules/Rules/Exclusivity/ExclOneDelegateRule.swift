import LifecycleModel
import TraceAnalysis

/// UIKit calls the delegate of the app, or those of its scenes, and nothing may wait for the other one.
struct ExclOneDelegateRule: Rule {
  private static let ofApp = Turner.app.calls(.activate, .resign, .background, .foreground)

  static let description: RuleDescription = .init(
    id: "excl-one-delegate",
    formerRules: [
      FormerRule("scene-delegate-in-app-mode", number: 107, culprits: .sceneCalls()),
      "excl-app-callbacks-in-scene-mode",
    ],
    number: 36,
    topic: .exclusivity,
    summary: """
      UIKit calls the app delegate's four lifecycle methods, or with scenes the scene delegate's
      """,
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 1),
    sources: [
      .s0, .s1, .didEnterBackground, .didBecomeActive, .willEnterForeground,
      .sceneNotificationsWithoutScenes, .sceneMigration, .methodsWithoutCalls, .methodsToMove,
      .methodsLeftBehind,
    ],
    why: """
      UIKit calls one or the other. If both are called, all work in them happens twice. What is left \
      in the app delegate of an app with scenes, such as saving, refreshing or locking, is not done \
      any more.
      """,
    remedy: """
      Call no method of the other delegate by hand. In an app with scenes, move the work to the scene \
      delegate; what is to happen once for all windows belongs to an observer of the UIApplication \
      notification, which UIKit posts in both cases.
      """,
    limits: """
      A scene delegate class without a scene manifest in Info.plist is not scene mode: then the \
      profile is wrong, not the app, and so it is if the manifest is there and the profile states \
      mode=app. Before iOS 13 a manifest has no effect, and the app has no scenes. A call of the \
      scene delegate in an app without scenes is a warning; UIScene's notifications are posted there \
      too, and are not checked. The profile states under implements= which methods there are; without \
      it, only calls are judged. A method of the app delegate that the scene delegate implements too \
      is there for iOS 12. One that it does not implement is a warning as its transition comes.
      """,
    patterns: [
      .never(
        ofApp,
        exercisedBy: Turner.scene.calls(.activate, .resign, .background, .foreground)
          | Turner.app.posts(.activate, .resign, .background, .foreground),
        says: "{name} was called although the app uses scenes"
      ).needing(RuleNeeds(hooks: [[.appDelegate]], profile: [.mode(.scene)])),
      .never(
        .sceneCalls(), exercisedBy: ofApp,
        says: "{name} of {subject} was called although the app has no scenes"
      ).severity(.warning).needing(
        RuleNeeds(hooks: [[.sceneDelegate]], profile: [.mode(.app)])),
    ],
    examples: """
      clean: the scene delegate, and both notifications
      0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
      1s main call sceneWillResignActive scene:1
      1.1s main notify UIScene.willDeactivateNotification scene:1
      1.2s main notify UIApplication.willResignActiveNotification app

      clean: a scene delegate class without a scene manifest: both notifications, and the app delegate
      0s - profile mode=app hooks=app-delegate,app-notifications,scene-notifications
      1s main call applicationWillResignActive app
      1.1s main notify UIScene.willDeactivateNotification scene:1
      1.2s main notify UIApplication.willResignActiveNotification app

      clean: the same binary on iOS 12, which has no scenes
      0s - profile mode=scene os=12.4 hooks=app-delegate,scene-delegate
      1s main call applicationDidBecomeActive app

      clean: the app delegate, and the notifications of both families
      0s - profile mode=app hooks=app-delegate,scene-delegate,scene-notifications
      1s main call applicationWillResignActive app
      1.1s main notify UIScene.willDeactivateNotification scene:1

      clean: an app with scenes
      0s - profile mode=scene hooks=app-delegate,scene-delegate
      1s main call sceneWillResignActive scene:1

      clean: both delegates implement it: the app delegate's is for iOS 12
      0s - profile mode=scene implements=applicationDidEnterBackground,sceneDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIApplication.didEnterBackgroundNotification app
      9s main note "later"

      clean: methods that are called in an app with scenes too
      0s - profile mode=scene implements=applicationDidFinishLaunching,applicationWillTerminate,sceneDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIApplication.didEnterBackgroundNotification app
      9s main note "later"

      cannot tell: the call may be in the gap
      0s - profile mode=scene implements=applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
      1s main notify UIApplication.didEnterBackgroundNotification app
      1.1s - gap ring-full 3
      9s main note "later"

      violating: the save has stayed in the app delegate
      0s - profile mode=scene implements=applicationDidFinishLaunching,applicationDidEnterBackground hooks=app-delegate,scene-delegate,app-notifications
      1s main notify UIApplication.willResignActiveNotification app
      2s main notify UIApplication.didEnterBackgroundNotification app ◀
      9s main note "later"

      violating: the same, and the system states the transition
      0s - profile mode=scene implements=applicationDidBecomeActive,applicationDidEnterBackground,sceneWillConnect,sceneDidBecomeActive hooks=app-delegate,scene-delegate,system
      1s..1.1s main call sceneWillConnect scene:1
      1.2s - state background->foregroundInactive scene:1
      1.3s - state foregroundInactive->foregroundActive scene:1
      2s..2.1s main call sceneDidBecomeActive scene:1
      3s - state foregroundActive->foregroundInactive scene:1
      4s - state foregroundInactive->background scene:1 ◀
      9s - suspend app

      violating: both delegates
      0s - profile mode=scene hooks=app-delegate,scene-delegate,app-notifications
      1s main call sceneWillResignActive scene:1
      1.1s main call applicationWillResignActive app ◀

      violating: both delegates, in an app without scenes
      0s - profile mode=app hooks=app-delegate,scene-delegate
      1s..1.1s main call applicationWillResignActive app
      1.2s main call sceneWillResignActive scene:1 ◀
      """
  )

  private static let turns: [Turn] = [.activate, .resign, .background, .foreground]

  static let interests: [EventPattern] = [
    Turn.events(.activate, .resign, .background, .foreground), .verbs(.state, .suspend),
  ]

  /// What shows first that a turn's method was not called.
  private var due: (turn: Turn, shown: OpenEvent)?
  /// The turns of which a method was called, the app delegate's or the scene delegate's.
  private var called = Bits<Turn>()
  private var isReported = false

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .suspend { return report(moment, &findings) }
    let isState = event.verb == .state
    guard
      let (turner, turn) = isState
        ? Turner.turn(ofTransition: event.name) : Turner.turn(event.name),
      turner == .scene || !isState
    else { return }
    if event.verb == .call {
      called.insert(turn)
      if due?.turn == turn { due = nil }
      return
    }

    guard due == nil, !isReported, hasScenes(moment.profile) else { return }
    if isLeft(turn, moment.profile) {
      due = (turn, moment.fact(event))
      findings.wake(at: moment.awake(event) &+ Allowances.Background.wake)
    } else if moment.profile.implements != nil {
      findings.foundClean()
    }
  }

  mutating func wake(_ now: Nanoseconds, _ moment: Moment, _ findings: inout RuleFindings) {
    report(moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    if due != nil { findings.cannotTell(reason) }
  }

  private func hasScenes(_ profile: Profile) -> Bool {
    profile.mode == .scene && profile.osMajor ?? .max >= 13
  }

  /// Whether the app delegate has a method that neither UIKit nor somebody else has called, and the scene
  /// delegate has none instead.
  private func isLeft(_ turn: Turn, _ profile: Profile) -> Bool {
    guard let method = Turner.app.callback(turn), let counterpart = Turner.scene.callback(turn)
    else { return false }
    return profile.implements(method) && !profile.implements(counterpart)
      && profile.records(.appDelegate) && profile.records(.sceneDelegate)
      && !called.contains(turn)
  }

  private mutating func report(_ moment: Moment, _ findings: inout RuleFindings) {
    guard let (_, shown) = due else { return }
    (due, isReported) = (nil, true)

    let left = Self.turns.filter { isLeft($0, moment.profile) }
    let methods = left.map(Turner.app.name).joined(separator: ", ")
    let missing = left.map(Turner.scene.name).joined(separator: ", ")
    findings.report(
      shown, severity: .warning,
      says: """
        the app delegate implements \(methods), which UIKit does not call in an app with scenes, and \
        the scene delegate does not implement \(missing)
        """)
  }
}
