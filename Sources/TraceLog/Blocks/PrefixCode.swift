/// A prefix code over one alphabet of deflate: shorter codes for what is frequent.
///
/// Whoever counts writes ``counts`` and calls ``build(limit:)``. The memory belongs to the encoder that
/// made the code, and is used again for every block.
struct PrefixCode {
  let size: Int
  /// How often each symbol occurs.
  let counts: UnsafeMutablePointer<UInt32>
  /// How many bits each symbol's code has; 0 for a symbol that does not occur.
  let lengths: UnsafeMutablePointer<UInt8>
  /// The codes, their first bit lowest.
  let codes: UnsafeMutablePointer<UInt16>
  /// Count and symbol of what occurs, in one number to sort by.
  private let order: UnsafeMutablePointer<UInt32>
  private let depths: UnsafeMutablePointer<UInt32>

  /// No code of deflate is longer.
  private static let longest = 15
  /// The alphabets have 286 symbols at most; a block has fewer than 2^23 symbols.
  private static let symbolBits: UInt32 = 9

  init(size: Int) {
    self.size = size
    counts = .allocate(capacity: size)
    lengths = .allocate(capacity: size)
    codes = .allocate(capacity: size)
    order = .allocate(capacity: size)
    depths = .allocate(capacity: size)
    clear()
  }

  func deallocate() {
    counts.deallocate()
    lengths.deallocate()
    codes.deallocate()
    order.deallocate()
    depths.deallocate()
  }

  func clear() { counts.update(repeating: 0, count: size) }

  /// How many bits all symbols take that were counted.
  var bitCount: Int {
    var bits = 0
    for symbol in 0..<size { bits &+= Int(counts[symbol]) &* Int(lengths[symbol]) }
    return bits
  }

  /// How many symbols there are up to the last that has a code.
  var usedSize: Int {
    var used = size
    while used > 0, lengths[used - 1] == 0 { used -= 1 }
    return used
  }

  /// Makes the code that takes the fewest bits of those whose codes have at most `limit`, or nearly so.
  ///
  /// A code has two symbols at least: a reader may take one of a single symbol for damage.
  func build(limit: Int) {
    lengths.update(repeating: 0, count: size)
    let used = sortUsed()
    guard used > 1 else {
      let only = used == 0 ? 0 : Int(order[0] & (1 << PrefixCode.symbolBits - 1))
      lengths[only] = 1
      lengths[only == 0 ? 1 : 0] = 1
      return assignCodes()
    }

    measureDepths(used)
    var sizes = limited(used, to: limit)
    var length = limit
    for place in 0..<used {
      while sizes[length] == 0 { length -= 1 }
      sizes[length] -= 1
      lengths[Int(order[place] & (1 << PrefixCode.symbolBits - 1))] = UInt8(length)
    }
    assignCodes()
  }

  /// Puts what occurs in order, the rarest first; returns how many symbols do.
  private func sortUsed() -> Int {
    var used = 0
    for symbol in 0..<size where counts[symbol] > 0 {
      order[used] = counts[symbol] << PrefixCode.symbolBits | UInt32(symbol)
      used += 1
    }
    var found = UnsafeMutableBufferPointer(start: order, count: used)
    found.sort()
    return used
  }

  /// Fills in how deep each symbol lies in Huffman's tree, in the place of the counts: Moffat and
  /// Katajainen, "In-place calculation of minimum-redundancy codes".
  private func measureDepths(_ used: Int) {
    for place in 0..<used { depths[place] = order[place] >> PrefixCode.symbolBits }
    joinNodes(used)

    // From parents to depths of inner nodes, then to depths of leaves.
    depths[used - 2] = 0
    for node in stride(from: used - 3, through: 0, by: -1) {
      depths[node] = depths[Int(depths[node])] + 1
    }

    var (available, depth) = (1, UInt32(0))
    var (root, next) = (used - 2, used - 1)
    while available > 0 {
      var inner = 0
      while root >= 0, depths[root] == depth {
        inner += 1
        root -= 1
      }
      while available > inner {
        depths[next] = depth
        next -= 1
        available -= 1
      }
      available = 2 * inner
      depth += 1
    }
  }

  /// Joins the two rarest nodes until one is left; an inner node's place tells its parent then.
  private func joinNodes(_ used: Int) {
    var (leaf, root) = (0, 0)
    for next in 0..<used - 1 {
      var sum: UInt32 = 0
      for _ in 0..<2 {
        if leaf >= used || root < next && depths[root] < depths[leaf] {
          sum += depths[root]
          depths[root] = UInt32(next)
          root += 1
        } else {
          sum += depths[leaf]
          leaf += 1
        }
      }
      depths[next] = sum
    }
  }

  /// How many codes there are of each length when none exceeds `limit`.
  private func limited(_ used: Int, to limit: Int) -> [Int] {
    var sizes = [Int](repeating: 0, count: PrefixCode.longest + 2)
    var sum = 0
    for place in 0..<used {
      let length = min(limit, Int(depths[place]))
      sizes[length] += 1
      sum += 1 << (limit - length)
    }

    // Codes that were cut leave too little room: others become longer until all have some.
    while sum > 1 << limit {
      var length = limit - 1
      while sizes[length] == 0 { length -= 1 }
      sizes[limit] -= 1
      sizes[length] -= 1
      sizes[length + 1] += 2
      sum -= 1
    }
    return sizes
  }

  /// Gives symbols of one length successive codes, as deflate asks for.
  func assignCodes() {
    var next = [UInt16](repeating: 0, count: PrefixCode.longest + 2)
    for symbol in 0..<size { next[Int(lengths[symbol]) + 1] += 1 }
    next[1] = 0
    for length in 1...PrefixCode.longest {
      next[length + 1] = (next[length] + next[length + 1]) << 1
    }
    for symbol in 0..<size where lengths[symbol] > 0 {
      let length = Int(lengths[symbol])
      codes[symbol] = reversed(next[length], length)
      next[length] += 1
    }
  }

  private func reversed(_ code: UInt16, _ length: Int) -> UInt16 {
    var code = code
    var result: UInt16 = 0
    for _ in 0..<length {
      result = result << 1 | code & 1
      code >>= 1
    }
    return result
  }
}

/// Sixteen times the logarithm of a count to base two, or a little less; 0 for 0.
@inline(__always)
func sixteenthsOfBits(_ count: Int) -> Int {
  guard count > 0 else { return 0 }
  let whole = count.bitWidth &- 1 &- count.leadingZeroBitCount
  return 16 &* whole &+ (((16 &* count) &>> whole) & 15)
}
