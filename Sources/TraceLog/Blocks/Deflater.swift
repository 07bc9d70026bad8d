/// Writes raw deflate streams, one for each block.
///
/// It knows what a general one cannot: where columns end, so that each gets codes of its own, and
/// which of them are noise, where a search for repetitions would take time and find nothing.
package final class Deflater {
  private let literals = PrefixCode(size: Deflater.literalCount)
  private let distances = PrefixCode(size: Deflater.distanceCount)
  private let header = DeflateHeader()
  private let finder: MatchFinder
  private let tokens: UnsafeMutablePointer<MatchFinder.Token>
  /// Whether the finder knows the part that is written, and no other one.
  private var knowsPart = false

  /// The last two never occur, but have a place in the codes that are fixed.
  private static let literalCount = 288
  private static let distanceCount = 30
  private static let endOfBlock = 256
  /// A part that is longer is written as several deflate blocks.
  private static let chunk = 1 << 16
  /// A part with fewer bytes shares the codes of the one before: codes are not free.
  private static let short = 48

  /// So many bytes of what may be noise are searched, before the others are.
  private static let trial = 1 << 10

  /// Makes one that looks at more places, the higher the level, 1…9.
  package init(level: Int) {
    finder = MatchFinder(
      depth: [1, 2, 3, 4, 6, 8, 16, 32, 64][max(1, min(level, 9)) - 1], chunk: Deflater.chunk)
    tokens = .allocate(capacity: 2 * Deflater.chunk)
  }

  deinit {
    literals.deallocate()
    distances.deallocate()
    finder.deallocate()
    tokens.deallocate()
  }

  /// The most bytes that `count` bytes in `parts` parts can become.
  package func bound(_ count: Int, parts: Int) -> Int {
    // No byte takes more than nine bits.
    count + count / 8 + 8 * (parts + count / Deflater.chunk + 2)
  }

  /// Writes `parts` as one finished stream to `target`, which has room for ``bound(_:parts:)``; returns
  /// its length.
  ///
  /// Between two parts a deflate block ends, unless one of them is short. The parts `noise` repeat
  /// little, unless one byte is most of them.
  package func deflate(
    _ parts: [UnsafeRawBufferPointer], noise: Range<Int> = 0..<0,
    to target: UnsafeMutablePointer<UInt8>
  ) -> Int {
    var writer = MantissaWriter(target)
    var held = 0..<0
    var heldBytes = 0
    for (index, part) in parts.enumerated() {
      let bytes = part.bindMemory(to: UInt8.self)
      knowsPart = false
      for start in stride(from: 0, to: part.count, by: Deflater.chunk) {
        let range = start..<min(part.count, start + Deflater.chunk)
        if held.upperBound + range.count > 2 * Deflater.chunk {
          write(held, isLast: false, &writer)
          (held, heldBytes) = (0..<0, 0)
        }

        let end = held.upperBound
        let count = tokenize(bytes, range, searches: !noise.contains(index), to: tokens + end)
        if min(heldBytes, range.count) >= Deflater.short {
          write(held, isLast: false, &writer)
          (held, heldBytes) = (end..<end, 0)
        }
        held = held.lowerBound..<end + count
        heldBytes += range.count
      }
    }
    write(held, isLast: true, &writer)
    return writer.byteCount
  }

  /// Fills in the tokens for `range` of a part, and returns how many.
  private func tokenize(
    _ part: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, searches: Bool,
    to tokens: UnsafeMutablePointer<MatchFinder.Token>
  ) -> Int {
    literals.clear()
    var most: UInt32 = 0
    for place in range {
      let count = literals.counts[Int(part[place])] &+ 1
      literals.counts[Int(part[place])] = count
      most = max(most, count)
    }

    func takeLiterals() -> Int {
      for place in range { tokens[place &- range.lowerBound] = UInt32(part[place]) }
      return range.count
    }
    guard let bytes = part.baseAddress, searches || 2 * Int(most) > range.count else {
      return takeLiterals()
    }

    // The beginning of a part may have been noise.
    if !knowsPart { finder.begin() }
    knowsPart = true
    let start = range.lowerBound
    finder.weigh(UnsafeBufferPointer(rebasing: part[range]), literals.counts)
    let trial = min(Deflater.trial, range.count)
    let first = finder.tokenize(bytes, range.prefix(trial), from: start, to: tokens)
    guard searches || 4 * first < trial else { return takeLiterals() }
    return first
      + finder.tokenize(bytes, range.dropFirst(trial), from: start, to: tokens + first)
  }

  /// Writes tokens as one deflate block, with codes of its own where that is cheaper.
  private func write(_ range: Range<Int>, isLast: Bool, _ writer: inout MantissaWriter) {
    count(range)
    literals.build(limit: 15)
    distances.build(limit: 15)
    let own = header.measure(literals, distances) + literals.bitCount + distances.bitCount
    let isFixed = DeflateHeader.fixedBits(literals, distances) <= own
    writer.put(isLast ? 1 : 0, 1)
    writer.put(isFixed ? 1 : 2, 2)

    if isFixed {
      DeflateHeader.makeFixed(literals, distances)
    } else {
      header.write(to: &writer)
    }
    emit(range, &writer)
  }

  /// Counts the symbols of tokens.
  private func count(_ range: Range<Int>) {
    let (literals, distances) = (literals.counts, distances.counts)
    self.literals.clear()
    self.distances.clear()
    for place in range {
      let token = tokens[place]
      guard token & MatchFinder.matchMark != 0 else {
        literals[Int(token)] &+= 1
        continue
      }
      literals[LengthSymbol(token).symbol] &+= 1
      distances[DistanceSymbol(token).symbol] &+= 1
    }
    literals[Deflater.endOfBlock] = 1
  }

  private func emit(_ range: Range<Int>, _ shared: inout MantissaWriter) {
    var writer = shared
    let (codes, lengths) = (literals.codes, literals.lengths)
    for place in range {
      let token = tokens[place]
      guard token & MatchFinder.matchMark != 0 else {
        writer.put(UInt64(codes[Int(token)]), UInt64(lengths[Int(token)]))
        continue
      }

      let length = LengthSymbol(token)
      let distance = DistanceSymbol(token)
      writer.put(UInt64(codes[length.symbol]), UInt64(lengths[length.symbol]))
      writer.put(length.below, length.width)
      writer.put(
        UInt64(distances.codes[distance.symbol]), UInt64(distances.lengths[distance.symbol]))
      writer.put(distance.below, distance.width)
    }
    writer.put(UInt64(codes[Deflater.endOfBlock]), UInt64(lengths[Deflater.endOfBlock]))
    shared = writer
  }
}

