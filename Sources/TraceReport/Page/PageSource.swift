import CPage

/// The parts of a page that are the same for every log, as `tools/page` makes them from the files in
/// `Sources/CPage`.
enum PageSource {
  /// The script, in one scope.
  static let script = text(page_script)

  /// The style.
  static let style = text(page_style)

  /// The body, with names in braces where the parts of a log go.
  static let body = text(page_body)

  /// What a page may do, as a browser enforces it: its own script and style, by their hashes, and nothing
  /// else.
  ///
  /// No text of a log can run, even if it became markup: there is no other script that is allowed, none
  /// may be made of text, and nothing is loaded.
  static func policy(hasScript: Bool) -> String {
    let script = hasScript ? "script-src 'sha256-\(text(page_script_hash))'; " : ""
    return
      "default-src 'none'; \(script)style-src 'sha256-\(text(page_style_hash))'; img-src data:; "
      + "base-uri 'none'; form-action 'none'; "
      + "require-trusted-types-for 'script'; trusted-types 'none'"
  }

  private static func text(_ text: page_text) -> String {
    String(decoding: UnsafeRawBufferPointer(start: text.start, count: text.length), as: UTF8.self)
  }
}
