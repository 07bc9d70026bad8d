import LifecycleModel
import TraceAnalysis

/// The recorder sees the calls of the methods that it says it watches.
struct RecorderLostHookRule: Rule {
  static let description: RuleDescription = .init(
    id: "recorder-lost-hook",
    number: nil,
    topic: .recording,
    summary: "the recorder still sees the delegate methods that it watches",
    severity: .info,
    sources: [.logFormat],
    why: """
      If another SDK takes the recorder's place around a method, or puts another object in the \
      delegate's place, calls are missing from the log. Rules then take them for calls that never \
      came.
      """,
    remedy: """
      Start the recorder after SDKs that replace the delegate, or turn their swizzling off. Check \
      other findings about this callback by hand.
      """,
    limits: """
      Checked for callbacks in implements= whose notification is recorded; a recorder that does \
      not state implements= claims nothing. Reported once per \
      callback and process, at the third notification about the same object without a call: the \
      order of call and notification is not specified, so that two prove nothing. Callbacks of \
      UIApplication's foreground are not checked in an app with scenes, which are not called.
      """,
    examples: """
      clean: call and notification in any order
      0s - profile mode=app hooks=app-delegate,app-notifications implements=applicationDidReceiveMemoryWarning
      1s main call applicationDidReceiveMemoryWarning app
      1.1s main notify UIApplication.didReceiveMemoryWarningNotification app
      2s main notify UIApplication.didReceiveMemoryWarningNotification app
      2.1s main call applicationDidReceiveMemoryWarning app
      3s main notify UIApplication.didReceiveMemoryWarningNotification app
      3.1s main call applicationDidReceiveMemoryWarning app

      clean: an app with scenes: UIKit does not call the method
      0s - profile mode=scene hooks=app-delegate,app-notifications implements=applicationDidBecomeActive,applicationDidReceiveMemoryWarning
      1s main notify UIApplication.didBecomeActiveNotification app
      2s main notify UIApplication.willResignActiveNotification app
      3s main notify UIApplication.didBecomeActiveNotification app
      4s main notify UIApplication.willResignActiveNotification app
      5s main notify UIApplication.didBecomeActiveNotification app
      6s main call applicationDidReceiveMemoryWarning app
      6.1s main notify UIApplication.didReceiveMemoryWarningNotification app

      clean: the recorder does not say what it watches
      0s - profile mode=app hooks=app-delegate,app-notifications
      1s main notify UIApplication.didReceiveMemoryWarningNotification app
      2s main notify UIApplication.didReceiveMemoryWarningNotification app
      3s main notify UIApplication.didReceiveMemoryWarningNotification app

      cannot tell: the calls may be in the gap
      0s - profile mode=app hooks=app-delegate,app-notifications implements=applicationDidReceiveMemoryWarning
      1s main notify UIApplication.didReceiveMemoryWarningNotification app
      2s main notify UIApplication.didReceiveMemoryWarningNotification app
      2.1s - gap ring-full 9
      3s main notify UIApplication.didReceiveMemoryWarningNotification app

      violating: the hook is gone after the first call
      0s - profile mode=app hooks=app-delegate,app-notifications implements=applicationDidBecomeActive
      1s main call applicationDidBecomeActive app
      1.1s main notify UIApplication.didBecomeActiveNotification app
      2s main notify UIApplication.didBecomeActiveNotification app
      3s main notify UIApplication.didBecomeActiveNotification app ◀
      4s main notify UIApplication.didBecomeActiveNotification app

      violating: a scene's
      0s - profile mode=scene hooks=scene-delegate,scene-notifications implements=sceneDidBecomeActive
      1s main notify UIScene.didActivateNotification scene:1
      1.1s main notify UIScene.didActivateNotification scene:2
      2s main notify UIScene.didActivateNotification scene:1
      3s main notify UIScene.didActivateNotification scene:1 ◀
      """
  )

  private static let callbacks = Callback.allCases.filter { $0.notification != nil }
  /// In an app with scenes UIKit posts their notifications, and does not call them.
  private static let ofAppsWithoutScenes = Turner.app.calls(
    .activate, .resign, .background, .foreground
  ).callbacks
  /// How many notifications without a call are too many.
  private static let tooMany = 3

  static let interests: [EventPattern] = [
    .named(.call, callbacks), .named(.notify, callbacks.compactMap(\.notification)),
  ]

  /// Notifications about a subject since the last call of their callback.
  private struct Uncalled {
    let callback: Callback
    let subject: Subject
    let first: OpenEvent
    var count = 1
  }

  private var uncalled = Remembered<Uncalled>(64, beyond: .oldestGoes)
  private var reported = SymbolBits([])

  mutating func observe(_ event: Event, _ moment: Moment, _ findings: inout RuleFindings) {
    guard let callback = Callback.of(event.name) else { return }
    if event.verb == .call {
      if !uncalled.isEmpty { uncalled.removeAll { $0.callback == callback } }
      if isWatched(callback, moment.profile) { findings.foundClean() }
    } else if isWatched(callback, moment.profile), !reported.contains(callback.symbol) {
      note(callback, event, moment, &findings)
    }
  }

  /// Whether UIKit calls the method with its notification, and the recorder says that it watches it.
  private func isWatched(_ callback: Callback, _ profile: Profile) -> Bool {
    guard profile.implements(callback), profile.records(callback.hook) else { return false }
    return profile.mode == .app
      || profile.mode == .scene && !Self.ofAppsWithoutScenes.contains(callback)
  }

  private mutating func note(
    _ callback: Callback, _ event: Event, _ moment: Moment, _ findings: inout RuleFindings
  ) {
    let place = uncalled.firstIndex { $0.callback == callback && $0.subject == event.subject }
    guard let place else {
      uncalled.append(
        Uncalled(callback: callback, subject: event.subject, first: moment.fact(event)))
      return
    }

    uncalled[place].count += 1
    guard uncalled[place].count >= Self.tooMany else { return }
    let first = uncalled.remove(at: place).first
    reported.insert(callback.symbol)
    let kind = MissingEvent.Kind(.call, name: callback.rawValue, about: event.subject)
    findings.report(
      event, since: first, missing: [MissingEvent([kind], after: first.event, before: event)],
      says: "the recorder has lost \(callback.rawValue): {name} was posted, and no call was seen")
  }
}
