import LifecycleModel
import TraceAnalysis

/// Between two didEnterBackground lies a foreground, or a resume.
struct OrderBackgroundOnceRule: Rule {
  static let description: RuleDescription = .init(
    id: "order-background-once",
    number: 101,
    topic: .appOrder,
    summary: "a foreground or a resume of the process comes between two didEnterBackground",
    severity: .error,
    cause: SharedCause(.misplacedCallback, rank: 10),
    sources: [.s3, .didEnterBackground, .sceneDidEnterBackground],
    why: """
      Everything that the callback begins (a background task, a save, an upload) begins twice. \
      UIKit repeats the call only when the system resumes a suspended app in the background.
      """,
    remedy: """
      Look for code that calls the delegate or posts the notification directly, and for two scenes \
      recorded under the same number.
      """,
    limits: """
      The rule compares calls with calls and notifications with notifications, and needs a log \
      that records resumes. It checks UIApplication's notification only in an app without scenes: \
      with scenes UIKit may post it once per scene. iOS 7 and earlier are not checked, because \
      they were seen to call twice.
      """,
    contradiction: """
      On the iOS 7.1 simulator, closing an app in the switcher called didEnterBackground twice; \
      iOS 8 calls it once.
      """,
    needs: RuleNeeds(hooks: [.turns, [.system]]),
    order: Turner.allCases.flatMap { turner in
      [turner.calls(.background), turner.posts(.background)].map {
        .never(
          $0, between: $0, until: turner.events(.foreground, .activate) | .verbs(.resume),
          per: turner.scope, says: "")
      }
    },
    examples: """
      clean: to the foreground and back
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIScene.didEnterBackgroundNotification scene:1
      5s..5.1s main call sceneWillEnterForeground scene:1
      5.2s main notify UIScene.willEnterForegroundNotification scene:1
      8s..8.1s main call sceneDidEnterBackground scene:1
      8.2s main notify UIScene.didEnterBackgroundNotification scene:1

      clean: again after a resume in the background
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      1s..1.1s main call applicationDidEnterBackground app
      9s..90s - suspend app
      90.1s..90.2s main call applicationDidEnterBackground app

      clean: each scene once
      0s - profile mode=scene hooks=scene-delegate,app-notifications,system
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIApplication.didEnterBackgroundNotification app
      1.3s..1.4s main call sceneDidEnterBackground scene:2
      1.5s main notify UIApplication.didEnterBackgroundNotification app

      cannot tell: the foreground may be in the gap
      0s - profile mode=app hooks=app-delegate,system
      1s..1.1s main call applicationDidEnterBackground app
      2s - gap ring-full 3
      3s main call applicationDidEnterBackground app

      cannot tell: the app may not implement the callback that shows the foreground
      0s - profile mode=app hooks=app-delegate,system
      1s..1.1s main call applicationDidEnterBackground app
      9s main call applicationDidEnterBackground app

      clean: the app's notification has a scene as its object
      0s - profile mode=scene hooks=scene-delegate,app-notifications,scene-notifications,system
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIScene.didEnterBackgroundNotification scene:1
      1.3s main notify UIApplication.didEnterBackgroundNotification scene:1

      clean: a scene's notification without an object, in an app without scenes
      0s - profile mode=app port=true hooks=app-delegate,app-notifications,system
      1s..1.1s main call applicationDidEnterBackground app
      1.2s main notify UIApplication.didEnterBackgroundNotification app
      1.3s main notify UIScene.didEnterBackgroundNotification nil

      violating: called twice
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      1s..1.1s main call applicationDidEnterBackground app
      1.2s..1.3s main call applicationDidEnterBackground app ◀

      violating: posted twice for a scene
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,system
      1s..1.1s main call sceneDidEnterBackground scene:1
      1.2s main notify UIScene.didEnterBackgroundNotification scene:1
      1.3s main notify UIScene.didEnterBackgroundNotification scene:1 ◀
      """
  )

  static let interests: [EventPattern] = [
    Turn.events(.background, .foreground, .activate), .verbs(.resume, .state),
  ]

  /// The last time that each subject entered the background, by the call and by the notification.
  private var entries = KeyedTable<OpenEvent>()
  /// The kinds of subject whose return to the foreground was seen, and would be seen again.
  private var showsReturns = Bits<Subject.Kind>()

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    switch event.verb {
    case .resume: entries.removeAll()
    case .state:
      if let word = ActivityWord(event), word != .background { forget(event.subject) }
    default:
      guard let subject = event.turner, let turn = Turner.turn(event.name)?.turn else { return }
      if turn == .background { return enter(subject, event, moment, &findings) }
      showsReturns.insert(subject.kind)
      forget(subject)
    }
  }

  private mutating func enter(
    _ subject: Subject, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let profile = moment.profile
    let isOld = profile.osMajor.map { (3...7).contains($0) } ?? false
    // An app without scenes has those that UIKit posts notifications about, and they say nothing.
    let other: Profile.Mode = subject.kind == .scene ? .app : .scene
    if isOld || profile.mode == other { return }
    let key = Self.key(subject, isPosted: event.verb == .notify)
    let earlier = entries[key]
    entries.update(key, moment.fact(event))
    guard let earlier else { return findings.foundClean() }

    let isReported = findings.report(
      event, since: earlier, unless: doubt(of: subject, profile),
      says: "{subject} entered the background again without a foreground or resume since {since}")
    // What the other family says of this entry is the same again.
    if isReported { entries.remove(Self.key(subject, isPosted: event.verb != .notify)) }
  }

  /// Why a return to the foreground may have been there all the same.
  private func doubt(of subject: Subject, _ profile: Profile) -> Doubt? {
    if subject.kind != .scene && profile.mode == nil { return .profileKeyMissing(.mode) }
    return isReturnVisible(subject, profile) ? nil : .callbackNeverSeen
  }

  /// What a log shows of returns it shows in each process.
  mutating func keep(from last: Self) { showsReturns = last.showsReturns }

  /// Whether a return to the foreground would have shown.
  private func isReturnVisible(_ subject: Subject, _ profile: Profile) -> Bool {
    let isScene = subject.kind == .scene
    return profile.recordsAll(of: isScene ? .sceneNotifications : .appNotifications)
      || showsReturns.contains(subject.kind)
      || profile.implements(isScene ? .sceneWillEnterForeground : .applicationWillEnterForeground)
  }

  private mutating func forget(_ subject: Subject) {
    entries.remove(Self.key(subject, isPosted: false))
    entries.remove(Self.key(subject, isPosted: true))
  }

  private static func key(_ subject: Subject, isPosted: Bool) -> UInt64 {
    subject.key << 1 | (isPosted ? 1 : 0)
  }
}
