import LifecycleModel

/// The keys of one list of attributes while it is read: few are looked through, and many looked up, so that
/// the cost grows with the length of the list.
struct ReadKeys {
  private static let looksThrough = 32

  private var known: Set<String> = []

  /// Whether `list` has a key already; it is appended next otherwise.
  mutating func isKnown(_ key: String, in list: [Attribute]) -> Bool {
    if list.count < ReadKeys.looksThrough { return list.contains { $0.key == key } }
    if known.count != list.count { known = Set(list.map(\.key)) }
    return !known.insert(key).inserted
  }
}
