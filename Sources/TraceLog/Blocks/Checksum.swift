import CZlib

/// The CRC-32 of zlib.
package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  UInt32(0).continued(over: bytes)
}

/// The CRC-32 of zlib.
package func checksum(_ bytes: [UInt8]) -> UInt32 { bytes.withUnsafeBytes { checksum($0) } }

extension UInt32 {
  /// The CRC-32 of what this is the CRC of, followed by `bytes`.
  func continued(over bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard !bytes.isEmpty else { return self }
    return UInt32(
      truncatingIfNeeded: crc32(
        UInt(self), bytes.bindMemory(to: UInt8.self).baseAddress, UInt32(bytes.count)))
  }
}
