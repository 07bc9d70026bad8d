/// A struct of Thrift in its compact protocol, appended field by field.
///
/// It knows no schema: the caller says each field's number, the numbers rising.
struct ThriftWriter {
  private enum Kind: UInt8 { case integer32 = 5, integer64, bytes = 8, list, structure = 12 }

  /// What was appended.
  private(set) var bytes: [UInt8] = []
  private var last = 0

  /// The struct that `body` writes.
  static func structure(_ body: (inout ThriftWriter) -> Void) -> [UInt8] {
    var writer = ThriftWriter()
    body(&writer)
    writer.bytes.append(0)
    return writer.bytes
  }

  /// Appends an integer of 32 bits or an enumeration.
  mutating func integer32(_ field: Int, _ value: Int) {
    begin(field, .integer32)
    bytes.append(zigzag: Int64(value))
  }

  /// Appends an integer of 64 bits.
  mutating func integer64(_ field: Int, _ value: Int) {
    begin(field, .integer64)
    bytes.append(zigzag: Int64(value))
  }

  /// Appends bytes, or a text in UTF-8.
  mutating func bytes(_ field: Int, _ value: some Collection<UInt8>) {
    begin(field, .bytes)
    append(value)
  }

  /// Appends the struct that `body` writes.
  mutating func structure(_ field: Int, _ body: (inout ThriftWriter) -> Void) {
    begin(field, .structure)
    bytes += ThriftWriter.structure(body)
  }

  /// Appends a list of structs, each as it was written already, one after the other.
  mutating func structures(_ field: Int, count: Int, _ structures: [UInt8]) {
    list(field, .structure, count)
    bytes += structures
  }

  /// Appends a list of integers of 32 bits.
  mutating func integers32(_ field: Int, _ values: [Int]) {
    list(field, .integer32, values.count)
    for value in values { bytes.append(zigzag: Int64(value)) }
  }

  /// Appends a list of one text.
  mutating func list(_ field: Int, of text: String) {
    list(field, .bytes, 1)
    append(text.utf8)
  }

  private mutating func append(_ value: some Collection<UInt8>) {
    bytes.append(varint: UInt64(value.count))
    bytes += value
  }

  private mutating func list(_ field: Int, _ kind: Kind, _ count: Int) {
    begin(field, .list)
    guard count >= 15 else { return bytes.append(UInt8(count) << 4 | kind.rawValue) }
    bytes.append(0xf0 | kind.rawValue)
    bytes.append(varint: UInt64(count))
  }

  /// Writes how much the field's number grows, and what it holds; all numbers of Parquet are below 15.
  private mutating func begin(_ field: Int, _ kind: Kind) {
    bytes.append(UInt8(field - last) << 4 | kind.rawValue)
    last = field
  }
}
