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
    var text = text
    guard let subject = text.withUTF8({ Subject($0) }) else { return nil }
    self = subject
  }

  /// Reads a subject from its bytes.
  package init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else {
      self = .none
      return
    }

    switch first {
    case UInt8(ascii: "a") where text.elementsEqual("app".utf8): self = .app
    case UInt8(ascii: "n") where text.elementsEqual("nil".utf8): self = .nil
    case UInt8(ascii: "s"):
      if let number = Subject.number(text, after: "scene:") {
        self = .scene(number)
      } else if let number = Subject.number(text, after: "session:") {
        self = .session(number)
      } else {
        return nil
      }
    case UInt8(ascii: "t"):
      guard let number = Subject.number(text, after: "task:") else { return nil }
      self = .task(number)
    default: return nil
    }
  }

  @inline(__always)
  private static func number(
    _ text: UnsafeBufferPointer<UInt8>, after prefix: StaticString
  ) -> UInt32? {
    let start = prefix.utf8CodeUnitCount
    guard text.count > start, text.count <= start + 19 else { return nil }
    for index in 0..<start where text[index] != prefix.utf8Start[index] { return nil }
    var number: UInt64 = 0
    for index in start..<text.count {
      let digit = text[index] &- 0x30
      guard digit <= 9 else { return nil }
      number = number * 10 + UInt64(digit)
    }
    return UInt32(exactly: number)
  }
}
