import LifecycleModel

/// What began in a run and is open, in the order of its begin.
///
/// What is open is mostly closed soon: to find it costs some nanoseconds, and the logarithm of how many
/// are open where an app leaks a million of them.
struct OpenThings {
  /// Where the duration of something that is open is to be counted.
  enum Place {
    /// In the burst that goes on, whose kind is not known yet.
    case burst
    /// In the episodes of this kind.
    case kind(Int32)
    /// Nowhere: events are missing.
    case nowhere
  }

  /// Something that is open.
  struct Thing {
    /// The place of its begin in the trace.
    let ordinal: UInt64
    let token: Int32
    var place: Place
    fileprivate var isOpen = true
  }

  private var things: [Thing] = []
  private var closed = 0

  /// Adds what began behind all others.
  mutating func begin(_ token: Int32, at ordinal: UInt64, in place: Place) {
    things.append(Thing(ordinal: ordinal, token: token, place: place))
  }

  /// Takes out what began at a place of the trace; `nil` when it is not there.
  mutating func end(_ ordinal: UInt64) -> Thing? {
    guard let index = index(of: ordinal), things[index].isOpen else { return nil }
    let thing = things[index]
    things[index].isOpen = false
    closed += 1

    while let last = things.last, !last.isOpen {
      things.removeLast()
      closed -= 1
    }
    if closed > 32 && closed > things.count / 2 {
      things.removeAll { !$0.isOpen }
      closed = 0
    }
    return thing
  }

  private func index(of ordinal: UInt64) -> Int? {
    var high = things.count
    // What began last is closed first, mostly.
    while high > 0, high > things.count - 4 {
      if things[high - 1].ordinal == ordinal { return high - 1 }
      if things[high - 1].ordinal < ordinal { return nil }
      high -= 1
    }

    let index = things[..<high].partition { $0.ordinal >= ordinal }
    return index < things.count && things[index].ordinal == ordinal ? index : nil
  }

  /// Says where that counts what began in the burst that is over.
  mutating func settleBurst(in place: Place) {
    for index in things.indices.reversed() {
      guard case .burst = things[index].place else { return }
      things[index].place = place
    }
  }

  /// Forgets what began before a place of the trace.
  mutating func removeAll(before ordinal: UInt64) {
    things.removeAll { $0.ordinal < ordinal || !$0.isOpen }
    closed = 0
  }

  mutating func removeAll() {
    things.removeAll(keepingCapacity: true)
    closed = 0
  }
}
