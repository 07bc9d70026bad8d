import TraceReport
import TraceText

/// CSV by RFC 4180: NULL is an empty cell, an empty text is `""`.
struct CSVLines: ResultLines {
  mutating func begin(_ columns: [String], _ bytes: inout [UInt8]) {
    add(columns.map(QueryValue.text), &bytes)
  }

  mutating func add(_ row: [QueryValue], _ bytes: inout [UInt8]) {
    for (column, value) in row.enumerated() {
      if column > 0 { bytes.append(UInt8(ascii: ",")) }
      if case .text(let text) = value {
        CSVText.append(plain: text, to: &bytes)
      } else if let literal = value.literal {
        bytes += literal.utf8
      } else if row.count == 1 {
        // A reader passes over an empty line.
        bytes += "\"\"".utf8
      }
    }
    bytes += "\r\n".utf8
  }

  mutating func end(_ bytes: inout [UInt8]) {}
}

/// An object a row, a line each: on their own, or as the elements of an array.
struct JSONLines: ResultLines {
  private let isArray: Bool
  private var keys: [[UInt8]] = []
  private var isFirst = true

  init(isArray: Bool) { self.isArray = isArray }

  mutating func begin(_ columns: [String], _ bytes: inout [UInt8]) {
    if isArray { bytes += "[".utf8 }
    isFirst = true
    keys = JSONLines.different(columns).map { Array((JSONText.quoted($0) + ":").utf8) }
  }

  mutating func add(_ row: [QueryValue], _ bytes: inout [UInt8]) {
    if isArray { bytes += (isFirst ? "\n" : ",\n").utf8 }
    isFirst = false
    bytes.append(UInt8(ascii: "{"))
    for (column, value) in row.enumerated() {
      if column > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += keys[column]
      switch value {
      case .text(let text): JSONText.appendQuoted(text, to: &bytes)
      case .blob: JSONText.appendQuoted(value.literal ?? "", to: &bytes)
      default: bytes += (value.literal ?? "null").utf8
      }
    }
    bytes += (isArray ? "}" : "}\n").utf8
  }

  mutating func end(_ bytes: inout [UInt8]) {
    if isArray { bytes += (isFirst ? "]" : "\n]").utf8 }
  }

  /// The names of the columns; the second `log` is `log_2`.
  private static func different(_ columns: [String]) -> [String] {
    var taken = Set(columns)
    var seen: Set<String> = []
    return columns.map { column in
      if seen.insert(column).inserted { return column }
      let name = (2...).lazy.map { "\(column)_\($0)" }.first { !taken.contains($0) } ?? column
      taken.insert(name)
      return name
    }
  }
}

/// A table of Markdown.
struct MarkdownLines: ResultLines {
  mutating func begin(_ columns: [String], _ bytes: inout [UInt8]) {
    add(columns.map(QueryValue.text), &bytes)
    bytes += ("|" + String(repeating: "---|", count: columns.count) + "\n").utf8
  }

  mutating func add(_ row: [QueryValue], _ bytes: inout [UInt8]) {
    let cells = row.map { value in
      if case .text(let text) = value { return InertText.prose(text) }
      return value.shortLiteral ?? ""
    }
    bytes += "| \(cells.joined(separator: " | ")) |\n".utf8
  }

  mutating func end(_ bytes: inout [UInt8]) {}
}
