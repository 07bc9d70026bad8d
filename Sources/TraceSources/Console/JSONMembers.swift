import LifecycleModel

/// The members of one JSON object, found without making values of them.
///
/// A record of `log` has thirty members of which the importer needs seven, so the line is scanned
/// once for where the members lie, and only what is asked for is decoded.
struct JSONMembers {
  private var members: [(key: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] = []

  /// Finds the members of the object that `line` holds; `nil` when it is cut off or no object.
  init?(_ line: ArraySlice<UInt8>) {
    members.reserveCapacity(32)
    var scanner = LineScanner(line)
    guard scanner.take(UInt8(ascii: "{")) else { return nil }
    scanner.skipBlanks()
    if scanner.take(UInt8(ascii: "}")) { return }
    while members.count < 256 {
      scanner.skipBlanks()
      guard let key = Self.takeString(&scanner) else { return nil }
      scanner.skipBlanks()
      guard scanner.take(UInt8(ascii: ":")) else { return nil }
      scanner.skipBlanks()
      guard let value = Self.takeValue(&scanner) else { return nil }
      members.append((key.dropFirst().dropLast(), value))
      scanner.skipBlanks()
      if scanner.take(UInt8(ascii: "}")) { return }
      guard scanner.take(UInt8(ascii: ",")) else { return nil }
    }
    return nil
  }

  /// The decoded string at `key`.
  func string(_ key: StaticString) -> ArraySlice<UInt8>? {
    guard let value = value(key), value.first == UInt8(ascii: "\"") else { return nil }
    let inside = value.dropFirst().dropLast()
    guard inside.contains(UInt8(ascii: "\\")) else { return inside }
    var scanner = LineScanner(value)
    return (try? JSONText.string(&scanner)).map { Array($0.utf8)[...] }
  }

  /// The whole number at `key`.
  func number(_ key: StaticString) -> Int64? {
    value(key).flatMap { Int64($0.text) }
  }

  private func value(_ key: StaticString) -> ArraySlice<UInt8>? {
    let length = key.utf8CodeUnitCount
    return key.withUTF8Buffer { key in
      members.first { $0.key.count == length && $0.key.elementsEqual(key) }?.value
    }
  }

  /// Takes a string with its quotation marks.
  private static func takeString(_ scanner: inout LineScanner) -> ArraySlice<UInt8>? {
    let start = scanner.index
    guard scanner.take(UInt8(ascii: "\"")) else { return nil }
    while let byte = scanner.next {
      scanner.index += 1
      if byte == UInt8(ascii: "\"") { return scanner.bytes[start..<scanner.index] }
      if byte == UInt8(ascii: "\\") { scanner.index += 1 }
    }
    return nil
  }

  /// Takes a value of any kind; brackets are counted and not matched, which is enough here.
  private static func takeValue(_ scanner: inout LineScanner) -> ArraySlice<UInt8>? {
    let start = scanner.index
    var depth = 0
    while let byte = scanner.next {
      switch byte {
      case UInt8(ascii: "\""):
        guard takeString(&scanner) != nil else { return nil }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return scanner.bytes[start..<scanner.index] }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return scanner.bytes[start..<scanner.index]
      default: break
      }
      scanner.index += 1
    }
    return nil
  }
}
