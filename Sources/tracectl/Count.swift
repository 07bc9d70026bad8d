/// A number of things, in words: `1 event`, `2 events`.
enum Count {
  /// The number and the noun, of which the plural has an s more.
  static func of(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
