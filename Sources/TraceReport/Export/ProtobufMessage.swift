/// A message of Protocol Buffers in its wire format, appended field by field.
///
/// It knows no schema: the caller says each field's number.
struct ProtobufMessage {
  private enum WireType: UInt64 { case varint, fixed64, bytes }

  /// What was appended.
  private(set) var bytes: [UInt8] = []

  /// Whether nothing was appended.
  var isEmpty: Bool { bytes.isEmpty }

  /// Forgets what was appended, and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends an unsigned integer, an enumeration or a truth value.
  mutating func number(_ field: Int, _ value: some BinaryInteger) {
    tag(field, .varint)
    varint(UInt64(truncatingIfNeeded: value))
  }

  /// Appends an integer of 64 bits in 8 bytes.
  mutating func fixed(_ field: Int, _ value: UInt64) {
    tag(field, .fixed64)
    bytes.append(littleEndian: value)
  }

  /// Appends a text.
  mutating func text(_ field: Int, _ text: String) {
    tag(field, .bytes)
    varint(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a message that is there already.
  mutating func message(_ field: Int, _ message: ProtobufMessage) {
    tag(field, .bytes)
    varint(UInt64(message.bytes.count))
    bytes.append(contentsOf: message.bytes)
  }

  /// Appends the message that `body` writes.
  ///
  /// Its length stands before it, in one byte as a rule; a longer message is moved by the bytes of its
  /// length.
  mutating func message(_ field: Int, _ body: (inout ProtobufMessage) -> Void) {
    tag(field, .bytes)
    let start = bytes.count
    bytes.append(0)
    body(&self)

    var length = UInt64(bytes.count - start - 1)
    var more: [UInt8] = []
    while length >= 0x80 {
      more.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    bytes[start] = UInt8(length)
    if !more.isEmpty { bytes.insert(contentsOf: more, at: start) }
  }

  private mutating func tag(_ field: Int, _ type: WireType) {
    varint(UInt64(field) << 3 | type.rawValue)
  }

  private mutating func varint(_ value: UInt64) { bytes.append(varint: value) }
}
