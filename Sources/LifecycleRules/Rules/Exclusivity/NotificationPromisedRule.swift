import LifecycleModel
import TraceAnalysis

/// UIKit posts the notification that the page of a callback promises.
struct NotificationPromisedRule: Rule {
  static let description: RuleDescription = .init(
    id: "notification-promised",
    formerRules: [
      FormerRule("excl-app-notifications-always", number: 37, culprits: .nothing)
    ],
    number: 105,
    topic: .exclusivity,
    summary: "each resign and each entry into the background posts its promised notifications",
    severity: .warning,
    cause: SharedCause(.missedNotification, rank: 2),
    sources: [.s0, .s1, .s4, .sceneDidEnterBackground, .applicationState],
    why: """
      Libraries pause, save and lock in the notification, not in the delegate. Without it they \
      continue as if the app were active.
      """,
    remedy: """
      Check the UIKit port that made the log, code that calls the delegate directly, and code that \
      removes observers. If the recorder sees only some notifications, remove their family from its \
      hooks.
      """,
    limits: """
      The documentation promises willResignActive and didEnterBackground of UIApplication, and \
      willDeactivate and didEnterBackground of UIScene; the rule expects each one if its family is \
      recorded, and of a family that is recorded in part once it was posted in the process. The \
      order relative to the call is not specified. Checked when the scene returns to the \
      foreground, for the app's notification when any scene or the app does, or when the process \
      is suspended; if the process or the log ends before that, the rule cannot tell. In an app \
      with scenes, the app's notification is due when the last active scene resigns, or the last \
      scene leaves the foreground, as its call or its notification shows; after a gap, which may \
      hide a scene, the rule cannot tell. A notification that never comes in a process is reported \
      once, and so is a family of which none comes. If others of the family come, but neither this \
      one nor that of the opposite turn, which the log shows, the recorder does not watch them, and \
      the rule cannot tell. \
      Notifications of activations are not checked: didActivate is sometimes missing on devices.
      """,
    contradiction: """
      The documentation of the scene's callback suggests that each resign of a scene posts the \
      app's notification, but the app's state is the state of its most active scene.
      """,
    needs: RuleNeeds(
      hooks: [
        [.appDelegate, .sceneDelegate, .sceneNotifications],
        [.appNotifications, .sceneNotifications],
      ], profile: [.says(.mode)]),
    given: "0s - profile mode=scene hooks=scene-delegate,app-notifications,system",
    examples: """
      clean: before the call, and after it
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications,system
      1s main call sceneDidBecomeActive scene:1
      3s main notify UIScene.willDeactivateNotification scene:1
      3.1s..3.2s main call sceneWillResignActive scene:1
      3.3s main notify UIApplication.willResignActiveNotification app
      4s..4.1s main call sceneDidEnterBackground scene:1
      4.2s main notify UIApplication.didEnterBackgroundNotification app
      4.3s main notify UIScene.didEnterBackgroundNotification scene:1
      9s - suspend app

      clean: the other scene stays active: the app has not resigned
      1s main call sceneDidBecomeActive scene:1
      1.1s main call sceneDidBecomeActive scene:2
      3s..3.2s main call sceneWillResignActive scene:1
      9s main call sceneDidBecomeActive scene:1

      clean: a family that is not recorded
      1s main call sceneDidBecomeActive scene:1
      3s..3.2s main call sceneWillResignActive scene:1
      3.3s main notify UIApplication.willResignActiveNotification app
      9s main call sceneDidBecomeActive scene:1

      cannot tell: the log ends
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app

      cannot tell: the app observes another notification alone
      0s - profile mode=app hooks=app-delegate,app-notifications partial=app-notifications
      1s main call applicationDidBecomeActive app
      1.1s main notify UIApplication.didBecomeActiveNotification app
      3s..3.2s main call applicationWillResignActive app
      5s main call applicationDidBecomeActive app

      cannot tell: it may be in the gap
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app
      4s - gap ring-full 3
      5s main call applicationDidBecomeActive app

      cannot tell: another scene may have connected in the gap
      0.1s - process.start app launch=user
      0.2s - gap ring-full 9
      1s main call sceneDidBecomeActive scene:1
      3s..3.2s main call sceneWillResignActive scene:1
      9s main call sceneDidBecomeActive scene:1

      cannot tell: neither the activation nor the resign is watched
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.didFinishLaunchingNotification app
      1.1s main call applicationDidBecomeActive app
      3s..3.1s main call applicationWillResignActive app
      3.2s..3.3s main call applicationDidEnterBackground app
      3.4s main notify UIApplication.didEnterBackgroundNotification app
      4.9s..4.95s main call applicationWillEnterForeground app
      5s main call applicationDidBecomeActive app

      violating: none of the app's notifications, and only notifications show the scene's turns
      0s - profile mode=scene hooks=scene-notifications,app-notifications,system
      0s - process.start app
      1s main notify UIScene.didActivateNotification scene:1
      2s main notify UIScene.willDeactivateNotification scene:1 ◀
      2.1s main notify UIScene.didEnterBackgroundNotification scene:1
      3s main notify UIScene.didActivateNotification scene:1
      4s main notify UIScene.willDeactivateNotification scene:1
      4.1s main notify UIScene.didEnterBackgroundNotification scene:1
      5s main notify UIScene.didActivateNotification scene:1

      violating: another scene is on screen, and never active
      0s - process.start app
      1s main return sceneWillEnterForeground scene:1
      1.1s main return sceneWillEnterForeground scene:2
      1.2s main call sceneDidBecomeActive scene:1
      2s main call sceneDidEnterBackground scene:1
      2.1s main call sceneDidEnterBackground scene:2 ◀
      3s main call sceneDidBecomeActive scene:1
      4s main call sceneDidEnterBackground scene:1

      violating: it was posted once, and then not
      0s - profile mode=app hooks=app-delegate,app-notifications partial=app-notifications
      1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app
      3.3s main notify UIApplication.willResignActiveNotification app
      5s main call applicationDidBecomeActive app
      7s..7.2s main call applicationWillResignActive app ◀
      9s main call applicationDidBecomeActive app

      violating: it is resumed in the background, and posts nothing
      0s - profile mode=app hooks=app-delegate,app-notifications,system
      1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationDidEnterBackground app
      3.3s main notify UIApplication.didEnterBackgroundNotification app
      5s..60s - suspend app
      60.1s..60.2s main call applicationDidEnterBackground app ◀
      65s - suspend app

      violating: an app without scenes
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main call applicationDidBecomeActive app
      3s..3.2s main call applicationWillResignActive app ◀
      5s main call applicationDidBecomeActive app

      violating: the scene's, of two
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications,system
      1s main call sceneDidBecomeActive scene:1
      3s..3.2s main call sceneWillResignActive scene:1 ◀
      3.3s main notify UIApplication.willResignActiveNotification app
      5s main call sceneDidBecomeActive scene:1

      violating: the background of the last scene, up to the suspension
      0s - profile mode=scene hooks=scene-delegate,scene-notifications,app-notifications,system
      1s main call sceneDidBecomeActive scene:1
      3s..3.1s main call sceneWillResignActive scene:1
      3.2s main notify UIScene.willDeactivateNotification scene:1
      3.3s main notify UIApplication.willResignActiveNotification app
      4s..4.1s main call sceneDidEnterBackground scene:1 ◀
      4.2s main notify UIScene.didEnterBackgroundNotification scene:1
      9s - suspend app
      """
  )

