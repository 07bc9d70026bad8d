import LifecycleModel
import TraceText

/// What `log` prints with `--style json` and `--style ndjson`, and `pymobiledevice3` as JSON.
///
/// An object may stand on a line, on several, or in an array, whose brackets say nothing.
struct JSONFraming: ConsoleFraming {
  let name = "log --style ndjson or json"

  /// The lines so far of an object that has not ended.
  private var begun: [UInt8] = []
  private var begunLine = 0
  /// What stands behind the object on its line.
  private var rest: ArraySlice<UInt8> = []
  private var number = 0

  mutating func read(_ line: ArraySlice<UInt8>, number: Int) -> FramedLine {
    self.number = number
    rest = []
    guard !begun.isEmpty else { return begin(line) }

    if line.first == "{" || line.starts(with: "[{") {
      // An object that begins before the last one has ended: the last one was cut off.
      begun = []
      rest = line
      return .broken
    }

    begun.append(0x0a)
    begun.append(contentsOf: line)
    let whole = begun[...]
    begun = []
    return object(at: whole)
  }

  mutating func more() -> FramedLine? {
    if rest.isEmpty { return nil }
    let line = rest
    rest = []
    if case .record(let record) = begin(line) { return .record(record) }
    return nil
  }

  mutating func finish() -> FramedLine? {
    if begun.isEmpty { return nil }
    begun = []
    return .broken
  }

  /// Reads a line that begins between two objects.
  private mutating func begin(_ line: ArraySlice<UInt8>) -> FramedLine {
    let start = line.drop { " \t,[]".utf8.contains($0) }
    guard let first = start.first else { return .nothing }
    guard first == "{" else { return LogToolText.isRemark(line) ? .nothing : .continuation }
    begunLine = number
    return object(at: start)
  }

  private mutating func object(at bytes: ArraySlice<UInt8>) -> FramedLine {
    var brackets = JSONBrackets()
    for index in bytes.indices {
      brackets.take(bytes[index])
      // No text goes on in the next line.
      if brackets.isText, bytes[index] == 0x0a { return .broken }
      if brackets.depth == 0 {
        rest = bytes[(index + 1)...]
        return LogObject.line(bytes[...index], number: begunLine)
      }
    }
    // The object may end on a later line.
    if brackets.isText || bytes.count > LineSplitter.maximumLength { return .broken }
    begun = Array(bytes)
    return .nothing
  }
}

/// Follows the brackets and the texts of JSON, byte by byte.
struct JSONBrackets {
  /// How many brackets are open.
  private(set) var depth = 0
  /// Whether the last byte stands in a text.
  private(set) var isText = false
  private var isEscaped = false

  mutating func take(_ byte: UInt8) {
    if isEscaped { return isEscaped = false }
    switch byte {
    case "\"": isText.toggle()
    case "\\": isEscaped = isText
    case "{", "[": if !isText { depth += 1 }
    case "}", "]": if !isText { depth -= 1 }
    default: break
    }
  }

  /// Ends a text that its line has not ended.
  mutating func endText() { (isText, isEscaped) = (false, false) }
}

/// The members of one object that the importer needs.
private struct LogObject {
  var message: ArraySlice<UInt8>?
  var eventType: String?
  var timestamp: ArraySlice<UInt8>?
  var process: String?
  var pid: Int32?

  static func line(_ bytes: ArraySlice<UInt8>, number: Int) -> FramedLine {
    let object = try? bytes.withUnsafeBufferPointer { bytes throws(SyntaxError) in
      var reader = JSONReader(bytes)
      return try LogObject(&reader)
    }
    guard let object else { return .broken }

    if object.eventType == "lossEvent" { return .broken }
    // The closing {"count":1,"finished":1} and activities are no messages.
    guard let message = object.message, object.eventType ?? "logEvent" == "logEvent" else {
      return .nothing
    }

    var scanner = LineScanner(object.timestamp ?? [])
    guard let stamp = scanner.takeDatedStamp(), let process = object.process else {
      return .broken
    }

    return .record(
      ConsoleRecord(
        line: number, stamp: stamp, process: process, pid: object.pid, message: message))
  }

  private init(_ reader: inout JSONReader) throws(SyntaxError) {
    try reader.beginObject()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      switch String(decoding: reader.bytes[key.range], as: UTF8.self) {
      case "eventMessage", "message": message = try Self.bytes(&reader)
      case "eventType": eventType = try Self.bytes(&reader)?.text
      case "timestamp": timestamp = try Self.bytes(&reader)
      case "processImagePath", "filename": process = try Self.lastComponent(&reader)
      case "processID", "pid": pid = try Self.number(&reader).flatMap { Int32(exactly: $0) }
      default: _ = try reader.value()
      }
    }
  }

  /// Takes a value, and returns its bytes when it is a string.
  private static func bytes(_ reader: inout JSONReader) throws(SyntaxError) -> ArraySlice<UInt8>? {
    guard reader.next == "\"" else {
      _ = try reader.value()
      return nil
    }
    return try reader.unescaped(try reader.string())[...]
  }

  private static func number(_ reader: inout JSONReader) throws(SyntaxError) -> Int64? {
    if let number = reader.integer() { return number }
    _ = try reader.value()
    return nil
  }

  private static func lastComponent(_ reader: inout JSONReader) throws(SyntaxError) -> String? {
    guard let path = try bytes(&reader) else { return nil }
    return (path.lastIndex(of: "/").map { path[($0 + 1)...] } ?? path).text
  }
}
