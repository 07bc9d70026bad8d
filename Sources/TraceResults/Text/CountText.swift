import TraceAnalysis

/// Numbers with what they count, as a person reads them.
package enum CountText {
  /// `1 rule`, `3 rules`.
  package static func of(
    _ number: some BinaryInteger, _ noun: String, plural: String? = nil
  ) -> String {
    "\(number) " + (number == 1 ? noun : plural ?? noun + "s")
  }

  /// `and 3 more` behind what stands before it; empty where there are no more.
  package static func more(_ count: Int, behind before: String) -> String {
    count > 0 ? "\(before)and \(count) more" : ""
  }

  /// `1 note`, `2 errors`.
  package static func of(_ number: Int, _ severity: Severity) -> String {
    of(number, severity.word)
  }
}

extension Severity {
  /// Its name for a person: `note`, `error`.
  package var word: String { self == .info ? "note" : rawValue }
}

extension [String?] {
  /// What is known of these parts, with `separator` between them; `nil` where none is.
  package func joined(by separator: String) -> String? {
    let known = compactMap(\.self)
    return known.isEmpty ? nil : known.joined(separator: separator)
  }

  /// A text of these sections, with a blank line between two; what is `nil` is none.
  package var asSections: String { (joined(by: "\n\n") ?? "") + "\n" }
}

/// `text` at the right edge of a column of this width.
package func pad(left width: Int, with blank: String = " ", _ text: String) -> String {
  String(repeating: blank, count: max(0, width - text.count)) + text
}

/// `text` in a column of this width, with one blank behind it at the least.
package func pad(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(1, width - text.count))
}
