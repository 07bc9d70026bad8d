/// A set of numbers that mostly follow one another, held as ranges.
struct NumberSet {
  /// So many ranges are held; what is beyond is taken to be in the set.
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
    let joinsBefore = index > 0 && number > 0 && ranges[index - 1].upperBound == number - 1
    let joinsAfter =
      index < ranges.count && number < .max && ranges[index].lowerBound == number + 1

    switch (joinsBefore, joinsAfter) {
    case (true, true):
      ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
      ranges.remove(at: index)
    case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
    case (false, true): ranges[index] = number...ranges[index].upperBound
    case (false, false):
      ranges.insert(number...number, at: index)
      if ranges.count > Self.maximumRanges {
        // Filling the lowest hole keeps the promise that no number is given out twice.
        ranges[0] = ranges[0].lowerBound...ranges[1].upperBound
        ranges.remove(at: 1)
      }
    }
  }

  /// A number that is not in the set: the one after the highest, or the first hole.
  var free: UInt32 {
    guard let last = ranges.last, last.upperBound == .max else {
      return (ranges.last?.upperBound ?? 0) + 1
    }
    var candidate: UInt32 = 1
    for range in ranges where range.contains(candidate) {
      candidate = range.upperBound == .max ? .max : range.upperBound + 1
    }
    return candidate
  }

  private func firstRange(endingAtOrAfter number: UInt32) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
