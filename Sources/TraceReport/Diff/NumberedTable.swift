/// Values of some small numbers, such as those of tokens, in the order in which the numbers came first.
struct NumberedTable<Value: Sendable>: Sendable {
  /// The numbers that came, with their values.
  private(set) var entries: [(number: Int32, value: Value)] = []
  /// Where the entry of a number stands, from 1; 0 where it has none.
  private var places: [Int32] = []

  /// Changes the value of a number, which is `first` where there is none.
  @inline(__always)
  mutating func update(
    _ number: Int32, from first: @autoclosure () -> Value, _ change: (inout Value) -> Void
  ) {
    let index = Int(number)
    if index >= places.count {
      places += repeatElement(0, count: max(16, index + 1 - places.count))
    }
    if places[index] == 0 {
      entries.append((number, first()))
      places[index] = Int32(entries.count)
    }
    change(&entries[Int(places[index]) - 1].value)
  }

  /// Forgets the values of all other numbers.
  mutating func keep(_ isKept: (Int32) -> Bool) {
    entries.removeAll { !isKept($0.number) }
    places = places.map { _ in 0 }
    for (place, entry) in entries.enumerated() { places[Int(entry.number)] = Int32(place + 1) }
  }
}
