/// Chooses the time groups of a block's shapes, so that those whose times are alike share codes.
///
/// It begins with shapes in the order of their mean class, about as many rows in each group. Then every
/// shape goes where its own times cost the fewest bits.
final class TimeGroupChoice {
  /// A number for each group.
  private typealias Numbers = SIMD8<Int32>

  /// How often each class occurs in each group, the groups of a class side by side.
  private let counts: UnsafeMutablePointer<Int32>
  /// What each class costs in each group.
  private let classes: UnsafeMutablePointer<Numbers>
  /// What the times of each shape cost in each group.
  private let costs: UnsafeMutablePointer<Numbers>
  private let memory = OwnedMemory()

  private static let classCount = 256
  /// What a class costs, in sixteenths of a bit, where it does not occur yet, beyond the rarest there.
  private static let newClass: Int32 = 32

  init(rows: Int) {
    counts = memory.allocate(TimeGroupChoice.classCount * Numbers.scalarCount)
    classes = memory.allocate(TimeGroupChoice.classCount)
    costs = memory.allocate(rows)
  }

  /// Fills in the group of each shape; a small block has one, as codes are not free.
  func choose(
    _ groups: UnsafeMutablePointer<UInt8>, _ times: UnsafeMutablePointer<UInt8>,
    _ shapes: UnsafeMutablePointer<UInt16>, rows: Int, shapeCount: Int
  ) {
    groups.update(repeating: 0, count: shapeCount)
    guard rows >= LogFormat.minRowsForTimeGroups else { return }

    begin(groups, times, shapes, rows: rows, shapeCount: shapeCount)
    weigh(groups, times, shapes, rows: rows)
    costs.update(repeating: .zero, count: shapeCount)
    for row in 0..<rows { costs[Int(shapes[row])] &+= classes[Int(times[row])] }
    for shape in 0..<shapeCount { groups[shape] = cheapest(costs[shape]) }
  }

  /// Puts about as many rows into each group.
  private func begin(
    _ groups: UnsafeMutablePointer<UInt8>, _ times: UnsafeMutablePointer<UInt8>,
    _ shapes: UnsafeMutablePointer<UInt16>, rows: Int, shapeCount: Int
  ) {
    var sums = [Int](repeating: 0, count: shapeCount)
    var counts = [Int](repeating: 0, count: shapeCount)
    for row in 0..<rows {
      sums[Int(shapes[row])] &+= Int(times[row])
      counts[Int(shapes[row])] &+= 1
    }

    // In sixteenths of a class, so that whole numbers order the means.
    let means = (0..<shapeCount).map { 16 * sums[$0] / max(1, counts[$0]) }
    var before = 0
    for shape in (0..<shapeCount).sorted(by: { (means[$0], $0) < (means[$1], $1) }) {
      groups[shape] = UInt8(before * LogFormat.timeGroups / rows)
      before += counts[shape]
    }
  }

  /// Works out what each class costs in each group.
  private func weigh(
    _ groups: UnsafeMutablePointer<UInt8>, _ times: UnsafeMutablePointer<UInt8>,
    _ shapes: UnsafeMutablePointer<UInt16>, rows: Int
  ) {
    counts.update(repeating: 0, count: TimeGroupChoice.classCount * Numbers.scalarCount)
    for row in 0..<rows {
      let group = Int(groups[Int(shapes[row])])
      counts[Numbers.scalarCount &* Int(times[row]) &+ group] &+= 1
    }

    var totals = Numbers.zero
    for size in 0..<TimeGroupChoice.classCount { totals &+= occurrences(size) }
    // Nothing goes to a group that is empty.
    totals.replace(with: Numbers(repeating: .max), where: totals .== 0)
    let wholes = logarithms(totals)
    for size in 0..<TimeGroupChoice.classCount {
      let counts = occurrences(size)
      var costs = wholes &+ TimeGroupChoice.newClass
      if counts != .zero {
        let known = wholes &- logarithms(counts)
        costs.replace(with: known, where: counts .> 0)
      }
      classes[size] = costs
    }
  }

  private func occurrences(_ size: Int) -> Numbers {
    UnsafeRawPointer(counts + Numbers.scalarCount * size).loadUnaligned(as: Numbers.self)
  }

  private func logarithms(_ counts: Numbers) -> Numbers {
    var result = Numbers.zero
    for group in 0..<Numbers.scalarCount {
      result[group] = Int32(truncatingIfNeeded: sixteenthsOfBits(Int(counts[group])))
    }
    return result
  }

  private func cheapest(_ costs: Numbers) -> UInt8 {
    var best = 0
    for group in 1..<Numbers.scalarCount where costs[group] < costs[best] { best = group }
    return UInt8(best)
  }
}

/// Sixteen times the logarithm of a count to base two, or a little less; 0 for 0.
@inline(__always)
private func sixteenthsOfBits(_ count: Int) -> Int {
  guard count > 0 else { return 0 }
  let whole = count.bitWidth &- 1 &- count.leadingZeroBitCount
  return 16 &* whole &+ (((16 &* count) &>> whole) & 15)
}
