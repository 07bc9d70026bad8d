/// Which app a line of a system process is about, as far as the line says.
///
///     [app<com.example.notes(UUID)>:412] …      [Notes:412] …      app<com.example.notes>
///     Bootstrapping com.example.notes with …
///     [(FBSceneManager):sceneID:com.example.notes-default] …
struct ConsoleMention: Hashable {
  /// The bundle identifier.
  var bundle: String?
  /// The name of the process.
  var process: String?
  /// The number of the process; never negative.
  var pid: Int32?
  /// The scene's identifier without `sceneID:`; its bundle is a prefix of it.
  var scene: String?

  private static let app = Array("app<".utf8)
  private static let application = Array("application<".utf8)
  private static let bootstrapping = Array("Bootstrapping ".utf8)
  private static let sceneID = Array("sceneID:".utf8)

  /// Reads the first mention in a message; `nil` when it mentions no app.
  init?(in message: ArraySlice<UInt8>) {
    let head = message.prefix(512)
    if let found = head.firstRange(of: Self.app) ?? head.firstRange(of: Self.application) {
      self.init(identity: message[found.upperBound...].prefix(512))
    } else if let found = head.firstRange(of: Self.sceneID) {
      self.init(scene: message[found.upperBound...].prefix(512))
    } else if let rest = message.dropping(prefix: Self.bootstrapping) {
      self.init(launched: rest)
    } else if message.first == UInt8(ascii: "["),
      let close = head.firstIndex(of: UInt8(ascii: "]"))
    {
      self.init(bracket: message[(message.startIndex + 1)..<close])
    } else {
      return nil
    }
  }

  /// Reads `com.example.notes(UUID)>:412`.
  private init?(identity: ArraySlice<UInt8>) {
    guard let close = identity.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let inside = identity[..<close].prefix { $0 != UInt8(ascii: "(") }
    guard Self.isIdentifier(inside) else { return nil }
    bundle = inside.text
    let rest = identity[(close + 1)...]
    guard rest.first == UInt8(ascii: ":") else { return }
    pid = Self.pid(rest.dropFirst().prefix { $0 >= 0x30 && $0 <= 0x39 })
  }

  /// Reads `com.example.notes with intent background`.
  private init?(launched rest: ArraySlice<UInt8>) {
    let word = rest.prefix(512).prefix { $0 > 0x20 }
    guard Self.isIdentifier(word), word.contains(UInt8(ascii: ".")) else { return nil }
    bundle = word.text
  }

  /// Reads a scene's identifier, up to what cannot belong to it.
  private init?(scene text: ArraySlice<UInt8>) {
    guard let identifier = ConsoleSceneName.identifier(at: text) else { return nil }
    scene = identifier
    bundle = ConsoleSceneName.bundle(of: identifier)
  }

  /// Reads `Notes:412`.
  private init?(bracket inside: ArraySlice<UInt8>) {
    guard Self.isProcess(inside), let colon = inside.lastIndex(of: UInt8(ascii: ":")) else {
      return nil
    }
    process = inside[..<colon].text
    pid = Self.pid(inside[(colon + 1)...])
  }

  /// Whether a bracket's inside has the form `Notes:412` or `app<…>:412`.
  static func isProcess(_ inside: ArraySlice<UInt8>) -> Bool {
    guard let colon = inside.lastIndex(of: UInt8(ascii: ":")), colon > inside.startIndex else {
      return false
    }
    let digits = inside[(colon + 1)...]
    return !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  /// Whether the bytes can be a bundle identifier.
  static func isIdentifier(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.count <= 255
      && bytes.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"):
          true
        default: $0 >= 0x80
        }
      }
  }

  private static func pid(_ digits: ArraySlice<UInt8>) -> Int32? {
    Int32(digits.text).flatMap { $0 > 0 ? $0 : nil }
  }
}
