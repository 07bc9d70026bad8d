/// A message of Protocol Buffers as its wire format says it: fields by number.
///
/// It shares nothing with the code that writes them.
struct ProtobufReader {
  /// A field: a number, or the bytes of a text or a message.
  enum Value: Equatable {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  /// The fields in their order; `nil` for bytes that are no message.
  let fields: [(field: Int, value: Value)]

  init?(_ bytes: some Sequence<UInt8>) {
    var rest = ArraySlice(Array(bytes))
    var fields: [(Int, Value)] = []
    while !rest.isEmpty {
      guard let tag = Self.varint(&rest), let value = Self.value(tag & 7, &rest) else { return nil }
      fields.append((Int(tag >> 3), value))
    }
    self.fields = fields
  }

  private static func value(_ type: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
    switch type {
    case 0: return varint(&rest).map { .number($0) }
    case 1:
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return .number(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case 2:
      guard let length = varint(&rest), length <= rest.count else { return nil }
      defer { rest = rest.dropFirst(Int(length)) }
      return .bytes(rest.prefix(Int(length)))
    default: return nil
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0 as UInt64, to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// The values of a field.
  func all(_ field: Int) -> [Value] { fields.filter { $0.field == field }.map(\.value) }

  func number(_ field: Int) -> UInt64? { numbers(field).last }

  func numbers(_ field: Int) -> [UInt64] {
    all(field).compactMap { if case .number(let number) = $0 { number } else { nil } }
  }

  func text(_ field: Int) -> String? {
    bytes(field).last.map { String(decoding: $0, as: UTF8.self) }
  }

  func messages(_ field: Int) -> [ProtobufReader] { bytes(field).compactMap { ProtobufReader($0) } }

  private func bytes(_ field: Int) -> [ArraySlice<UInt8>] {
    all(field).compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
  }
}
