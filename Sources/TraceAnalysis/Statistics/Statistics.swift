import LifecycleModel

/// How long things took in one log or in many, as histograms that can be merged.
///
/// Memory is bounded: of more distinct keys than ``keyLimit`` those with the lowest rank keep a row of
/// their own, and the rest of each kind is counted as its others. A row is therefore either complete
/// or not there, and logs may be merged in any order and grouping: the result is the same.
public struct Statistics: Sendable {
  /// At most this many keys have rows, beside the others of each kind.
  public static let keyLimit = 512

  private let limit: Int
  private var slots: [Row] = []
  private var positions: [Key: Int] = [:]
  /// How many slots are not the others of a kind.
  private var ownRows = 0
  /// The slot of the highest rank, once there are as many keys as may be.
  private var worst: (rank: UInt64, slot: Int)?
  /// How often a slot was given to another key.
  private(set) var evictions = 0

  /// Makes statistics of nothing.
  public init() { self.init(limit: Statistics.keyLimit) }

  init(limit: Int) { self.limit = limit }

  /// The rows by kind, name and label; the others of a kind come after its own rows.
  public var rows: [Row] { slots.ordered { $0.key < $1.key } }

  /// The row of a key; `nil` when nothing is known of it, or it is among the others.
  public subscript(_ key: Key) -> Row? { positions[key].map { slots[$0] } }

  /// Takes in what other logs say.
  ///
  /// Associative and commutative. Cost: the rows of `other`.
  public mutating func merge(_ other: Statistics) {
    for row in other.slots { add(row) }
  }

  /// Counts a duration.
  ///
  /// Cost: a look-up of the key.
  package mutating func add(_ duration: Nanoseconds, of key: Key) {
    let slot = slot(of: key)
    slots[slot].durations.add(duration)
  }

  mutating func add(_ row: Row) {
    let slot = slot(of: row.key)
    slots[slot].merge(row)
  }

  /// The slot of a key, or of the others of its kind when it gets none; valid until the next call
  /// that raises ``evictions``.
  mutating func slot(of key: Key) -> Int {
    if let slot = positions[key] { return slot }
    if key.isOthers { return append(Row(key)) }
    if ownRows < limit {
      ownRows += 1
      return append(Row(key))
    }

    let worst = worst ?? findWorst()
    self.worst = worst
    guard worst.slot >= 0, Statistics.isKept(key, rather: slots[worst.slot].key, worst.rank) else {
      return slot(of: .others(key.kind))
    }

    var evicted = slots[worst.slot]
    positions[evicted.key] = nil
    positions[key] = worst.slot
    slots[worst.slot] = Row(key)
    self.worst = nil
    evictions += 1
    evicted.key = .others(evicted.key.kind)
    add(evicted)
    return worst.slot
  }

  /// Changes the row in a slot.
  @inline(__always)
  mutating func update(_ slot: Int, _ change: (inout Row) -> Void) { change(&slots[slot]) }

  private mutating func append(_ row: Row) -> Int {
    slots.append(row)
    positions[row.key] = slots.count - 1
    return slots.count - 1
  }

  private static func isKept(_ key: Key, rather other: Key, _ otherRank: UInt64) -> Bool {
    let rank = key.rank
    return rank == otherRank ? key < other : rank < otherRank
  }

  private func findWorst() -> (rank: UInt64, slot: Int) {
    var worst: (rank: UInt64, slot: Int) = (0, -1)
    for (slot, row) in slots.enumerated() where !row.key.isOthers {
      let rank = row.key.rank
      if worst.slot < 0 || rank > worst.rank
        || rank == worst.rank && slots[worst.slot].key < row.key
      {
        worst = (rank, slot)
      }
    }
    return worst
  }
}

extension Statistics: Equatable {
  /// Whether both say the same.
  public static func == (lhs: Statistics, rhs: Statistics) -> Bool { lhs.rows == rhs.rows }
}
