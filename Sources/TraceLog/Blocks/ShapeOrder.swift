import LifecycleModel

extension ShapeTable {
  /// More shapes than that stay in the order in which they came: to sort them would take longer than it
  /// is worth.
  private static let mostSorted = 4096
  /// So many shapes have numbers of one byte.
  private static let oneByte = 256

  /// Numbers the shapes anew, those that are alike side by side: then the columns of their table repeat.
  ///
  /// When there are too many for a byte, the most frequent ones have the small numbers.
  func sort(_ ids: UnsafeMutablePointer<UInt16>, rows: Int, _ words: inout BlockWords) {
    guard count > 1, count <= ShapeTable.mostSorted else { return }
    var order: [(rank: UInt64, shape: Int)] = []
    order.reserveCapacity(count)
    for shape in 0..<count {
      order.append((rank(examples[shape], layouts[shape], writers[shape], &words), shape))
    }

    if count > ShapeTable.oneByte {
      let isFrequent = frequent(ids, rows: rows)
      order.sort {
        (isFrequent[$0.shape] ? 0 : 1, $0.rank, $0.shape)
          < (isFrequent[$1.shape] ? 0 : 1, $1.rank, $1.shape)
      }
    } else {
      order.sort { ($0.rank, $0.shape) < ($1.rank, $1.shape) }
    }

    var places = [UInt16](repeating: 0, count: count)
    for (place, entry) in order.enumerated() { places[entry.shape] = UInt16(place) }
    move(to: places)
    for row in 0..<rows { ids[row] = places[Int(ids[row])] }
  }

  /// Verb, layout, writer, name and label, in one number.
  private func rank(
    _ event: Event, _ layout: UInt8, _ writer: UInt8, _ words: inout BlockWords
  ) -> UInt64 {
    let name = UInt64(words.number(of: event.name)) & 0xf_ffff
    let label = UInt64(words.number(of: event.label)) & 0xf_ffff
    return UInt64(event.verb.code) << 56 | UInt64(layout) << 48 | UInt64(writer) << 40 | name << 20
      | label
  }

  /// Whether each shape is one of the most frequent ones.
  private func frequent(_ ids: UnsafeMutablePointer<UInt16>, rows: Int) -> [Bool] {
    var counts = [Int](repeating: 0, count: count)
    for row in 0..<rows { counts[Int(ids[row])] &+= 1 }
    var isFrequent = [Bool](repeating: false, count: count)
    let order = (0..<count).sorted { (counts[$1], $0) < (counts[$0], $1) }
    for shape in order.prefix(ShapeTable.oneByte) { isFrequent[shape] = true }
    return isFrequent
  }
}
