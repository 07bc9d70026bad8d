// Primitive encodings: little-endian integers, varints, zigzag, text with its length in front.

/// Bytes that grow, for headers and small columns.
struct ByteSink {
  private(set) var bytes: [UInt8] = []

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func put<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  mutating func putVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Puts `text` with its length in front, cut to `limit` bytes.
  mutating func putText(_ text: String, limit: Int) {
    let kept = text.cut(to: limit)
    putVarint(UInt64(kept.utf8.count))
    put(kept.utf8)
  }
}

/// Reads what ``ByteSink`` wrote; throws ``BlockDamage`` instead of reading past the end.
///
/// The pointer is borrowed: a source lives no longer than the closure or the call that made it.
struct ByteSource {
  private(set) var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func take(_ count: Int) throws(BlockDamage) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw BlockDamage("the data ends too early") }
    let taken = UnsafeRawBufferPointer(rebasing: rest[..<count])
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    return taken
  }

  mutating func get<T: FixedWidthInteger>(_: T.Type) throws(BlockDamage) -> T {
    T(littleEndian: try take(MemoryLayout<T>.size).loadUnaligned(as: T.self))
  }

  @inline(__always)
  mutating func getVarint() throws(BlockDamage) -> UInt64 {
    if let first = rest.first, let base = rest.baseAddress, first < 0x80 {
      rest = UnsafeRawBufferPointer(start: base + 1, count: rest.count - 1)
      return UInt64(first)
    }
    return try getLongVarint()
  }

  private mutating func getLongVarint() throws(BlockDamage) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64 {
      let byte = try get(UInt8.self)
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw BlockDamage("a varint has more than ten bytes")
  }

  /// A varint that counts something of which there are at most `limit`.
  @inline(__always)
  mutating func getCount(limit: Int, _ what: StaticString) throws(BlockDamage) -> Int {
    let count = try getVarint()
    guard count <= UInt64(limit) else { throw BlockDamage(what) }
    return Int(count)
  }

  mutating func getText(limit: Int) throws(BlockDamage) -> String {
    let length = try getCount(limit: limit, "a text exceeds the limit")
    return String(decoding: try take(length), as: UTF8.self)
  }
}

@inline(__always)
func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: (value << 1) ^ (value >> 63))
}

@inline(__always)
func unzigzag(_ value: UInt64) -> Int64 {
  Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
}

/// Why a block cannot be decoded.
package struct BlockDamage: Error, Hashable, CustomStringConvertible {
  private let reason: String

  init(_ reason: StaticString) { self.reason = "\(reason)" }

  /// What is wrong, as the end of a sentence.
  package var description: String { reason }
}
