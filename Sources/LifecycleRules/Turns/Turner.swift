import LifecycleModel
import TraceAnalysis

/// A step of a life that UIKit tells by a call and by a notification.
enum Turn {
  case foreground, activate, resign, background, disconnect
}

/// Who takes such steps: an app without scenes, or a scene.
///
/// What is required of both is written once, for a turner.
enum Turner: CaseIterable {
  case app, scene

  /// The patterns that `make` makes for an app without scenes, and for a scene; each is in force where
  /// it is about the app's mode.
  static func patterns(_ make: (Turner) -> [RulePattern]) -> [RulePattern] {
    allCases.flatMap { turner in make(turner).map { $0.needing(turner.needs) } }
  }

  /// What must be known before the silence of such a turner says something.
  var needs: RuleNeeds {
    switch self {
    case .app:
      RuleNeeds(hooks: [[.appDelegate, .appNotifications]], profile: [.mode(.app)])
    case .scene:
      RuleNeeds(hooks: [[.sceneDelegate, .sceneNotifications]], profile: [.scenesPossible])
    }
  }

  /// One for the app, or one for each scene.
  var scope: Scope { self == .app ? .app : .scene }

  /// The turner in the sentence of a finding.
  var words: String { self == .app ? "the app" : "{subject}" }

  /// The delegate's call; `nil` where there is none.
  func callback(_ turn: Turn) -> Callback? {
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
  func name(_ turn: Turn) -> String { callback(turn)?.rawValue ?? "" }

  /// The calls of some turns.
  func calls(_ turns: Turn...) -> EventPattern { .named(.call, turns.compactMap(callback)) }

  /// The notifications of some turns.
  func posts(_ turns: Turn...) -> EventPattern {
    .named(.notify, turns.compactMap(callback).compactMap(\.notification))
  }

  /// The calls and the notifications of some turns.
  func events(_ turns: Turn...) -> EventPattern {
    let callbacks = turns.compactMap(callback)
    return .named(.call, callbacks) | .named(.notify, callbacks.compactMap(\.notification))
  }
}
