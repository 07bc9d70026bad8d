import LifecycleModel

/// A value for each of some well-known names, found without hashing.
struct NameTable<Value: Sendable>: Sendable {
  private let values: [Value?]

  /// Makes a table.
  init(_ rows: [(name: Symbol, value: Value)]) {
    var values: [Value?] = Array(repeating: nil, count: WellKnownWords.count)
    for row in rows { values[Int(row.name.rawValue)] = row.value }
    self.values = values
  }

  /// The value of a name.
  subscript(_ name: Symbol) -> Value? {
    let index = Int(name.rawValue)
    return index < values.count ? values[index] : nil
  }
}
