extension String {
  /// The bytes of the text.
  var slice: ArraySlice<UInt8> { Array(utf8)[...] }

  /// The text without the blanks at its beginning.
  var trimmedStart: String { String(drop { $0 == " " || $0 == "\t" }) }

  /// The last key of a path whose keys `/` separates; empty without one.
  var lastKey: String { split(separator: "/").last.map(String.init) ?? "" }
}

extension ArraySlice<UInt8> {
  /// What stands behind the first `anchor`; `nil` where there is none.
  func after(_ anchor: String) -> ArraySlice<UInt8>? {
    firstRange(of: Array(anchor.utf8)).map { self[$0.upperBound...] }
  }

  /// The text without the blanks and controls at its end.
  var trimmedEnd: ArraySlice<UInt8> {
    var text = self
    while let last = text.last, last <= 0x20 { text = text.dropLast() }
    return text
  }
}
