/// The identifiers that FrontBoard gives to scenes: `bundle-default` or `bundle-UUID`.
enum ConsoleSceneName {
  private static let prefix = Array("sceneID:".utf8)
  private static let encodedPrefix = Array("sceneID%3A".utf8)
  private static let uuidLength = 36

  /// The identifier that begins `text`, without any `sceneID:`; `nil` when there is none.
  static func identifier(at text: ArraySlice<UInt8>) -> String? {
    var rest = text.drop { $0 == " " }
    while let inner = rest.dropping(prefix: prefix) { rest = inner }
    let identifier = rest.prefix { $0 > 0x20 && !"])>,;\"(}".utf8.contains($0) }
    guard !identifier.isEmpty, identifier.count <= 255 else { return nil }
    return percentDecoded(identifier).text
  }

  /// The identifier somewhere in `text`, after `sceneID:` or its percent-encoded form.
  static func identifier(in text: ArraySlice<UInt8>) -> String? {
    guard let found = text.firstRange(of: prefix) ?? text.firstRange(of: encodedPrefix) else {
      return nil
    }
    return identifier(at: text[found.upperBound...])
  }

  /// The bundle identifier in a scene's: what stands before `-default` or `-UUID`.
  static func bundle(of identifier: String) -> String? {
    let suffix = identifier.utf8.suffix(uuidLength + 1)
    let dashes = suffix.enumerated().filter { $0.element == "-" }.map(\.offset)
    if dashes == [0, 9, 14, 19, 24] {
      return String(identifier.utf8.dropLast(uuidLength + 1))
    }
    return identifier.lastIndex(of: "-").map { String(identifier[..<$0]) }
  }

  /// Replaces `%3A` by the byte that it stands for; what is no such code stays as it is.
  static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard bytes.contains("%") else { return bytes }
    var (decoded, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes)
    while let byte = rest.popFirst() {
      let behind = byte == "%" ? rest.prefix(2) : []
      let digits = behind.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      let isCode = digits.count == 2
      decoded.append(isCode ? UInt8(digits[0] << 4 | digits[1]) : byte)
      if isCode { rest = rest.dropFirst(2) }
    }
    return decoded[...]
  }
}
