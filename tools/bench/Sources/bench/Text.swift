import CBench
import LifecycleModel
import TraceLog
import TraceText

/// Events as text, line by line, in both directions.
enum Text {
  /// Writes the events of a log as lines that `append` makes.
  static func write(
    _ log: String, to path: String,
    _ printer: (Vocabulary) -> (Event, inout [UInt8]) -> Void
  ) throws {
    var reader = try LogReader(path: log)
    let append = printer(reader.vocabulary)
    let sink = try FileLogSink(path: path, .replace)
    var (events, bytes): ([Event], [UInt8]) = ([], [])

    while try reader.read(into: &events) {
      for event in events { append(event, &bytes) }
      try bytes.withUnsafeBytes { try sink.write($0) }
      bytes.removeAll(keepingCapacity: true)
    }
    try sink.close()
  }

  /// Parses all lines of NDJSON; returns how many bytes there are.
  static func parseNDJSON(_ path: String) throws -> (Int, UInt64) {
    let vocabulary = Vocabulary()
    var parser = NDJSON.Parser(vocabulary: vocabulary)
    return try parse(path) { try parser.event(line: $0) }
  }

  /// The same with notation.
  static func parseNotation(_ path: String) throws -> (Int, UInt64) {
    let vocabulary = Vocabulary()
    return try parse(path) { try TraceNotation.parse(line: $0, in: vocabulary) }
  }

  private static func parse(
    _ path: String, _ event: (ArraySlice<UInt8>) throws -> Event?
  ) throws -> (Int, UInt64) {
    let text = Text.bytes(path)
    return try measured {
      var (sum, start): (Int64, Int) = (0, 0)
      while start < text.count {
        let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
        sum &+= try event(text[start..<end])?.instant.nanoseconds ?? 0
        start = end + 1
      }
      return sum == 0 ? 0 : text.count
    }
  }

  private static func bytes(_ path: String) -> [UInt8] {
    let descriptor = bench_open(path)
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
      while count < size {
        let part = read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
        if part <= 0 { break }
        count += part
      }
    }
  }
}
