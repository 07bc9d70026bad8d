/// A key that is spread by a product, besides being hashed.
protocol RecentKey: Hashable, Sendable {
  /// Its bits; equal keys have equal ones, and others mostly other ones.
  var bits: UInt64 { get }
}

/// Numbers by key, of which those that were asked for lately are found without hashing.
///
/// Keys that were chosen so that they fall into one place are found as a dictionary finds them.
struct RecentNumbers<Key: RecentKey>: Sendable {
  private static var places: Int { 1024 }

  private(set) var all: [Key: Int32] = [:]
  private var recent: [(key: Key, number: Int32)?] = Array(repeating: nil, count: places)

  var count: Int { all.count }

  /// The number of a key; `nil` when it has none.
  mutating func number(of key: Key) -> Int32? {
    let place = Self.place(of: key)
    if let found = recent[place], found.key == key { return found.number }
    guard let number = all[key] else { return nil }
    recent[place] = (key, number)
    return number
  }

  mutating func set(_ key: Key, _ number: Int32) {
    all[key] = number
    recent[Self.place(of: key)] = (key, number)
  }

  mutating func removeAll() { self = Self() }

  private static func place(of key: Key) -> Int {
    Int(truncatingIfNeeded: (key.bits &* 0x9e37_79b9_7f4a_7c15) >> 54)
  }
}
