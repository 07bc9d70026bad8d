/// What a page may do, as a browser enforces it: its own script and style, by their hashes, and nothing
/// else.
///
/// No text of a log can run, even if it became markup: there is no other script that is allowed, none may
/// be made of text, and nothing is loaded.
enum PagePolicy {
  /// The SHA-256 of ``PageSource/script`` and of ``PageSource/style``, in base64.
  ///
  /// `PageCommandTests` compares them with what a page contains, and prints those to write here.
  private static let scriptHash = "bBbbvvYneFbpoqVbGLGIaUXzUK04q+tMtBwKlZFA8dc="
  private static let styleHash = "b7YA1Kpc39m7aw+n5UBj5Orm4vpr3PcQb/Ecg0EBQV4="

  /// The content of the meta element of a page with the script, or with the style alone.
  static func text(hasScript: Bool) -> String {
    let script = hasScript ? "script-src 'sha256-\(scriptHash)'; " : ""
    return "default-src 'none'; \(script)style-src 'sha256-\(styleHash)'; img-src data:; "
      + "base-uri 'none'; form-action 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'"
  }
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
