import LifecycleModel
import TraceText

/// Writes JSON in the order of the calls, with two blanks of indentation or in one line.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  private let isOneLine: Bool
  private var depth = 0
  private var needsComma = false

  init(isOneLine: Bool = false) { self.isOneLine = isOneLine }

  /// What was written, and the end of the line.
  var text: String { String(decoding: bytes, as: UTF8.self) + "\n" }

  mutating func object(_ key: String? = nil, _ body: (inout JSONWriter) -> Void) {
    nest(key, "{", "}", body)
  }

  mutating func array<Element>(
    _ key: String?, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    if elements.isEmpty { return raw(key, "[]") }
    nest(key, "[", "]") { writer in
      for element in elements { body(&writer, element) }
    }
  }

  /// An array of objects.
  mutating func objects<Element>(
    _ key: String?, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void
  ) {
    array(key, elements) { writer, element in writer.object { body(&$0, element) } }
  }

  mutating func strings(_ key: String, _ texts: [String]) {
    array(key, texts) { $0.string(nil, $1) }
  }

  mutating func string(_ key: String?, _ text: String?) {
    if let text { raw(key, JSONText.quoted(text)) }
  }

  mutating func number(_ key: String, _ number: (some BinaryInteger)?) {
    if let number { raw(key, String(number)) }
  }

  /// A value that is JSON already.
  mutating func raw(_ key: String?, _ json: String) {
    begin(key)
    bytes.append(contentsOf: json.utf8)
    needsComma = true
  }

  private mutating func nest(
    _ key: String?, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void
  ) {
    begin(key)
    bytes.append(contentsOf: open.utf8)
    depth += 1
    needsComma = false
    body(&self)
    depth -= 1
    newLine()
    bytes.append(contentsOf: close.utf8)
    needsComma = true
  }

  private mutating func begin(_ key: String?) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if depth > 0 { newLine() }
    if let key {
      JSONText.appendQuoted(key, to: &bytes)
      bytes.append(contentsOf: (isOneLine ? ":" : ": ").utf8)
    }
  }

  private mutating func newLine() {
    if isOneLine { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }
}
