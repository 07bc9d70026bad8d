/// The states of an app, as the runtime and the system know them.
public enum AppState: String, CaseIterable, Sendable {
  /// No process.
  case notRunning
  /// In the foreground, without events.
  case inactive
  /// In the foreground, with events.
  case active
  /// Running, not on screen.
  case background
  /// In memory, running no code.
  case suspended

  /// Whether the app is on screen.
  public var isForeground: Bool { self == .active || self == .inactive }
}

/// The activation states of a scene.
public enum SceneActivation: String, CaseIterable, Sendable {
  /// Not connected to the app.
  case unattached
  /// On screen, without events.
  case foregroundInactive
  /// On screen, with events.
  case foregroundActive
  /// Connected, not on screen.
  case background

  /// Whether the scene is on screen.
  public var isForeground: Bool { self == .foregroundActive || self == .foregroundInactive }

  /// The state that a scene in this activation gives its app.
  public var appState: AppState {
    switch self {
    case .unattached, .background: .background
    case .foregroundInactive: .inactive
    case .foregroundActive: .active
    }
  }
}

/// The name of a `state` event: `from->to`.
public struct Transition: Hashable, Sendable {
  /// The state before, by its word.
  public var from: String
  /// The state after, by its word.
  public var to: String

  /// Makes a transition between two states, by their words.
  public init(from: String, to: String) {
    self.from = from
    self.to = to
  }

  /// Makes a transition of an app.
  public init(_ from: AppState, _ to: AppState) {
    self.init(from: from.rawValue, to: to.rawValue)
  }

  /// Makes a transition of a scene.
  public init(_ from: SceneActivation, _ to: SceneActivation) {
    self.init(from: from.rawValue, to: to.rawValue)
  }

  /// Reads `from->to`; `nil` when `text` has another form.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard
      let arrow = bytes.indices.dropLast().first(where: {
        bytes[$0] == UInt8(ascii: "-") && bytes[$0 + 1] == UInt8(ascii: ">")
      }), arrow > 0, arrow + 2 < bytes.count
    else { return nil }
    self.init(
      from: String(decoding: bytes[..<arrow], as: UTF8.self),
      to: String(decoding: bytes[(arrow + 2)...], as: UTF8.self))
  }

  /// The name of the `state` event.
  public var text: String { "\(from)->\(to)" }

  /// The name's symbol.
  ///
  /// Cost: a dictionary look-up.
  public var symbol: Symbol { WellKnownWords.symbol(text) ?? .none }

  /// Every transition between two app states or two scene states, also from a state to itself.
  package static let all: [Transition] =
    AppState.allCases.flatMap { from in AppState.allCases.map { Transition(from, $0) } }
    + SceneActivation.allCases.flatMap { from in
      SceneActivation.allCases.map { Transition(from, $0) }
    }
}
