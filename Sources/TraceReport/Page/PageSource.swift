import CPage

/// The parts of a kind of page that are the same for every log, as `tools/page` makes them from the files in
/// `Sources/CPage`.
struct PageSource {
  /// The script, in one scope.
  let script: String
  /// The style.
  let style: String
  /// What a page may do, as a browser enforces it: its own script and style, by their hashes, and nothing
  /// else.
  ///
  /// No text of a log can run, even if it became markup: there is no other script that is allowed, none
  /// may be made of text, and nothing is loaded.
  let policy: String

  /// The page of one log.
  static let log = PageSource(page_script, page_script_hash, page_style, page_style_hash)
  /// The page about many logs.
  static let index = PageSource(index_script, index_script_hash, index_style, index_style_hash)
  /// The body of the page of one log, with names in braces where the parts of the log go.
  static let body = text(page_body)

  private init(
    _ script: page_text, _ scriptHash: page_text, _ style: page_text, _ styleHash: page_text
  ) {
    (self.script, self.style) = (Self.text(script), Self.text(style))
    policy =
      "default-src 'none'; script-src 'sha256-\(Self.text(scriptHash))'; "
      + "style-src 'sha256-\(Self.text(styleHash))'; img-src data:; base-uri 'none'; "
      + "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  }

  private static func text(_ text: page_text) -> String {
    String(decoding: UnsafeRawBufferPointer(start: text.start, count: text.length), as: UTF8.self)
  }
}
