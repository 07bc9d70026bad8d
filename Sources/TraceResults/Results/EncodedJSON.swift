import TraceText

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A value as JSON whose texts are inert, with the members of objects by the alphabet.
package enum EncodedJSON {
  /// The whole text, which ends with the end of a line: the same value gives the same bytes.
  package static func text(_ value: some Encodable, isOneLine: Bool = false) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
    let bytes = try encoder.encode(value)

    // Ends of lines are layout: those of the texts are escaped already.
    var text = ""
    text.reserveCapacity(bytes.count + 1024)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      text += InertText.line(String(decoding: line, as: UTF8.self)) + "\n"
    }
    return text
  }

  /// Whether the JSON of `first` comes before that of `second`: an order by all that they state.
  static func precedes<Value: Encodable>(_ first: Value, _ second: Value) -> Bool {
    let texts = [first, second].map { try? text($0, isOneLine: true) }
    return texts[0] ?? "" < texts[1] ?? ""
  }
}

/// The name of a member of an object.
private struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Encoder {
  /// Writes members of an object; those that are `nil` are left out.
  package func write(_ members: KeyValuePairs<String, (any Encodable)?>) throws {
    var object = container(keyedBy: MemberName.self)
    for case (let name, let value?) in members {
      try object.encode(value, forKey: MemberName(stringValue: name))
    }
  }
}

extension Collection {
  /// The same; `nil` where there is nothing in it.
  package var unlessEmpty: Self? { isEmpty ? nil : self }
}
