import LifecycleModel
import TraceText

/// Writes XML in the order of the calls, with two blanks of indentation.
struct XMLWriter {
  private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private var depth = 0

  /// An element with other elements in it.
  mutating func element(
    _ name: String, _ attributes: [(String, String)] = [], _ body: (inout XMLWriter) -> Void
  ) {
    text += indent + "<\(name)\(XMLWriter.text(attributes))>\n"
    depth += 1
    body(&self)
    depth -= 1
    text += indent + "</\(name)>\n"
  }

  /// An element with lines of text in it, or with nothing.
  mutating func element(
    _ name: String, _ attributes: [(String, String)] = [], lines: [String] = []
  ) {
    text += indent + "<\(name)\(XMLWriter.text(attributes))"
    if lines.isEmpty {
      text += "/>\n"
    } else {
      text += ">\(lines.map(InertText.xml).joined(separator: "\n"))</\(name)>\n"
    }
  }

  private var indent: String { String(repeating: " ", count: depth * 2) }

  private static func text(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0)=\"\(InertText.xml($1))\"" }.joined()
  }
}
