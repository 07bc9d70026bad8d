import LifecycleModel

/// A set of numbers that mostly follow one another, held as ranges.
struct NumberSet {
  /// The most ranges that are held; what is beyond is taken to be in the set.
  static let maximumRanges = 1 << 16

  private var ranges: [ClosedRange<UInt32>] = []

  /// Whether the number is in the set.
  func contains(_ number: UInt32) -> Bool {
    if let last = ranges.last, number > last.upperBound { return false }
    let index = firstRange(endingAtOrAfter: number)
    return index < ranges.count && ranges[index].contains(number)
  }

  /// Puts a number into the set.
  mutating func insert(_ number: UInt32) {
    let index = firstRange(endingAtOrAfter: number)
    if index < ranges.count, ranges[index].contains(number) { return }
    ranges.insert(number...number, at: index)
    join(at: index)
    join(at: index - 1)
    // Filling the lowest hole keeps the promise that no number is given out twice.
    if ranges.count > Self.maximumRanges { join(at: 0, overHole: true) }
  }

  /// Makes one of a range and the next where no number lies between them, or although some do.
  private mutating func join(at index: Int, overHole: Bool = false) {
    guard index >= 0, index + 1 < ranges.count,
      overHole || ranges[index].upperBound + 1 == ranges[index + 1].lowerBound
    else { return }
    ranges[index] = ranges[index].lowerBound...ranges[index + 1].upperBound
    ranges.remove(at: index + 1)
  }

  /// A number that is not in the set: the one after the highest, or the first hole.
  var free: UInt32 {
    guard let last = ranges.last, last.upperBound == .max else {
      return (ranges.last?.upperBound ?? 0) + 1
    }
    // Ranges next to each other are one: the first hole is behind the first range, or before it.
    if ranges[0].lowerBound > 1 { return 1 }
    return ranges[0].upperBound == .max ? .max : ranges[0].upperBound + 1
  }

  private func firstRange(endingAtOrAfter number: UInt32) -> Int {
    ranges.partition { $0.upperBound >= number }
  }
}
