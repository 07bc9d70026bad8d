/// Finds what was there before in a part of a deflate stream, and says where repeating it is cheaper
/// than writing it again.
///
/// The columns of a block have small alphabets: a literal takes some five bits, so that short matches at
/// long distances, which any search finds, would cost more than what they replace. Each match is weighed
/// against the literals.
struct MatchFinder {
  /// A literal byte, or a match: its length less 3, and its distance less 1.
  typealias Token = UInt32
  static let matchMark: Token = 1 << 31
  static let lengthShift: Token = 16

  static let longestMatch = 258
  private static let shortestMatch = 4
  private static let window = 1 << 15
  private static let hashBits = 14
  /// A match of so many bytes is taken without a look at the next place.
  private static let goodLength = 24
  /// A match of so many bytes ends the search.
  private static let greatLength = 96
  /// Costs are in sixteenths of a bit.
  private static let costScale = 16
  /// About what the length of a match costs, and its distance without the bits below.
  private static let matchCost = 10 * costScale

  /// The last place of each hash, and the one before each place; less one.
  private let heads: UnsafeMutablePointer<Int32>
  private let links: UnsafeMutablePointer<Int32>
  /// What all bytes before a place of the range cost as literals.
  private let costs: UnsafeMutablePointer<Int32>
  /// How many places with the same hash are looked at.
  private let depth: Int

  private struct Match {
    var length = 0
    var distance = 0
    /// What it saves; only a positive one is worth its while.
    var gain = 0

    var token: Token {
      matchMark | Token(truncatingIfNeeded: length &- 3) << lengthShift
        | Token(truncatingIfNeeded: distance &- 1)
    }
  }

  /// Makes one for ranges of at most `chunk` bytes.
  init(depth: Int, chunk: Int) {
    self.depth = depth
    heads = .allocate(capacity: 1 << MatchFinder.hashBits)
    links = .allocate(capacity: MatchFinder.window)
    costs = .allocate(capacity: chunk + 1)
  }

  func deallocate() {
    heads.deallocate()
    links.deallocate()
    costs.deallocate()
  }

  /// Forgets what was there: another part begins.
  func begin() { heads.update(repeating: -1, count: 1 << MatchFinder.hashBits) }

  /// Takes in what each byte of a range costs as a literal, as often as `counts` says that it occurs.
  func weigh(_ bytes: UnsafeBufferPointer<UInt8>, _ counts: UnsafeMutablePointer<UInt32>) {
    let all = sixteenthsOfBits(bytes.count)
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { single in
      for byte in 0..<256 {
        let cost = all - sixteenthsOfBits(Int(counts[byte]))
        single[byte] = Int32(truncatingIfNeeded: max(2, cost))
      }

      var sum: Int32 = 0
      for place in 0..<bytes.count {
        costs[place] = sum
        sum &+= single[Int(bytes[place])]
      }
      costs[bytes.count] = sum
    }
  }

  /// Writes tokens for `range` of `bytes`, and returns how many; of the bytes before, those in the window
  /// can be repeated.
  ///
  /// What was weighed begins at `start`.
  func tokenize(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, from start: Int,
    to tokens: UnsafeMutablePointer<Token>
  ) -> Int {
    let end = range.upperBound
    // A hash takes four bytes.
    let hashedEnd = max(range.lowerBound, end - MatchFinder.shortestMatch + 1)
    var place = range.lowerBound
    var count = 0

    while place < hashedEnd {
      var match = find(bytes, place, from: start, end)
      var entered = place &+ 1
      // Another match may begin a byte later and save more.
      while match.gain > 0, match.length < MatchFinder.goodLength, place &+ 1 < hashedEnd {
        let next = find(bytes, place &+ 1, from: start, end)
        entered = place &+ 2
        guard next.gain > match.gain else { break }
        tokens[count] = Token(bytes[place])
        count &+= 1
        place &+= 1
        match = next
      }

      let isMatch = match.gain > 0
      tokens[count] = isMatch ? match.token : Token(bytes[place])
      count &+= 1
      place &+= isMatch ? match.length : 1
      while entered < min(place, hashedEnd) {
        _ = enter(bytes, entered)
        entered &+= 1
      }
    }

    while place < end {
      tokens[count] = Token(bytes[place])
      count &+= 1
      place &+= 1
    }
    return count
  }

  /// Enters a place under its hash; returns the last place before it with the same one, or -1.
  @inline(__always)
  private func enter(_ bytes: UnsafePointer<UInt8>, _ place: Int) -> Int {
    let word = UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt32.self)
    let hash = Int((word &* 0x9E37_79B1) &>> UInt32(32 - MatchFinder.hashBits))
    let last = heads[hash]
    heads[hash] = Int32(truncatingIfNeeded: place)
    links[place & (MatchFinder.window - 1)] = last
    return Int(last)
  }

  /// Enters a place, and finds what saves most there.
  private func find(
    _ bytes: UnsafePointer<UInt8>, _ place: Int, from start: Int, _ end: Int
  ) -> Match {
    var best = Match()
    var candidate = enter(bytes, place)
    let limit = min(MatchFinder.longestMatch, end &- place)
    let first = max(0, place &- MatchFinder.window &+ 1)
    var looks = depth

    while candidate >= first, looks > 0 {
      looks &-= 1
      let other = bytes + candidate
      if other[best.length] == bytes[place &+ best.length] {
        let length = MatchFinder.commonLength(other, bytes + place, limit)
        if length > best.length, length >= MatchFinder.shortestMatch {
          let distance = place &- candidate
          let gain = self.gain(place &- start, length, distance)
          if gain > best.gain { best = Match(length: length, distance: distance, gain: gain) }
          if length >= MatchFinder.greatLength || length == limit { break }
        }
      }
      candidate = Int(links[candidate & (MatchFinder.window - 1)])
    }
    return best
  }

  /// How many bytes are the same, at most `limit`.
  @inline(__always)
  private static func commonLength(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, _ limit: Int
  ) -> Int {
    var length = 0
    while length &+ 8 <= limit {
      let difference =
        UnsafeRawPointer(first + length).loadUnaligned(as: UInt64.self)
        ^ UnsafeRawPointer(second + length).loadUnaligned(as: UInt64.self)
      if difference != 0 {
        return length &+ UInt64(littleEndian: difference).trailingZeroBitCount &>> 3
      }
      length &+= 8
    }
    while length < limit, first[length] == second[length] { length &+= 1 }
    return length
  }

  /// What a match at a place of the range saves against literals.
  @inline(__always)
  private func gain(_ place: Int, _ length: Int, _ distance: Int) -> Int {
    let below = max(0, 62 &- distance.leadingZeroBitCount)
    return Int(costs[place &+ length] &- costs[place]) &- MatchFinder.matchCost
      &- MatchFinder.costScale &* below
  }
}