  static let interests: [EventPattern] = [
    Turn.events(.resign, .background, .foreground, .activate), .verbs(.suspend),
  ]

  /// A notification about a subject.
  private struct Posting: Equatable {
    let notification: LifecycleNotification
    let subject: Subject
  }

  private struct Promise {
    let posting: Posting
    let call: OpenEvent
  }

  private var promises = Remembered<Promise>(64, beyond: .cannotTell)
  /// What was posted since its subject was last in the foreground.
  private var posted = Remembered<Posting>(64, beyond: .cannotTell)
  /// What was posted in this process, and which returns were called or posted.
  private var seen = SymbolBits([])
  /// Whose notifications were posted in this process.
  private var seenFamilies = Bits<Turner>()
  /// What was missed though it was never posted, and the families of which nothing was.
  private var missed: Set<String> = []
  /// When the app, and each scene, last returned to the foreground; of many scenes, those that returned
  /// last.
  ///
  /// What is posted before a call may be lost since then.
  private var lastReturn: OpenEvent?
  private var returns = Remembered<OpenEvent>(15, beyond: .oldestGoes)

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    if event.verb == .suspend {
      settle(event, moment, &findings) { _ in true }
      // An app that is resumed in the background enters it again, and posts it again.
      return posted.removeAll()
    }

