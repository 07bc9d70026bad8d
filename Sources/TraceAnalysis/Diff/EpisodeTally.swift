/// How often each of some numbers came, and where it came last.
///
/// Numbers are small, such as those of tokens. To count and to clear take no allocation once all have
/// come.
struct EpisodeTally {
  /// What is known of a number.
  struct Entry {
    /// How often it came.
    var count: Int64 = 0
    /// Where it came last.
    var place: UInt64 = 0
  }

  /// The numbers that came, in the order in which they came first.
  private(set) var came: [Int32] = []
  private var entries: [Entry] = []

  subscript(number: Int32) -> Entry {
    Int(number) < entries.count ? entries[Int(number)] : Entry()
  }

  mutating func add(_ number: Int32, _ count: Int64 = 1, at place: UInt64 = 0) {
    let index = Int(number)
    while index >= entries.count {
      entries += repeatElement(Entry(), count: max(16, index + 1 - entries.count))
    }
    if entries[index].count == 0 { came.append(number) }
    entries[index].count += count
    entries[index].place = place
  }

  mutating func add(_ other: EpisodeTally) {
    for number in other.came { add(number, other[number].count, at: other[number].place) }
  }

  mutating func clear() {
    for number in came { entries[Int(number)].count = 0 }
    came.removeAll(keepingCapacity: true)
  }
}
