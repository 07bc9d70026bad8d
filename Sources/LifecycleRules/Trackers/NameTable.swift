import LifecycleModel

/// A value for each of some well-known names, found without hashing.
struct NameTable<Value: Sendable>: Sendable {
  private var values: [Value?]

  init(_ rows: [(name: Symbol, value: Value)]) {
    values = Array(repeating: nil, count: WellKnownWords.count)
    for row in rows { values[Int(row.name.rawValue)] = row.value }
  }

  subscript(_ name: Symbol) -> Value? {
    let index = Int(name.rawValue)
    return index < values.count ? values[index] : nil
  }
}
