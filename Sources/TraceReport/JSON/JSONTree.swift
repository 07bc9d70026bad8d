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

  /// A truth value.
  static func flag(_ value: Bool) -> JSONTree { .scalar("\(value)") }

  /// The same; absent where it is an array without elements.
  var unlessEmpty: JSONTree {
    if case .array(let elements) = self, elements.isEmpty { .absent } else { self }
  }

  /// The whole text, which ends with the end of a line.
  var document: String {
    var writer = JSONWriter()
    writer.value(nil, self)
    return writer.text
  }
}

extension JSONTree: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self = .text(text) }
}

extension JSONTree: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  init(arrayLiteral elements: JSONTree...) { self = .array(elements) }
  init(dictionaryLiteral members: (String, JSONTree)...) { self = .object(members) }
}

extension JSONWriter {
  /// Writes a value under `key`, or nothing where it is absent.
  mutating func value(_ key: String?, _ value: JSONTree) {
    switch value {
    case .absent: break
    case .scalar(let json): raw(key, json)
    case .array(let elements): array(key, elements) { $0.value(nil, $1) }
    case .object(let members):
      object(key) { writer in
        for (name, member) in members { writer.value(name, member) }
      }
    }
  }
}
