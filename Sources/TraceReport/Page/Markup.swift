import TraceText

/// HTML, or XML, that takes texts as text: nothing in them is markup.
///
/// ```swift
/// let item: Markup = "<li>\(finding.message)</li>"
/// ```
struct Markup: ExpressibleByStringInterpolation {
  /// The HTML, or the XML.
  private(set) var text: String

  init(stringLiteral value: String) { text = value }

  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  /// What is markup already, such as a style or packed data.
  init(verbatim text: String) { self.text = text }

  /// A template with parts in place of their names, which stand in braces.
  init(_ template: String, _ parts: [String: Markup?]) {
    let pieces = template.split(separator: "{", omittingEmptySubsequences: false)
    text = String(pieces[0])
    for piece in pieces.dropFirst() {
      let name = piece.prefix { $0 != "}" }
      text += parts[String(name)].flatMap(\.self)?.text ?? ""
      text += piece.dropFirst(name.count + 1)
    }
  }

  /// A part under its summary, which a script folds.
  static func aside(_ summary: Markup, _ body: Markup) -> Markup {
    "<details class=\"aside\" open><summary>\(summary)</summary>\(body)</details>"
  }

  static func += (markup: inout Markup, more: Markup) { markup.text += more.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { text += literal }

    mutating func appendInterpolation(_ text: String) { self.text += InertText.xml(text) }

    mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

    mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

    /// Numbers and names, which contain no text of a log.
    mutating func appendInterpolation(verbatim text: String) { self.text += text }

    /// Nothing where it is `nil`.
    mutating func appendInterpolation(_ markup: Markup?) { text += markup?.text ?? "" }

    /// One behind the other.
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { text += markup.text }
    }
  }
}
