/// What an event does to a ``LifecycleState``, looked up by verb and name.
///
/// The state holds it, and is cheap to copy as it is one object.
@usableFromInline
final class FoldTable: Sendable {
  /// What a verb does.
  @usableFromInline
  enum Role: UInt8, Sendable {
    case nothing, opens, closes, notify, state, profile, processStart, ended, suspend, resume, gap
  }

  /// What a callback or notification means for the app or a scene.
  enum Effect: UInt8 {
    case nothing
    case appInactive, appActive, appBackground, appForeground
    case sceneConnected, sceneForeground, sceneInactive, sceneActive, sceneBackground,
      sceneDisconnected
    case launchEnded, sessionDiscarded
  }

  @usableFromInline let roles: [Role]
  @usableFromInline let families: [SpanFamily]
  /// Effects by name, of `call`, `return` and `notify`.
  let calls: [Effect]
  let returns: [Effect]
  let notifications: [Effect]
  /// The state after, by the name of a `state` event.
  let appStates: [AppState?]
  let activations: [SceneActivation?]
  let saveCategory = WorkCategory.save.symbol
  private let uncompleted = [Delivery.event, .url, .activity, .location].map(\.symbol)

  static let shared = FoldTable()

  /// The family of which `verb` plays the role; `nil` when it plays another one.
  fileprivate func family(of verb: Verb, as role: Role) -> SpanFamily? {
    roles[Int(verb.code)] == role ? families[Int(verb.code)] : nil
  }

  /// Whether a delivery of this name is open until its completion handler was called.
  func isCompleted(_ delivery: Symbol) -> Bool { !uncompleted.contains(delivery) }

  private init() {
    (roles, families) = FoldTable.verbs()
    (calls, returns) = FoldTable.callbackEffects()
    notifications = FoldTable.notificationEffects()
    var appStates = [AppState?](repeating: nil, count: WellKnownWords.count)
    var activations = [SceneActivation?](repeating: nil, count: WellKnownWords.count)
    for transition in Transition.all {
      appStates[Int(transition.symbol.rawValue)] = AppState(rawValue: transition.to)
      activations[Int(transition.symbol.rawValue)] = SceneActivation(rawValue: transition.to)
    }
    (self.appStates, self.activations) = (appStates, activations)
  }

  private static func verbs() -> (roles: [Role], families: [SpanFamily]) {
    var roles = [Role](repeating: .nothing, count: 256)
    var families = [SpanFamily](repeating: .call, count: 256)
    for family in SpanFamily.allCases {
      roles[Int(family.opening.code)] = .opens
      families[Int(family.opening.code)] = family
      roles[Int(family.closing.code)] = .closes
      families[Int(family.closing.code)] = family
    }

    let others: [(Verb, Role)] = [
      (.notify, .notify), (.state, .state), (.profile, .profile), (.processStart, .processStart),
      (.kill, .ended), (.exit, .ended), (.suspend, .suspend), (.resume, .resume), (.gap, .gap),
    ]
    for (verb, role) in others { roles[Int(verb.code)] = role }
    return (roles, families)
  }

  /// "Will" callbacks count when they return, "did" callbacks when they are entered.
  private static func callbackEffects() -> (calls: [Effect], returns: [Effect]) {
    var calls = [Effect](repeating: .nothing, count: WellKnownWords.count)
    var returns = calls
    let onCall: [(Callback, Effect)] = [
      (.applicationDidBecomeActive, .appActive),
      (.applicationDidEnterBackground, .appBackground),
      (.sceneWillConnect, .sceneConnected),
      (.sceneDidBecomeActive, .sceneActive),
      (.sceneDidEnterBackground, .sceneBackground),
      (.sceneDidDisconnect, .sceneDisconnected),
    ]

    for (callback, effect) in onCall { calls[Int(callback.symbol.rawValue)] = effect }
    let onReturn: [(Callback, Effect)] = [
      (.applicationDidFinishLaunching, .launchEnded),
      (.applicationWillResignActive, .appInactive),
      (.applicationWillEnterForeground, .appForeground),
      (.applicationDidDiscardSceneSessions, .sessionDiscarded),
      (.sceneWillEnterForeground, .sceneForeground),
      (.sceneWillResignActive, .sceneInactive),
    ]
    for (callback, effect) in onReturn { returns[Int(callback.symbol.rawValue)] = effect }
    return (calls, returns)
  }

  private static func notificationEffects() -> [Effect] {
    let effects: [(LifecycleNotification, Effect)] = [
      (.applicationDidBecomeActive, .appActive),
      (.applicationWillResignActive, .appInactive),
      (.applicationDidEnterBackground, .appBackground),
      (.applicationWillEnterForeground, .appForeground),
      (.sceneWillConnect, .sceneConnected),
      (.sceneDidActivate, .sceneActive),
      (.sceneWillDeactivate, .sceneInactive),
      (.sceneWillEnterForeground, .sceneForeground),
      (.sceneDidEnterBackground, .sceneBackground),
      (.sceneDidDisconnect, .sceneDisconnected),
    ]

    var notifications = [Effect](repeating: .nothing, count: WellKnownWords.count)
    for (notification, effect) in effects {
      notifications[Int(notification.symbol.rawValue)] = effect
    }
    return notifications
  }
}

extension SpanFamily {
  /// The family of which `verb` opens spans; `nil` for other verbs.
  package static func opened(by verb: Verb) -> SpanFamily? {
    FoldTable.shared.family(of: verb, as: .opens)
  }

  /// The family of which `verb` closes spans; `nil` for other verbs.
  package static func closed(by verb: Verb) -> SpanFamily? {
    FoldTable.shared.family(of: verb, as: .closes)
  }
}
