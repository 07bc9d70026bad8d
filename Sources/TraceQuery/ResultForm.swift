import LifecycleModel

/// The forms in which the rows of an answer are printed.
package enum ResultForm: String, CaseIterable, Sendable {
  /// Columns for people: numbers to the right, long texts cut to the terminal.
  case table
  case csv, json, ndjson, markdown
}

/// Prints the rows of one statement after another; what is printed is taken in pieces.
///
/// Memory: a row; of a table the first thousand, from which it has its widths.
package struct ResultPrinter {
  private let form: ResultForm
  private let isOnlyOne: Bool
  private var lines: any ResultLines
  private var bytes: [UInt8] = []
  private var isFirst = true

  /// Prints the answers of so many statements.
  ///
  /// A `table` is no wider than `width` characters, unless its numbers are; `nil` is any width.
  package init(_ form: ResultForm, statementCount: Int, width: Int? = nil) {
    self.form = form
    isOnlyOne = statementCount == 1
    lines =
      switch form {
      case .table: AlignedLines(width: width)
      case .csv: CSVLines()
      case .markdown: MarkdownLines()
      case .json: JSONLines(isArray: true)
      case .ndjson: JSONLines(isArray: false)
      }
    if form == .json && !isOnlyOne { bytes += "[\n".utf8 }
  }

  /// Whether what was printed takes more memory than some rows.
  package var isLong: Bool { bytes.count >= 1 << 16 }

  /// What was printed since the last call.
  package mutating func takeBytes() -> [UInt8] {
    bytes.takeAll()
  }

  /// Begins the rows of a statement.
  package mutating func begin(_ columns: [String]) {
    if !isFirst { bytes += (form == .json ? ",\n" : "\n").utf8 }
    isFirst = false
    lines.begin(columns, &bytes)
  }

  /// Prints a row.
  package mutating func add(_ row: [QueryValue]) { lines.add(row, &bytes) }

  /// Ends the rows of a statement.
  package mutating func end() {
    lines.end(&bytes)
    if form == .json && isOnlyOne { bytes += "\n".utf8 }
  }

  /// Ends all.
  package mutating func finish() {
    if form == .json && !isOnlyOne { bytes += "\n]\n".utf8 }
  }
}

/// How the rows of a statement become lines.
protocol ResultLines {
  mutating func begin(_ columns: [String], _ bytes: inout [UInt8])
  mutating func add(_ row: [QueryValue], _ bytes: inout [UInt8])
  mutating func end(_ bytes: inout [UInt8])
}

extension QueryValue {
  /// A number or a blob as programs read it; `nil` for NULL and for texts.
  var literal: String? {
    switch self {
    case .null, .text: nil
    case .integer(let number): String(number)
    case .real(let number): number.isFinite ? "\(number)" : number < 0 ? "-1e999" : "1e999"
    case .blob(let bytes): "x'\(bytes.map(QueryValue.digits).joined())'"
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// The same for people: of a part of a whole number three digits, of one below 1 six.
  var shortLiteral: String? {
    guard case .real(let number) = self, number.magnitude < 1e12 else { return literal }
    let scale = number.magnitude < 1 ? 1e6 : 1e3
    return "\((number * scale).rounded() / scale)"
  }

  /// Whether it stands to the right in a column.
  var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }
}
