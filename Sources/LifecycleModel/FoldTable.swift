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
    calls = FoldTable.table(FoldTable.onCall.map { ($0.symbol, $1) }, .nothing)
    returns = FoldTable.table(FoldTable.onReturn.map { ($0.symbol, $1) }, .nothing)
    notifications = FoldTable.table(FoldTable.onNotification, .nothing)
    let transitions = Transition.all
    appStates = FoldTable.table(transitions.map { ($0.symbol, AppState(rawValue: $0.to)) }, nil)
    activations = FoldTable.table(
      transitions.map { ($0.symbol, SceneActivation(rawValue: $0.to)) }, nil)
  }

  /// A value for each well-known word, by its symbol: that of its row, or `other`.
  private static func table<Value>(_ rows: [(Symbol, Value)], _ other: Value) -> [Value] {
    var values = [Value](repeating: other, count: WellKnownWords.count)
    for (symbol, value) in rows { values[Int(symbol.rawValue)] = value }
    return values
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

  /// "Did" callbacks count when they are entered.
  private static let onCall: [(Callback, Effect)] = [
    (.applicationDidBecomeActive, .appActive),
    (.applicationDidEnterBackground, .appBackground),
    (.sceneWillConnect, .sceneConnected),
    (.sceneDidBecomeActive, .sceneActive),
    (.sceneDidEnterBackground, .sceneBackground),
    (.sceneDidDisconnect, .sceneDisconnected),
  ]

  /// "Will" callbacks count when they return.
  private static let onReturn: [(Callback, Effect)] = [
    (.applicationDidFinishLaunching, .launchEnded),
    (.applicationWillResignActive, .appInactive),
    (.applicationWillEnterForeground, .appForeground),
    (.applicationDidDiscardSceneSessions, .sessionDiscarded),
    (.sceneWillEnterForeground, .sceneForeground),
    (.sceneWillResignActive, .sceneInactive),
  ]

  /// A notification means what its callback means, but for the end of the launch: only the return is that.
  private static var onNotification: [(Symbol, Effect)] {
    (onCall + onReturn).compactMap { callback, effect in
      effect == .launchEnded ? nil : callback.notification.map { ($0.symbol, effect) }
    }
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
