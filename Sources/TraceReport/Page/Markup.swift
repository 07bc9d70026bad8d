import TraceText

/// HTML, or XML, that takes texts as text: nothing in them is markup.
///
/// ```swift
/// let item: Markup = "<li>\(finding.message)</li>"
/// ```
struct Markup: ExpressibleByStringInterpolation {
  /// The HTML, or the XML.
  private(set) var html: String

  init(stringLiteral value: String) { html = value }

  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  /// What is markup already, such as a style or packed data.
  init(verbatim html: String) { self.html = html }

  /// A template with parts in place of their names, which stand in braces.
  init(_ template: String, _ parts: [String: Markup?]) {
    let pieces = template.split(separator: "{", omittingEmptySubsequences: false)
    html = String(pieces[0])
    for piece in pieces.dropFirst() {
      let name = piece.prefix { $0 != "}" }
      html += parts[String(name)].flatMap(\.self)?.html ?? ""
      html += piece.dropFirst(name.count + 1)
    }
  }

  static func += (markup: inout Markup, more: Markup) { markup.html += more.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { html += literal }

    mutating func appendInterpolation(_ text: String) { html += InertText.xml(text) }

    mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }

    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }

    /// Numbers and names, which contain no text of a log.
    mutating func appendInterpolation(verbatim text: String) { html += text }

    /// Nothing where it is `nil`.
    mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }

    /// One behind the other.
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }
}
