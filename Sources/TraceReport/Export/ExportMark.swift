import TraceText

/// What a viewer shows of a bar or an instant when it is chosen.
struct ExportDetail: Hashable {
  enum Value: Hashable {
    case text(String)
    case number(Int64)
  }

  let key: String
  let value: Value

  init(_ key: String, _ text: String) { (self.key, value) = (key, .text(ExportText.cut(text))) }
  init(_ key: String, _ number: Int64) { (self.key, value) = (key, .number(number)) }
  init(_ key: String, _ value: Value) { (self.key, self.value) = (key, value) }
}

/// A bar or an instant of a track.
struct ExportMark {
  var name = ""
  var category = ""
  var details: [ExportDetail] = []
  /// The numbers of the findings that it is evidence of: a viewer draws an arrow through those of one
  /// number.
  var flows: [UInt64] = []

  /// Adds a detail; one whose key is there already gets a number: attributes of a log have any key.
  mutating func add(_ detail: ExportDetail) {
    var key = detail.key
    var number = 1
    while details.contains(where: { $0.key == key }) {
      number += 1
      key = "\(detail.key) \(number)"
    }
    details.append(number == 1 ? detail : ExportDetail(key, detail.value))
  }
}

/// Texts of a log that may be of any length, as far as a viewer shows them.
enum ExportText {
  /// At most this many bytes of a text are shown.
  static let longest = 1000

  /// The text, or its beginning and `…`.
  static func cut(_ text: String) -> String {
    if text.utf8.count <= longest { return text }
    var length = 0
    let shown = text.unicodeScalars.prefix { scalar in
      length += UTF8.width(scalar)
      return length <= longest
    }
    return String(shown) + "…"
  }
}
