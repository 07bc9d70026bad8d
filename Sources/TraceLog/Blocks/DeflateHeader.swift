/// What stands in front of a deflate block that has codes of its own: how long they are, packed with a
/// third code.
final class DeflateHeader {
  private let code = PrefixCode(size: 19)
  private var symbols: [Symbol] = []
  private var literalCount = 0
  private var distanceCount = 0
  private var lengthCount = 0

  /// A symbol of the third code, and the bits behind it.
  private struct Symbol {
    let symbol: Int
    var width: UInt64 = 0
    var below: UInt64 = 0
  }

  /// The order in which the third code's own lengths are written.
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  deinit { code.deallocate() }

  /// Packs the lengths of both codes; returns how many bits they take.
  func measure(_ literals: PrefixCode, _ distances: PrefixCode) -> Int {
    literalCount = max(257, literals.usedSize)
    distanceCount = max(1, distances.usedSize)
    symbols.removeAll(keepingCapacity: true)
    var lengths = [UInt8](repeating: 0, count: literalCount + distanceCount)
    for place in 0..<literalCount { lengths[place] = literals.lengths[place] }
    for place in 0..<distanceCount { lengths[literalCount + place] = distances.lengths[place] }
    pack(lengths)

    code.clear()
    for symbol in symbols { code.counts[symbol.symbol] += 1 }
    code.build(limit: 7)
    lengthCount = DeflateHeader.order.count
    while code.lengths[DeflateHeader.order[lengthCount - 1]] == 0 { lengthCount -= 1 }
    lengthCount = max(4, lengthCount)
    return 14 + 3 * lengthCount + code.bitCount + symbols.reduce(0) { $0 + Int($1.width) }
  }

  private func pack(_ lengths: [UInt8]) {
    var place = 0
    while place < lengths.count {
      let length = lengths[place]
      var run = 1
      while place + run < lengths.count, lengths[place + run] == length { run += 1 }
      place += run
      if length != 0 {
        symbols.append(Symbol(symbol: Int(length)))
        run -= 1
      }
      while run >= 3 { run -= repeated(length, run) }
      for _ in 0..<run { symbols.append(Symbol(symbol: Int(length))) }
    }
  }

  /// Repeats a length up to `run` times; returns how often.
  private func repeated(_ length: UInt8, _ run: Int) -> Int {
    let (symbol, width, least, most) =
      length != 0 ? (16, 2, 3, 6) : run <= 10 ? (17, 3, 3, 10) : (18, 7, 11, 138)
    let count = min(run, most)
    symbols.append(Symbol(symbol: symbol, width: UInt64(width), below: UInt64(count - least)))
    return count
  }

  /// Writes what ``measure(_:_:)`` has packed.
  func write(to writer: inout MantissaWriter) {
    writer.put(UInt64(literalCount - 257), 5)
    writer.put(UInt64(distanceCount - 1), 5)
    writer.put(UInt64(lengthCount - 4), 4)
    for symbol in DeflateHeader.order.prefix(lengthCount) {
      writer.put(UInt64(code.lengths[symbol]), 3)
    }

    for symbol in symbols {
      writer.put(UInt64(code.codes[symbol.symbol]), UInt64(code.lengths[symbol.symbol]))
      writer.put(symbol.below, symbol.width)
    }
  }

  // MARK: Blocks without a header

  /// How many bits a literal or a length takes in a block without codes of its own.
  private static func fixedLength(_ symbol: Int) -> UInt8 {
    switch symbol {
    case ..<144: 8
    case ..<256: 9
    case ..<280: 7
    default: 8
    }
  }

  /// How many bits all symbols take that were counted, in a block without codes of its own.
  static func fixedBits(_ literals: PrefixCode, _ distances: PrefixCode) -> Int {
    var bits = 0
    for symbol in 0..<literals.size {
      bits += Int(literals.counts[symbol]) * Int(fixedLength(symbol))
    }
    for symbol in 0..<distances.size { bits += 5 * Int(distances.counts[symbol]) }
    return bits
  }

  /// Gives both the codes of a block without codes of its own.
  static func makeFixed(_ literals: PrefixCode, _ distances: PrefixCode) {
    for symbol in 0..<literals.size { literals.lengths[symbol] = fixedLength(symbol) }
    distances.lengths.update(repeating: 5, count: distances.size)
    literals.assignCodes()
    distances.assignCodes()
  }
}