/// The symbol of a match's length, and the bits below it.
private struct LengthSymbol {
  let symbol: Int
  let width: UInt64
  let below: UInt64

  @inline(__always)
  init(_ token: MatchFinder.Token) {
    let rest = Int(token >> MatchFinder.lengthShift & 0xff)
    if rest < 8 || rest == 255 {
      (symbol, width, below) = (rest == 255 ? 285 : 257 &+ rest, 0, 0)
    } else {
      let bits = 63 &- rest.leadingZeroBitCount
      symbol = 253 &+ 4 &* bits &+ (rest &>> (bits &- 2) & 3)
      width = UInt64(bits &- 2)
      below = UInt64(rest) & ((1 &<< width) &- 1)
    }
  }
}

/// The symbol of a match's distance, and the bits below it.
private struct DistanceSymbol {
  let symbol: Int
  let width: UInt64
  let below: UInt64

  @inline(__always)
  init(_ token: MatchFinder.Token) {
    let rest = Int(token & 0x7fff)
    if rest < 4 {
      (symbol, width, below) = (rest, 0, 0)
    } else {
      let bits = 63 &- rest.leadingZeroBitCount
      symbol = 2 &* bits &+ (rest &>> (bits &- 1) & 1)
      width = UInt64(bits &- 1)
      below = UInt64(rest) & ((1 &<< width) &- 1)
    }
  }
}
