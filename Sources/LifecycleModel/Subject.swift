/// What an event is about: the app, a scene, a session, a background task, no object, or not known.
@frozen
public struct Subject: Hashable, Sendable {
  /// The kinds of subject; the raw values are those of the log's format.
  @frozen
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// Nothing is known of the subject.
    case none = 0
    /// The app itself.
    case app = 1
    /// A scene object, by number.
    case scene = 2
    /// A scene session, by number.
    case session = 3
    /// A background task, by number.
    case task = 4
    /// There is known to be no object: the notification had none.
    case `nil` = 5
  }

  /// The kind of the subject.
  public var kind: Kind

  /// The number of the scene, session or task; 0 for the other kinds.
  public var number: UInt32

  /// Makes a subject; `number` counts only for scenes, sessions and tasks.
  @inlinable
  public init(_ kind: Kind, _ number: UInt32 = 0) {
    self.kind = kind
    self.number = number
  }

  /// Nothing is known of the subject.
  @inlinable
  public static var none: Subject { Subject(.none) }

  /// The app itself.
  @inlinable
  public static var app: Subject { Subject(.app) }

  /// There is known to be no object.
  @inlinable
  public static var `nil`: Subject { Subject(.nil) }

  /// The scene object with this number.
  @inlinable
  public static func scene(_ number: UInt32) -> Subject { Subject(.scene, number) }

  /// The scene session with this number.
  @inlinable
  public static func session(_ number: UInt32) -> Subject { Subject(.session, number) }

  /// The background task with this number.
  @inlinable
  public static func task(_ number: UInt32) -> Subject { Subject(.task, number) }

  /// Whether the kind has a number.
  @inlinable
  public var isNumbered: Bool { kind == .scene || kind == .session || kind == .task }

  /// The subject as one word of 64 bits, for keys.
  @inlinable
  public var key: UInt64 { UInt64(kind.rawValue) << 32 | UInt64(number) }
}

extension Subject: CustomStringConvertible, LosslessStringConvertible {
  /// The subject as the notation writes it; empty when nothing is known.
  public var description: String {
    switch kind {
    case .none: ""
    case .app: "app"
    case .scene: "scene:\(number)"
    case .session: "session:\(number)"
    case .task: "task:\(number)"
    case .nil: "nil"
    }
  }

  /// Reads a subject as the notation writes it; `nil` when `text` is none.
  public init?(_ text: String) {
    switch text {
    case "": self = .none
    case "app": self = .app
    case "nil": self = .nil
    default:
      let parts = text.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[1].utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
        let number = UInt32(parts[1])
      else { return nil }
      switch parts[0] {
      case "scene": self = .scene(number)
      case "session": self = .session(number)
      case "task": self = .task(number)
      default: return nil
      }
    }
  }
}