    guard let (turner, turn) = Turner.turn(event.name) else { return }
    if event.verb == .notify { seenFamilies.insert(turner) }
    if turn == .foreground || turn == .activate {
      comeBack(event, moment, &findings)
      return seen.insert(event.name)
    }

    if let notification = turner.callback(turn)?.notification {
      let posting = Posting(notification: notification, subject: event.subject)
      if event.verb == .notify {
        note(posting, event, &findings)
      } else if event.subjectKind == (moment.profile.mode == .app ? .app : .scene) {
        // What the callback's page promises.
        expect(posting, event, moment, &findings)
      }
    }
    promiseOfApp(turn, event, moment, &findings)
  }

  mutating func end(_ reason: Doubt, _ moment: Moment, _ findings: inout RuleFindings) {
    for _ in promises { findings.cannotTell(reason) }
  }

  /// A notification of the app is about the app, whatever its object says: that is another rule's.
  private mutating func note(_ said: Posting, _ event: Event, _ findings: inout RuleFindings) {
    seen.insert(event.name)
    let isScene = said.notification.hook == .sceneNotifications
    // A port that posts no object may mean any scene.
    let isAnyScene = isScene && event.subjectKind != .scene
    let posting = isScene ? said : Posting(notification: said.notification, subject: .app)

    let before = promises.count
    promises.removeAll {
      $0.posting == posting || isAnyScene && $0.posting.notification == posting.notification
    }
    if promises.count < before { findings.foundClean() }
    if !isAnyScene && !posted.contains(posting) { posted.append(posting) }
  }

  /// What the app posts when it turns with its last scene, as the scene's call or notification shows.
  private mutating func promiseOfApp(
    _ turn: Turn, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    guard moment.profile.mode == .scene, moment.profile.records(.appNotifications),
      isOfLastScene(turn, event, moment)
    else { return }
    if mayHideScenes(moment) { return findings.cannotTell(.gap) }

    let ofApp: LifecycleNotification =
      turn == .resign ? .applicationWillResignActive : .applicationDidEnterBackground
    let posting = Posting(notification: ofApp, subject: .app)
    if promises.contains(where: { $0.posting == posting }) { return }
    expect(posting, event, moment, &findings)
  }

  private mutating func expect(
    _ posting: Posting, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    if !moment.profile.records(posting.notification.hook) { return }
    if posted.contains(posting) {
      findings.foundClean()
    } else if !posted.isWhole {
      findings.cannotTell(.tooManyInstances)
    } else if !isShown(posting.notification, moment.profile) {
      findings.cannotTell(.recordedInPart(posting.notification.hook))
    } else {
      promises.append(Promise(posting: posting, call: moment.fact(event)), &findings)
    }
  }

  /// Whether the log shows such a notification when it is posted.
  private func isShown(_ notification: LifecycleNotification, _ profile: Profile) -> Bool {
    profile.recordsAll(of: notification.hook) || seen.contains(notification.symbol)
  }

  /// Whether another scene may have connected unseen, in a gap of the process.
  private func mayHideScenes(_ moment: Moment) -> Bool {
    guard let gap = moment.state.lastGap else { return false }
    return gap.ordinal > moment.beginning?.ordinal ?? 0
  }

  /// Whether the app turns with the scene: it was there where the scene leaves, and no other scene that
  /// is known is.
  private func isOfLastScene(_ turn: Turn, _ event: Event, _ moment: Moment) -> Bool {
    let isResign = turn == .resign
    func isThere(_ activation: SceneActivation) -> Bool {
      isResign ? activation == .foregroundActive : activation.isForeground
    }

    guard event.subjectKind == .scene, let app = moment.state.appState,
      isResign ? app == .active : app.isForeground,
      let own = moment.state.activation(ofScene: event.subjectNumber), isThere(own)
    else { return false }
    let others = moment.state.foreground
    let isAlone = (isResign ? others.active : others.all) == 1
    // Where nothing is lost each scene is what it was last seen to be.
    if moment.state.lastGap == nil { return isAlone }
    return isAlone
      && moment.state.scenes.allSatisfy { other in
        other.number == event.subjectNumber || moment.state.isCertain(other.since)
      }
  }

  /// The app or a scene is back: what its leaving promised has been posted, or never is.
  private mutating func comeBack(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let subject = event.subject
    settle(event, moment, &findings) {
      $0.posting.subject == subject || $0.posting.subject == .app
    }
    if !posted.isEmpty { posted.removeAll { $0.subject == subject || $0.subject == .app } }
    let back = moment.fact(event)
    lastReturn = back
    if subject == .app { return }
    returns.removeAll { $0.event.subject == subject }
    returns.append(back)
  }

  /// When what a notification is about last returned to the foreground.
  private func lastReturn(of subject: Subject) -> OpenEvent? {
    subject == .app ? lastReturn : returns.last { $0.event.subject == subject }
  }

  private mutating func settle(
    _ event: Event, _ moment: Moment, _ findings: inout RuleFindings,
    _ isOver: (Promise) -> Bool
  ) {
    if promises.isEmpty { return }
    for promise in promises where isOver(promise) && !isMissedAgain(promise) {
      if isUnwatched(promise.posting.notification) {
        findings.cannotTell(.recordedInPart(promise.posting.notification.hook))
        continue
      }

      let name = promise.posting.notification.rawValue
      let way = promise.call.event.verb == .call ? "called" : "posted"
      let kind = MissingEvent.Kind(.notify, name: name, about: promise.posting.subject)
      // The notification may come before the call.
      findings.report(
        promise.call, until: event,
        missing: [MissingEvent([kind], after: promise.call.event, before: event)],
        restingOn: [lastReturn(of: promise.posting.subject)],
        says: "{name} of {subject} was \(way), but \(name) was not posted")
    }
    promises.removeAll(where: isOver)
  }
}

extension NotificationPromisedRule {
  /// Whether the recorder sees others of the family, and neither this notification nor that of the opposite
  /// turn, which was called.
  private func isUnwatched(_ notification: LifecycleNotification) -> Bool {
    guard let (turner, turn) = Turner.turn(notification.symbol), seenFamilies.contains(turner),
      !seen.contains(notification.symbol)
    else { return false }
    let opposite: Turn = turn == .resign ? .activate : .foreground
    // What is the app's shows with each scene.
    let callers = turner == .app ? Turner.allCases : [turner]
    let returns = callers.compactMap { $0.callback(opposite)?.symbol }
    let isPosted = turner.callback(opposite)?.notification.map { seen.contains($0.symbol) } ?? false
    return returns.contains(where: seen.contains) && !isPosted
  }

  /// Whether what is missing never comes in this process, and was missed before.
  private mutating func isMissedAgain(_ promise: Promise) -> Bool {
    let notification = promise.posting.notification
    if seen.contains(notification.symbol) { return false }
    let isFamilySeen = Turner.turn(notification.symbol).map { seenFamilies.contains($0.turner) }
    return !missed.insert(isFamilySeen == true ? notification.rawValue : notification.hook.rawValue)
      .inserted
  }
}
