import LifecycleModel
import TraceText

/// A piece of JSON, written down as it is printed: the members of objects keep their order.
enum JSONTree {
  /// No value: a member that has it is left out.
  case absent
  /// A text, a number or a truth value, as JSON writes it.
  case scalar(String)
  case array([JSONTree])
  case object([(String, JSONTree)])

  /// A text; absent where it is `nil`.
  static func text(_ text: String?) -> JSONTree {
    text.map { .scalar(JSONText.quoted($0)) } ?? .absent
  }

  /// A number; absent where it is `nil`.
  static func number(_ number: (some BinaryInteger)?) -> JSONTree {
    number.map { .scalar(String($0)) } ?? .absent
  }

  /// Texts, in their order.
  static func texts(_ texts: [String]) -> JSONTree { .array(texts.map { .text($0) }) }

  /// Numbers, in their order.
  static func numbers(_ numbers: [some BinaryInteger]) -> JSONTree {
    .array(numbers.map { .number($0) })
  }

  /// A truth value.
  static func flag(_ value: Bool) -> JSONTree { .scalar("\(value)") }

  /// The same; absent where it is an array without elements.
  var unlessEmpty: JSONTree {
    if case .array(let elements) = self, elements.isEmpty { .absent } else { self }
  }

  /// The whole text with two blanks of indentation, which ends with the end of a line.
  var document: String {
    var bytes: [UInt8] = []
    append(to: &bytes, margin: "\n")
    return String(decoding: bytes, as: UTF8.self) + "\n"
  }

  /// The bytes of it in one line.
  var line: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes, margin: nil)
    return bytes
  }

  /// Appends it to `bytes`; `margin` is what begins a line beside it, `nil` where all is one line.
  private func append(to bytes: inout [UInt8], margin: String?) {
    let (members, brackets): ([(String?, JSONTree)], String)
    switch self {
    case .absent: return
    case .scalar(let json): return bytes.append(contentsOf: json.utf8)
    case .array(let elements) where elements.isEmpty: return bytes.append(contentsOf: "[]".utf8)
    case .array(let elements): (members, brackets) = (elements.map { (nil, $0) }, "[]")
    case .object(let named): (members, brackets) = (named.map { ($0, $1) }, "{}")
    }

    let inside = margin.map { $0 + "  " }
    bytes.append(contentsOf: brackets.utf8.prefix(1))
    var needsComma = false
    for (name, member) in members {
      if case .absent = member { continue }
      bytes.append(contentsOf: ((needsComma ? "," : "") + (inside ?? "")).utf8)
      needsComma = true
      if let name {
        JSONText.appendQuoted(name, to: &bytes)
        bytes.append(contentsOf: (inside == nil ? ":" : ": ").utf8)
      }
      member.append(to: &bytes, margin: inside)
    }
    bytes.append(contentsOf: (margin ?? "").utf8)
    bytes.append(contentsOf: brackets.utf8.suffix(1))
  }
}

extension JSONTree: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self = .text(text) }
}

extension JSONTree: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONTree)...) { self = .object(members) }
}
