import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// Files of tables, read back by Python.
@Suite struct TableFileTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// What other programs read otherwise than it was written; `nil`, and said, when they are not there.
  private func differences(_ form: TableForm, _ rows: TableRows) throws -> String? {
    try Data(rows.bytes(form)).write(to: URL(fileURLWithPath: scratch.path("table")))
    try scratch.file("expected.ndjson", rows.expected)
    let reader = CommandRun.root.appendingPathComponent("Tests/Support/read-tables").path
    let run = try CommandRun(
      program: ["python3", reader, form.rawValue, "table", "expected.ndjson"], in: scratch.url)
    if run.status == 127 {
      print("skipped: \(run.errors)")
      return nil
    }
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  private func expectReadBack(_ rows: TableRows) throws {
    for form in TableForm.allCases {
      let differences = try differences(form, rows) ?? "\n"
      #expect(differences == "\n", "\(form)")
    }
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(6, all: 200))
  func anyRowsAreReadBackEqual(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let table = LogTable.allCases[Int(seed) % LogTable.allCases.count]
    var rows = TableRows(table)
    for count in [1, Int.random(in: 0...300, using: &random), 0, 129] {
      rows.addChunk(count: count, &random)
    }
    try expectReadBack(rows)
  }

  @Test func aTableWithoutRowsHasItsColumns() throws {
    for table in LogTable.allCases { try expectReadBack(TableRows(table)) }
  }

  @Test func oneRowIsReadBackEqual() throws {
    var random = SeededGenerator(seed: 7)
    for table in [LogTable.logs, .processes, .durations] {
      var rows = TableRows(table)
      rows.addChunk(count: 1, &random)
      try expectReadBack(rows)
    }
  }

  /// Differences between the extremes wrap around, and need 64 bits.
  @Test func extremesAreReadBackEqual() throws {
    var rows = TableRows(.durations)
    let extremes: [Int64] = [.min, .max, 0, -1, .max, .min, .min, 1, .max - 1]
    rows.addChunk { row in
      guard row < 200 else { return nil }
      return [
        .text("a.bin"), .integer(extremes[row % extremes.count]), .null, .text(""),
        .text("\u{0}ä😀"), .integer(Int64(row) << 40), .integer(row % 2 == 0 ? .min : .max),
      ]
    }
    try expectReadBack(rows)
  }

  /// Whether texts repeat decides how they are written; each way is read.
  @Test(arguments: [1, 2, 255, 256, 257, 499, 500, 501, 1000])
  func anyNumberOfDistinctTextsIsReadBackEqual(distinct: Int) throws {
    var rows = TableRows(.witnesses)
    rows.addChunk { row in
      guard row < 1000 else { return nil }
      let text = TableRows.Value.text("text \(row * 7919 % distinct)")
      return [text, .integer(1), row % 3 == 0 ? text : .null, .null, text, .null]
    }
    try expectReadBack(rows)
  }

  @Test(.tags(.nightly)) func moreRowsThanAChunkHasAreReadBackEqual() throws {
    var rows = TableRows(.witnesses)
    for count in [100_000, 70_000] {
      rows.addChunk { row in
        guard row < count else { return nil }
        return [
          .text("a.bin"), .integer(Int64(row / 3)), .text(row % 5 == 0 ? "culprit" : "opens"),
          row % 7 == 0 ? .null : .integer(Int64(row * row % 1009)), .text("event \(row % 70_000)"),
          .null,
        ]
      }
    }
    for form in Nightly.count(1, all: 2) == 1 ? [TableForm.ndjson] : TableForm.allCases {
      #expect(try differences(form, rows) ?? "\n" == "\n", "\(form)")
    }
  }
}

/// Rows of a table, as chunks and as what must be read of them.
struct TableRows {
  enum Value: Equatable {
    case integer(Int64)
    case text(String)
    case boolean(Bool)
    case null
  }

  private let table: LogTable
  private var chunks: [TableChunk] = []
  /// A line that names the columns, and a line a row; the script `read-tables` reads it.
  private(set) var expected: String

  init(_ table: LogTable) {
    self.table = table
    let columns = table.columns.map { "[\"\($0.name)\",\"\($0.kind)\"]" }
    expected = "[\(columns.joined(separator: ","))]\n"
  }

  /// The file.
  func bytes(_ form: TableForm) -> [UInt8] {
    var writer = TableLines(form, table)
    var bytes: [UInt8] = []
    for chunk in chunks { writer.add(chunk) { bytes += $0 } }
    return bytes + writer.takeBytes()
  }

  /// Adds a chunk of the rows that `row` makes until it makes none.
  mutating func addChunk(_ row: (Int) -> [Value]?) {
    var chunk = TableChunk(table)
    while let values = row(chunk.rowCount) {
      for (place, value) in values.enumerated() {
        switch value {
        case .integer(let number): chunk.columns[place].add(number)
        case .text(let text): chunk.columns[place].add(text)
        case .boolean(let isSo): chunk.columns[place].add(isSo ? 1 : 0)
        case .null: chunk.columns[place].add(Int64?.none)
        }
      }
      chunk.endRow()
      let cells = values.map(json)
      expected += "[\(cells.joined(separator: ","))]\n"
    }
    chunks.append(chunk)
  }

  private func json(_ value: Value) -> String {
    switch value {
    case .integer(let number): "\(number)"
    case .text(let text): JSONText.quoted(text)
    case .boolean(let isSo): "\(isSo)"
    case .null: "null"
    }
  }

  // MARK: Random rows

  private static let words = [
    "", " ", "a", "=1+1", "'", "-", "-1", "@a", "\t", "\r\n", "a,b", "\"", "\\", "{}",
    "{\"a\":\"b,c\"}",
    "{\u{1b}}", "\u{1b}[31m", "ä", "日本", "e\u{301}", "👩‍👩‍👧", "\u{202e}x", "##[x]", "\u{0}",
    "\u{7f}\u{85}",
    "null", "NULL", "true", String(repeating: "long ", count: 40),
  ]

  /// Adds a chunk of random rows: each column is full, empty, or has gaps, and repeats itself or not.
  mutating func addChunk(count: Int, _ random: inout SeededGenerator) {
    let nulls = table.columns.map { _ in [0, 0, 1, 2, 5].randomElement(using: &random) ?? 0 }
    let spread = table.columns.map { _ in Int64.max >> Int64.random(in: 0...62, using: &random) }
    var rows = (0..<count).map { _ in
      table.columns.enumerated().map { place, column -> Value in
        if nulls[place] > 0 && random.oneIn(nulls[place]) { return .null }
        let number = Int64.random(in: -spread[place]...spread[place], using: &random)
        switch column.kind {
        case .integer: return .integer(number)
        case .boolean: return .boolean(number > 0)
        case .text:
          let words = TableRows.words
          let word = words[Int(number.magnitude % UInt64(words.count))]
          return .text(place % 2 == 0 ? word : word + "\(number)")
        }
      }
    }
    rows.reverse()
    addChunk { _ in rows.popLast() }
  }
}
