import LifecycleModel

/// A table of few entries by a key of 64 bits: looked through while small, hashed when large.
@usableFromInline
package struct KeyedTable<Value> {
  // Open to inlining: rules of another module use it event by event.
  @usableFromInline static var indexThreshold: Int { 16 }

  @usableFromInline package var entries: [(key: UInt64, value: Value)] = []
  @usableFromInline var positions = KeyIndex()

  @inlinable
  package init() {}

  @inlinable package var isEmpty: Bool { entries.isEmpty }

  /// The position of a key's entry, valid until the next insertion or removal.
  @inlinable
  package func position(_ key: UInt64) -> Int? {
    if entries.count > Self.indexThreshold { return positions.position(key) }
    var index = 0
    while index < entries.count {
      if entries[index].key == key { return index }
      index += 1
    }
    return nil
  }

  @inlinable package subscript(_ key: UInt64) -> Value? {
    position(key).map { entries[$0].value }
  }

  @inlinable
  package mutating func update(_ key: UInt64, _ value: Value) {
    if let position = position(key) {
      entries[position].value = value
      return
    }
    entries.append((key, value))
    if entries.count == Self.indexThreshold + 1 {
      positions.removeAll()
      for (position, entry) in entries.enumerated() { positions.update(entry.key, position) }
    } else if entries.count > Self.indexThreshold {
      positions.update(key, entries.count - 1)
    }
  }

  @inlinable
  package mutating func modify(at position: Int, _ change: (inout Value) -> Void) {
    change(&entries[position].value)
  }

  /// Removes a key's entry; whether there was one.
  @inlinable @discardableResult
  package mutating func remove(_ key: UInt64) -> Bool {
    guard let position = position(key) else { return false }
    remove(at: position)
    return true
  }

  /// Removes a key's entry and returns its value.
  @inlinable
  package mutating func take(_ key: UInt64) -> Value? {
    guard let position = position(key) else { return nil }
    let value = entries[position].value
    remove(at: position)
    return value
  }

  /// Removes the entry at a position; the last one takes its place.
  @inlinable
  mutating func remove(at position: Int) {
    // Nearly always it is the only one.
    if entries.count == 1 { return entries.removeAll(keepingCapacity: true) }
    let key = entries[position].key
    entries.swapAt(position, entries.count - 1)
    entries.removeLast()
    if entries.count > Self.indexThreshold {
      positions.remove(key)
      if position < entries.count { positions.update(entries[position].key, position) }
    }
  }

  @inlinable
  package mutating func removeAll() {
    if entries.isEmpty { return }
    entries.removeAll(keepingCapacity: true)
    positions.removeAll()
  }
}

extension KeyedTable: Sendable where Value: Sendable {}
