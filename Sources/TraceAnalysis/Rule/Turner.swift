import LifecycleModel

/// A step of a life that UIKit reports by a call and by a notification.
package enum Turn: UInt8, CaseIterable, Sendable {
  case foreground, activate, resign, background, disconnect

  /// Whether the app, or a scene, leaves the foreground by it.
  package var isDeparture: Bool { self == .resign || self == .background }

  /// The calls of some turns, of the app and of scenes.
  package static func calls(_ turns: Turn...) -> EventPattern { .named(.call, callbacks(turns)) }

  /// The returns of these calls.
  package static func returns(_ turns: Turn...) -> EventPattern {
    .named(.return, callbacks(turns))
  }

  /// The notifications of some turns, of the app and of scenes.
  package static func posts(_ turns: Turn...) -> EventPattern {
    .named(.notify, callbacks(turns).compactMap(\.notification))
  }

  /// The observers of the notifications of some turns, of the app and of scenes.
  package static func observers(_ turns: Turn...) -> EventPattern {
    .named(.observe, callbacks(turns).compactMap(\.notification))
  }

  /// The calls and the notifications of some turns, of the app and of scenes.
  package static func events(_ turns: Turn...) -> EventPattern {
    .events(of: callbacks(turns))
  }

  /// The delegates' methods of some turns, the app delegate's first.
  private static func callbacks(_ turns: [Turn]) -> [Callback] {
    Turner.allCases.flatMap { turns.compactMap($0.callback) }
  }
}

/// Who takes such steps: an app without scenes, or a scene.
///
/// What is required of both is written once, for a turner.
package enum Turner: UInt8, CaseIterable, Sendable {
  case app, scene

  /// Whose turns are those of a subject: a scene's own, of others the app's.
  package init(_ subject: Subject.Kind) { self = subject == .scene ? .scene : .app }

  /// The patterns that `make` makes for an app without scenes, and for a scene; each is in force where
  /// it is about the app's mode.
  package static func patterns(_ make: (Turner) -> [RulePattern]) -> [RulePattern] {
    allCases.flatMap { turner in make(turner).map { $0.needing(turner.needs) } }
  }

  /// What must be known before the silence of such a turner says something.
  package var needs: RuleNeeds {
    switch self {
    case .app:
      RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)])
    case .scene:
      RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible])
    }
  }

  /// One for the app, or one for each scene.
  package var scope: Scope { self == .app ? .app : .scene }

  /// The turner in the sentence of a finding.
  package var words: String { self == .app ? "the app" : "{subject}" }

  /// The delegate's call; `nil` where there is none.
  package func callback(_ turn: Turn) -> Callback? {
    switch (self, turn) {
    case (.app, .foreground): .applicationWillEnterForeground
    case (.app, .activate): .applicationDidBecomeActive
    case (.app, .resign): .applicationWillResignActive
    case (.app, .background): .applicationDidEnterBackground
    case (.app, .disconnect): nil
    case (.scene, .foreground): .sceneWillEnterForeground
    case (.scene, .activate): .sceneDidBecomeActive
    case (.scene, .resign): .sceneWillResignActive
    case (.scene, .background): .sceneDidEnterBackground
    case (.scene, .disconnect): .sceneDidDisconnect
    }
  }

  /// The delegate's method, as findings name it.
  package func name(_ turn: Turn) -> String { callback(turn)?.rawValue ?? "" }

  /// The calls of some turns.
  package func calls(_ turns: Turn...) -> EventPattern {
    .named(.call, turns.compactMap(callback))
  }

  /// The notifications of some turns.
  package func posts(_ turns: Turn...) -> EventPattern {
    .named(.notify, turns.compactMap(callback).compactMap(\.notification))
  }

  /// The calls and the notifications of some turns.
  package func events(_ turns: Turn...) -> EventPattern {
    .events(of: turns.compactMap(callback))
  }

  /// Who takes which turn, as the name of a call or a notification says; `nil` of other names.
  package static func turn(_ name: Symbol) -> (turner: Turner, turn: Turn)? { turns[name] }

  private static let turns = NameTable<(turner: Turner, turn: Turn)>(
    allCases.flatMap { turner in
      Turn.allCases.flatMap { turn in
        [turner.callback(turn)?.symbol, turner.callback(turn)?.notification?.symbol]
          .compactMap(\.self).map { (name: $0, value: (turner, turn)) }
      }
    })

  /// Who takes which turn, as the system's word on a state says; `nil` of other transitions.
  package static func turn(ofTransition name: Symbol) -> (turner: Turner, turn: Turn)? {
    transitions[name]
  }

  private static let transitions = NameTable<(turner: Turner, turn: Turn)>([
    (Transition(AppState.background, .inactive).symbol, (.app, .foreground)),
    (Transition(AppState.inactive, .active).symbol, (.app, .activate)),
    (Transition(AppState.active, .inactive).symbol, (.app, .resign)),
    (Transition(AppState.active, .background).symbol, (.app, .background)),
    (Transition(AppState.inactive, .background).symbol, (.app, .background)),
    (Transition(SceneActivation.background, .foregroundInactive).symbol, (.scene, .foreground)),
    (Transition(SceneActivation.foregroundInactive, .foregroundActive).symbol, (.scene, .activate)),
    (Transition(SceneActivation.foregroundActive, .foregroundInactive).symbol, (.scene, .resign)),
    (Transition(SceneActivation.foregroundActive, .background).symbol, (.scene, .background)),
    (Transition(SceneActivation.foregroundInactive, .background).symbol, (.scene, .background)),
  ])
}

extension Callback {
  /// The callback that a call, or the notification posted with it, is about; `nil` of other names.
  package static func of(_ name: Symbol) -> Callback? { byName[name] }

  private static let byName = NameTable<Callback>(
    allCases.flatMap { callback in
      [callback.symbol, callback.notification?.symbol].compactMap(\.self).map {
        (name: $0, value: callback)
      }
    })
}

extension EventPattern {
  /// The calls of some callbacks, and the notifications that are posted with them.
  package static func events(of callbacks: [Callback]) -> EventPattern {
    .named(.call, callbacks) | .named(.notify, callbacks.compactMap(\.notification))
  }
}

extension [Hook] {
  /// The methods of the app's delegate and of the scenes'.
  package static let delegates: [Hook] = [.appDelegate, .sceneDelegate]
  /// What shows a turn, by its call or by its notification.
  package static let turns: [Hook] = delegates + [.appNotifications, .sceneNotifications]
  /// What shows in which state the app is: its turns, or the system's word.
  package static let states: [Hook] = turns + [.system]
}
