import Platform

/// What is known of objects as long as they live, by where they lie: later another one may lie there.
///
/// Any thread may ask. Whoever looks at an object holds it, may be the last one that does, and so runs what the
/// app does at its end: no lock is held meanwhile.
final class LivingObjects<Value: Sendable>: Sendable {
  private final class Weak: @unchecked Sendable {
    // Sound because it is written once, when it is made; the runtime's own writing is atomic.
    private weak var object: AnyObject?
    init(_ object: AnyObject) { self.object = object }
    var isAlive: Bool { object != nil }
  }

  private struct Entry: Sendable {
    let object: Weak
    var value: Value
  }

  private let entries = Lock<[UInt: Entry]>([:])
  /// So many objects have a place here, some of which may be gone.
  var count: Int { entries.withLock { $0.count } }

  /// Keeps a value for an object, and forgets those of objects that are gone.
  func keep(_ value: Value, for object: AnyObject) {
    let place = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    let entry = Entry(object: Weak(object), value: value)
    let all = entries.withLock { entries in
      entries[place] = entry
      return entries
    }

    let gone = all.filter { !$0.value.object.isAlive }
    entries.withLock { entries in
      for (place, entry) in gone where entries[place]?.object === entry.object {
        entries[place] = nil
      }
    }
  }

  /// The value of the object that lies at this place, after a change; `nil` for an unknown one.
  func value(at place: UInt, _ change: (inout Value) -> Void = { _ in }) -> Value? {
    guard let found = entries.withLock({ $0[place] }), found.object.isAlive else { return nil }
    return entries.withLock { entries in
      guard entries[place]?.object === found.object else { return nil }
      if var value = entries[place]?.value {
        change(&value)
        entries[place]?.value = value
      }
      return entries[place]?.value
    }
  }

  /// A value for which this holds.
  func first(where holds: (Value) -> Bool) -> Value? {
    entries.withLock { $0.values.first { holds($0.value) }?.value }
  }
}
