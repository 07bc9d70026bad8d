import TraceLog

/// A log taken apart: its header, and its blocks with their columns unpacked.
struct LogParts {
  /// A block's header, its columns, and its mantissas.
  struct Block {
    var header: [UInt8]
    var plain: [UInt8]
    var mantissas: [UInt8]
  }

  var head: [UInt8]
  var blocks: [Block] = []

  /// Takes apart what can be; `nil` where there is no whole block.
  init?(_ bytes: [UInt8]) {
    let length = LogParts.number(bytes, at: 12)
    guard bytes.starts(with: LogFormat.magic), (20...max(20, bytes.count)).contains(length),
      length <= bytes.count
    else { return nil }
    head = Array(bytes[..<length])

    var start = length
    while let (block, end) = LogParts.block(bytes, at: start) {
      blocks.append(block)
      start = end
    }
    if blocks.isEmpty { return nil }
  }

  private static func block(_ bytes: [UInt8], at start: Int) -> (Block, end: Int)? {
    guard start < bytes.count, bytes[start...].starts(with: LogFormat.marker) else { return nil }
    let columns = start + number(bytes, at: start + 8)
    let mantissas = columns + number(bytes, at: start + 72)
    let end = mantissas + number(bytes, at: start + 80)
    guard columns - start >= Block.shortest, end <= bytes.count,
      let plain = unpacked(Array(bytes[columns..<mantissas]), number(bytes, at: start + 76))
    else { return nil }

    let block = Block(
      header: Array(bytes[start..<columns]), plain: plain, mantissas: Array(bytes[mantissas..<end]))
    return (block, end)
  }

  private static func unpacked(_ deflated: [UInt8], _ length: Int) -> [UInt8]? {
    guard length <= LogFormat.maxPlainBytes, let inflater = try? Inflater() else { return nil }
    var plain = [UInt8](repeating: 0, count: length)
    let isWhole: Void? = try? deflated.withUnsafeBytes { source in
      try plain.withUnsafeMutableBytes { try inflater.inflate(source, to: $0) }
    }
    return isWhole.map { plain }
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> Int {
    guard place + 4 <= bytes.count else { return 0 }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  // MARK: Together again

  /// The log's bytes, with the lengths and checksums right; `chained` numbers and chains its blocks.
  func sealed(chained: Bool) -> [UInt8] {
    var head = head.filled(to: 20)
    head.put(LogFormat.magic, at: 0)
    head.put(UInt32(head.count), at: 12)
    head.seal()

    var log = head
    var last = head.suffix(4)
    for (index, block) in blocks.enumerated() {
      let (header, payload) = block.sealed(head.suffix(4), chained ? (UInt64(index), last) : nil)
      last = header.suffix(4)
      log += header + payload
    }
    return log
  }
}

extension LogParts.Block {
  static let shortest = LogFormat.blockHeaderFixedLength + LogFormat.checksumLength

  /// The block's header and its payload, in the log with this tag, and at this place if one is given.
  fileprivate func sealed(
    _ tag: ArraySlice<UInt8>, _ place: (number: UInt64, chain: ArraySlice<UInt8>)?
  ) -> (header: [UInt8], payload: [UInt8]) {
    let deflated = packed()
    var header = header.filled(to: Self.shortest)
    header.put(LogFormat.marker, at: 0)
    header.put(UInt32(header.count), at: 8)
    header.put(tag, at: 12)
    if let place {
      header.put(place.number, at: 16)
      header.put(place.chain, at: 24)
    }

    header.put(UInt32(deflated.count), at: 72)
    header.put(UInt32(plain.count), at: 76)
    header.put(UInt32(mantissas.count), at: 80)
    header.put(checksum(deflated + mantissas), at: 84)
    header.seal()
    return (header, deflated + mantissas)
  }

  private func packed() -> [UInt8] {
    guard let deflater = try? Deflater(level: 1) else { return [] }
    var deflated = [UInt8](repeating: 0, count: deflater.bound(plain.count, parts: 1))
    let count = plain.withUnsafeBytes { plain in
      deflated.withUnsafeMutableBufferPointer { target in
        target.baseAddress.map { deflater.deflate([plain], to: $0) } ?? 0
      }
    }
    return Array(deflated.prefix(count))
  }
}

extension [UInt8] {
  fileprivate func filled(to count: Int) -> [UInt8] {
    self + [UInt8](repeating: 0, count: Swift.max(0, count - self.count))
  }

  fileprivate mutating func put(_ bytes: some Collection<UInt8>, at place: Int) {
    replaceSubrange(place..<place + bytes.count, with: bytes)
  }

  fileprivate mutating func put(_ number: some FixedWidthInteger, at place: Int) {
    Swift.withUnsafeBytes(of: number.littleEndian) { put($0, at: place) }
  }

  /// Sets the checksum in the last four bytes.
  fileprivate mutating func seal() { put(checksum(Array(dropLast(4))), at: count - 4) }
}
