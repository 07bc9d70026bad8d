import LifecycleModel
import TraceAnalysis

/// The delegate and the notification speak of the same scene.
struct IdentDelegateSceneMatchRule: Rule {
  static let description: RuleDescription = .init(
    id: "ident-delegate-scene-match",
    number: 44,
    topic: .identity,
    summary: "the delegate call and the notification of one transition name the same scene",
    severity: .warning,
    cause: SharedCause(.missedNotification, rank: 1),
    sources: [.s1, .s2, .activationNotPosted],
    why: """
      If the two name different scenes, one part of the app quiets or saves the window that is \
      still in use, and ignores the other one.
      """,
    remedy: """
      Look for a stored scene that is used instead of the scene in the call, and for code that \
      posts the notification itself.
      """,
    limits: """
      The documentation implies, but does not say, that the two scenes are the same. Scenes are \
      matched by number, not by position; several scenes may pass a transition together, in any \
      order. Reported when the scene goes on to another transition and, within a second, a \
      notification came for another scene without a delegate call. Activations are not checked, \
      because their notification is sometimes missing.
      """,
    needs: RuleNeeds(
      hooks: [[.sceneDelegate], [.sceneNotifications]], profile: [.scenesPossible]),
    given: "0s - profile mode=scene hooks=scene-delegate,scene-notifications",
    examples: """
      clean: the same scene, the call first and the notification first
      1s main call sceneDidBecomeActive scene:1
      1.1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIScene.willDeactivateNotification scene:1
      2.1s main call sceneWillResignActive scene:1
      3s main call sceneDidEnterBackground scene:1
      3.1s main notify UIScene.didEnterBackgroundNotification scene:1

      clean: two scenes resign together, in any order
      1s..1.05s main call sceneWillResignActive scene:1
      1.1s..1.15s main call sceneWillResignActive scene:2
      1.2s main notify UIScene.willDeactivateNotification scene:2
      1.3s main notify UIScene.willDeactivateNotification scene:1
      2s main call sceneDidEnterBackground scene:2
      2.1s main notify UIScene.didEnterBackgroundNotification scene:2
      2.2s main call sceneDidEnterBackground scene:1
      2.3s main notify UIScene.didEnterBackgroundNotification scene:1

      clean: the second scene's delegate does not implement the call
      1s..1.05s main call sceneWillResignActive scene:1
      1.1s main notify UIScene.willDeactivateNotification scene:2
      1.2s main notify UIScene.willDeactivateNotification scene:1
      2s..2.05s main call sceneDidEnterBackground scene:1
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1

      clean: an activation whose notification is missing
      1s main call sceneDidBecomeActive scene:1
      1.1s main notify UIScene.didActivateNotification scene:2
      2s main call sceneWillResignActive scene:1
      2.1s main notify UIScene.willDeactivateNotification scene:1

      cannot tell: the right notification may be in the gap
      1s main call sceneWillResignActive scene:1
      1.1s main notify UIScene.willDeactivateNotification scene:2
      1.2s - gap ring-full 1
      2s main call sceneDidEnterBackground scene:1

      violating: the call is about the one, the notification about the other
      1s main call sceneWillResignActive scene:1
      1.1s main notify UIScene.willDeactivateNotification scene:2 ◀
      2s main call sceneDidEnterBackground scene:1
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1

      violating: both resign, and both notifications name the one
      1s main call sceneWillResignActive scene:1
      1.1s main notify UIScene.willDeactivateNotification scene:1
      1.2s main call sceneWillResignActive scene:2
      1.3s main notify UIScene.willDeactivateNotification scene:1 ◀
      2s main call sceneDidEnterBackground scene:1
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1
      2.2s main call sceneDidEnterBackground scene:2
      2.3s main notify UIScene.didEnterBackgroundNotification scene:2
      """
  )

  static let interests: [EventPattern] = [
    .call(.sceneWillConnect),
    Turner.scene.calls(.foreground, .activate, .resign, .background, .disconnect),
    .sceneNotifications(),
  ]

  /// The last transition of a scene.
  private struct Told {
    var scene: UInt32
    var transition: Callback
    /// The call whose notification has not come, or the notification whose call has not.
    var lone: OpenEvent?
    /// Whether a call and its notification have met.
    var isPaired = false
  }

  /// A notification so much before or after the call may be about the same transition.
  private static let window: Nanoseconds = .seconds(1)

  private var told = Remembered<Told>(64, beyond: .cannotTell)
  /// What ended with a notification whose call never came.
  private var strays = Remembered<Told>(16, beyond: .oldestGoes)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard event.subjectKind == .scene, let transition = Callback.of(event.name) else {
      return
    }
    let number = event.subjectNumber
    guard let place = place(number, transition, &findings) else { return }
    if told[place].transition != transition || isBeforeResume(place, moment) {
      leave(place, moment, &findings)
      told[place] = Told(scene: number, transition: transition)
    }

    let lone = told[place].lone
    if let lone, lone.event.verb != event.verb {
      (told[place].lone, told[place].isPaired) = (nil, true)
    } else {
      if lone?.event.verb == .call { leave(place, moment, &findings) }
      if lone?.event.verb == .notify { strays.append(told[place]) }
      told[place].lone = moment.fact(event)
    }

    if transition == .sceneDidDisconnect && told[place].isPaired {
      told.remove(at: place)
      findings.foundClean()
    }
  }

  /// The place of a scene among what was told, which is made where there is room; the newest scenes are
  /// last.
  private mutating func place(
    _ number: UInt32, _ transition: Callback, _ findings: inout RuleFindings
  ) -> Int? {
    if let place = told.lastIndex(where: { $0.scene == number }) { return place }
    if told.isFull { told.removeAll { $0.transition == .sceneDidDisconnect } }
    let count = told.count
    told.append(Told(scene: number, transition: transition), &findings)
    return told.count > count ? count : nil
  }

  /// After a resume in the background the same transition may come again.
  private func isBeforeResume(_ place: Int, _ moment: Moment) -> Bool {
    guard let earlier = told[place].lone?.ordinal,
      let resumed = moment.resumes.facts.last?.ordinal
    else { return false }
    return earlier < resumed
  }

  /// Judges what a scene was told, as it goes on to something else.
  private mutating func leave(
    _ place: Int, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let one = told[place]
    if one.transition == .sceneDidBecomeActive { return }
    if one.lone?.event.verb == .notify { strays.append(one) }
    guard let call = one.lone, call.event.verb == .call else {
      if one.isPaired { findings.foundClean() }
      return
    }

    var other: OpenEvent?
    func look(_ candidate: Told) {
      guard candidate.scene != one.scene, candidate.transition == one.transition,
        let notification = candidate.lone, notification.event.verb == .notify,
        abs(notification.event.instant.since(call.event.instant)) <= Self.window
      else { return }
      if notification.ordinal < other?.ordinal ?? .max { other = notification }
    }
    for stray in strays { look(stray) }
    for candidate in told { look(candidate) }
    guard let other else { return }

    findings.report(
      other, since: call,
      says: "{name} named {subject}, but the delegate was called for {holder} at {since}")
  }
}
