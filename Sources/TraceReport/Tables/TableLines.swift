import LifecycleModel
import TraceText

/// The forms of files of tables.
package enum TableForm: String, CaseIterable, Sendable {
  case csv, ndjson
}

/// Writes a table as text, a line a row: CSV or NDJSON; what is written is taken in pieces.
///
/// Memory: the lines of a chunk, and its distinct texts as they stand in lines.
package struct TableLines {
  /// What differs between the forms.
  private struct Form {
    /// What begins and ends a line.
    let opening, ending: [UInt8]
    /// What stands for a row's lack of a value.
    let null: [UInt8]?
    /// Appends a text as a value.
    let append: @Sendable (String, inout [UInt8]) -> Void
  }

  /// A column of a chunk, with its texts as they stand in lines, one after the other.
  ///
  /// A class: a copy for each value of a row takes a quarter of the time of all.
  private final class Cells {
    let kind: TableColumn.Kind
    let values: [Int64]
    let isValid: [Bool]
    /// What stands before each value.
    let key: [UInt8]
    let words: [UInt8]
    /// Where each text ends, behind a zero.
    let ends: [Int]

    init(_ column: TableChunk.Column, _ key: [UInt8], _ form: Form) {
      (kind, values, isValid) = (column.kind, column.values, column.isValid)
      self.key = key
      var (words, ends): ([UInt8], [Int]) = ([], [0])
      for text in column.texts {
        form.append(text, &words)
        ends.append(words.count)
      }
      (self.words, self.ends) = (words, ends)
    }
  }

  private let table: LogTable
  private let form: Form
  /// What stands before the values of each column.
  private let keys: [[UInt8]]
  private var bytes: [UInt8] = []

  /// Begins a file of a table with the columns of a schema, which are by default those of the table.
  ///
  /// CSV is that of RFC 4180, with a line that names the columns: a cell without a value is empty, and an
  /// empty text is `""`. NDJSON is an object a row, of the values that it has; with `naming`, the table's
  /// name is the first member of each, which distinguishes the lines of several tables.
  package init(
    _ form: TableForm, _ table: LogTable, schema: [TableColumn]? = nil, naming: Bool = false
  ) {
    self.table = table
    let names = (schema ?? table.columns).map(\.name)
    switch form {
    case .csv:
      keys = names.map { _ in [] }
      // A reader passes over an empty line, which a row of one empty cell would be.
      let null = names.count == 1 ? Array("\"\"".utf8) : []
      self.form = Form(opening: [], ending: Array("\r\n".utf8), null: null) {
        CSVText.append(plain: $0, to: &$1)
      }
      bytes += names.joined(separator: ",").utf8 + Array("\r\n".utf8)
    case .ndjson:
      keys = names.map { Array("\"\($0)\":".utf8) }
      let opening = naming ? "{\"table\":\"\(table)\"," : "{"
      self.form = Form(opening: Array(opening.utf8), ending: Array("}\n".utf8), null: nil) {
        JSONText.appendQuoted($0, to: &$1)
      }
    }
  }

  /// Takes what was written since the last call: whole lines.
  package mutating func takeBytes() -> [UInt8] {
    bytes.takeAll()
  }

  /// Writes the rows of a chunk of the table, which has values of the writer's columns, and calls `take` with
  /// what is written, a megabyte or so at a time.
  package mutating func add(
    _ chunk: TableChunk, handing take: ([UInt8]) throws -> Void
  ) rethrows {
    precondition(chunk.table == table, "a file has the rows of one table")
    let cells = zip(chunk.columns, keys).map { Cells($0, $1, form) }
    for row in 0..<chunk.rowCount {
      bytes += form.opening
      for index in cells.indices { add(row, of: cells[index]) }
      // Each value has a comma behind it.
      if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
      bytes += form.ending
      // Many rows may share a long text, which stands in each line.
      if bytes.count >= 1 << 20 { try take(takeBytes()) }
    }
    if !bytes.isEmpty { try take(takeBytes()) }
  }

  private mutating func add(_ row: Int, of cells: Cells) {
    guard cells.isValid[row] else {
      guard let null = form.null else { return }
      bytes += null
      return bytes.append(UInt8(ascii: ","))
    }

    bytes += cells.key
    let value = cells.values[row]
    switch cells.kind {
    case .integer: bytes.append(decimal: value)
    case .boolean: bytes += (value == 1 ? "true" : "false").utf8
    case .text: bytes += cells.words[cells.ends[Int(value)]..<cells.ends[Int(value) + 1]]
    }
    bytes.append(UInt8(ascii: ","))
  }
}
