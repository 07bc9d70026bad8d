import CZlib

/// The last member of a file of results: it tells when the file was cut or changed.
///
/// `check` says how many bytes stand before the comma in front of it, and their CRC-32. The article
/// `Baseline`, §4, has the form.
package enum ResultsSeal {
  private static let opening = Array(",\n  \"check\" : {".utf8)
  private static let closing = Array("\n}\n".utf8)

  /// Puts the check behind the last member of `object`, a JSON object that ends in `}` on a line.
  package static func sealed(_ object: [UInt8]) -> [UInt8] {
    let content =
      object.suffix(closing.count) == closing[...] ? object.dropLast(closing.count) : object[...]
    return content + check(of: content)
  }

  /// Whether a file has a check.
  static func isThere(_ bytes: [UInt8]) -> Bool { place(in: bytes) != nil }

  /// Whether the check of a file is that of its content, and nothing stands behind it.
  static func fits(_ bytes: [UInt8]) -> Bool {
    guard let place = place(in: bytes) else { return false }
    return bytes[place...].elementsEqual(check(of: bytes[..<place]))
  }

  private static func check(of content: ArraySlice<UInt8>) -> [UInt8] {
    let sum = content.withUnsafeBytes { bytes in
      crc32_z(0, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
    let digits = String(sum, radix: 16)
    let padded = String(repeating: "0", count: 8 - digits.count) + digits
    let body = "\"bytes\" : \(content.count), \"crc32\" : \"\(padded)\"}"
    return opening + Array(body.utf8) + closing
  }

  /// Where the check begins: its length is that of its digits.
  private static func place(in bytes: [UInt8]) -> Int? {
    let longest = check(of: []).count + String(Int.max).utf8.count
    let first = max(0, bytes.count - longest)
    return (first..<max(first, bytes.count - opening.count)).last { index in
      bytes[index...].starts(with: opening)
    }
  }
}
