/// What a page may do, as a browser enforces it: its own script and style, by their hashes, and nothing
/// else.
///
/// No text of a log can run, even if it became markup: there is no other script that is allowed, none may
/// be made of text, and nothing is loaded.
enum PagePolicy {
  /// The content of the meta element.
  static func text(script: String?, style: String) -> String {
    let scripts = script.map { "script-src '\(hash($0))'; " } ?? ""
    return "default-src 'none'; \(scripts)style-src '\(hash(style))'; img-src data:; "
      + "base-uri 'none'; form-action 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'"
  }

  /// `sha256-` and the hash of a text, as policies name it.
  static func hash(_ text: String) -> String { "sha256-" + Base64.text(SHA256.hash(text.utf8)) }
}

/// Bytes as text.
enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes, three in four characters; what is missing at the end is `=`.
  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var group: UInt32 = 0
      for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0) }
      for index in 0..<4 {
        let digit = digits[Int(group >> UInt32(18 - 6 * index) & 0x3f)]
        text.append(index <= count ? digit : UInt8(ascii: "="))
      }
    }

    return String(decoding: text, as: UTF8.self)
  }
}
