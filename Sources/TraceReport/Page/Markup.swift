import TraceText

/// HTML into which texts are put as text: nothing in them is markup.
///
/// ```swift
/// let item: Markup = "<li>\(finding.message)</li>"
/// ```
struct Markup: ExpressibleByStringInterpolation {
  /// The HTML.
  private(set) var html: String

  init(stringLiteral value: String) { html = value }

  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

  /// What is markup already, such as a style or packed data.
  init(verbatim html: String) { self.html = html }

  static func += (markup: inout Markup, more: Markup) { markup.html += more.html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { html += literal }

    mutating func appendInterpolation(_ text: String) { html += InertText.xml(text) }

    mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }

    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }

    /// Numbers and names that hold no text of a log.
    mutating func appendInterpolation(verbatim text: String) { html += text }

    /// What may be missing, and then is nothing.
    mutating func appendInterpolation(_ markup: Markup?) { html += markup?.html ?? "" }

    /// One behind the other.
    mutating func appendInterpolation(_ list: [Markup]) {
      for markup in list { html += markup.html }
    }
  }
}
