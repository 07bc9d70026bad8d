import LifecycleModel

/// A kind of event that the order of the lifecycle is about: a letter of an automaton's alphabet.
///
/// A callback is one letter, where it is entered, except that the return of
/// `applicationDidFinishLaunching` is one too: the launch ends there.
struct LifecycleLetter: Hashable {
  let rawValue: UInt8

  private static let callbacks = Callback.allCases.count
  private static let names = callbacks + LifecycleNotification.allCases.count
  private static let launchName = Callback.applicationDidFinishLaunching.symbol

  static let launchReturn = LifecycleLetter(rawValue: UInt8(names + 1))
  static let suspend = LifecycleLetter(rawValue: UInt8(names + 2))
  static let resume = LifecycleLetter(rawValue: UInt8(names + 3))
  static let launchCall = LifecycleLetter(rawValue: UInt8(launchName.rawValue))
  /// All raw values are below this; 0 is none.
  static let count = names + 4

  /// The letter of an event with this verb and name; `nil` when its order means nothing.
  @inline(__always)
  init?(_ verb: Verb, _ name: Symbol) {
    // The well-known words begin with the callbacks, then come the notifications.
    let word = Int(name.rawValue)
    switch verb {
    case .call where word > 0 && word <= LifecycleLetter.callbacks:
      rawValue = UInt8(truncatingIfNeeded: word)
    case .notify where word > LifecycleLetter.callbacks && word <= LifecycleLetter.names:
      rawValue = UInt8(truncatingIfNeeded: word)
    case .return where name == LifecycleLetter.launchName: self = .launchReturn
    case .suspend: self = .suspend
    case .resume: self = .resume
    default: return nil
    }
  }

  private init(rawValue: UInt8) { self.rawValue = rawValue }

  /// All letters.
  static let all: [LifecycleLetter] = (1..<count).map { LifecycleLetter(rawValue: UInt8($0)) }

  /// The name of a callback or a notification.
  var name: Symbol {
    self == .launchReturn
      ? LifecycleLetter.launchName
      : Int(rawValue) <= LifecycleLetter.names ? Symbol(rawValue: UInt32(rawValue)) : .none
  }

  /// The verb of such an event.
  var verb: Verb {
    switch self {
    case .launchReturn: .return
    case .suspend: .suspend
    case .resume: .resume
    default: Int(rawValue) <= LifecycleLetter.callbacks ? .call : .notify
    }
  }

  /// The hook that records such events.
  var hook: Hook {
    Callback(name)?.hook ?? LifecycleNotification(name)?.hook ?? .system
  }

  /// The name of the callback that it is, or that goes with its notification.
  var turn: Symbol { Callback.of(name)?.symbol ?? name }

  /// The letter as a set of itself.
  var bit: UInt64 { 1 << UInt64(rawValue) }

  /// Whether it is about one scene.
  var isOfScene: Bool { LifecycleLetter.ofScenes & bit != 0 }

  /// Whether a scene is gone with it.
  var disconnects: Bool { Turner.turn(name)?.turn == .disconnect }

  private static let ofScenes: UInt64 = all.reduce(0) { letters, letter in
    letter.hook == .sceneDelegate || letter.hook == .sceneNotifications
      ? letters | letter.bit : letters
  }
}
