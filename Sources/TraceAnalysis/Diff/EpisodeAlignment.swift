/// Two sequences side by side: as much as can be is in both, in order.
package struct EpisodeAlignment<Element: Equatable> {
  /// A step of the sequences, by the places in them.
  package enum Step: Equatable {
    /// It is in both.
    case both(Int, Int)
    /// It is in the first alone.
    case first(Int)
    /// It is in the second alone.
    case second(Int)
  }

  /// The steps in order; where both orders would do, what is in the first alone comes first.
  package private(set) var steps: [Step] = []

  /// Aligns two sequences.
  ///
  /// Cost: the product of their lengths, without what they begin and end with in common.
  package init(_ first: [Element], _ second: [Element]) {
    let head = zip(first, second).prefix { $0 == $1 }.count
    let rest = min(first.count, second.count) - head
    let tail = zip(first.reversed(), second.reversed()).prefix { $0 == $1 }.prefix(rest).count
    let (ends, others) = (first.count - tail, second.count - tail)

    steps = (0..<head).map { .both($0, $0) }
    align(first, head..<ends, second, head..<others)
    steps += (0..<tail).map { .both(ends + $0, others + $0) }
  }

  private mutating func align(
    _ first: [Element], _ rows: Range<Int>, _ second: [Element], _ columns: Range<Int>
  ) {
    let width = columns.count + 1
    var common = [Int32](repeating: 0, count: (rows.count + 1) * width)
    for row in rows.reversed() {
      for column in columns.reversed() {
        let place = (row - rows.lowerBound) * width + column - columns.lowerBound
        common[place] =
          first[row] == second[column]
          ? common[place + width + 1] + 1 : max(common[place + width], common[place + 1])
      }
    }

    var (row, column) = (rows.lowerBound, columns.lowerBound)
    while row < rows.upperBound || column < columns.upperBound {
      let place = (row - rows.lowerBound) * width + column - columns.lowerBound
      let canTakeBoth = row < rows.upperBound && column < columns.upperBound
      if canTakeBoth && first[row] == second[column] {
        steps.append(.both(row, column))
        (row, column) = (row + 1, column + 1)
      } else if column == columns.upperBound
        || canTakeBoth && common[place + width] >= common[place + 1]
      {
        steps.append(.first(row))
        row += 1
      } else {
        steps.append(.second(column))
        column += 1
      }
    }
  }
}
