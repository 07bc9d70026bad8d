import Testing

@testable import TraceReport
@testable import TraceResults

/// Tables as lines: what stands for NULL, for an empty text and for what programs would obey.
@Suite struct TableLinesTests {
  private func chunk() -> TableChunk {
    var chunk = TableChunk(.rules)
    let rows: [(rule: String?, reason: String?, checks: Int64?)] = [
      ("a", "=1", -7), ("b,c", "", nil), (nil, "say \"no\"", .max),
    ]
    for row in rows {
      chunk.columns[0].add("x.bin")
      chunk.columns[1].add(row.rule)
      for place in 2...3 { chunk.columns[place].add(Int64?.none) }
      chunk.columns[4].add(row.reason)
      chunk.columns[5].add(row.checks)
      chunk.endRow()
    }
    return chunk
  }

  private func text(_ writer: TableLines, _ chunks: TableChunk...) -> String {
    var writer = writer
    var bytes: [UInt8] = []
    for chunk in chunks { writer.add(chunk) { bytes += $0 } }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func csvTellsNothingFromAnEmptyText() {
    #expect(
      text(TableLines(.csv, .rules), chunk()) == """
        log,rule,severity,verdict,reason,checks\r
        x.bin,a,,,'=1,-7\r
        x.bin,"b,c",,,"",\r
        x.bin,,,,"say ""no\"\"\",9223372036854775807\r

        """)
  }

  @Test func ndjsonLeavesOutWhatIsNotThere() {
    #expect(
      text(TableLines(.ndjson, .rules), chunk()) == """
        {"log":"x.bin","rule":"a","reason":"=1","checks":-7}
        {"log":"x.bin","rule":"b,c","reason":""}
        {"log":"x.bin","reason":"say \\"no\\"","checks":9223372036854775807}

        """)
  }

  @Test func linesOfSeveralTablesNameTheirs() {
    let schema = [LogTable.gaps.columns[2]]
    var rows = TableChunk(.gaps, schema: schema)
    rows.columns[0].add(5)
    rows.endRow()
    rows.columns[0].add(Int64?.none)
    rows.endRow()
    let named = TableLines(.ndjson, .gaps, schema: schema, naming: true)
    #expect(text(named, rows) == "{\"table\":\"gaps\",\"ts\":5}\n{\"table\":\"gaps\"}\n")
    #expect(text(TableLines(.ndjson, .gaps, schema: schema), rows) == "{\"ts\":5}\n{}\n")
  }

  @Test func aRowOfOneEmptyCellIsNoEmptyLine() {
    let schema = [LogTable.gaps.columns[2]]
    var rows = TableChunk(.gaps, schema: schema)
    rows.columns[0].add(Int64?.none)
    rows.endRow()
    #expect(text(TableLines(.csv, .gaps, schema: schema), rows) == "ts\r\n\"\"\r\n")
  }

  @Test func truthIsAWord() {
    let schema = [LogTable.findings.columns[13]]
    var rows = TableChunk(.findings, schema: schema)
    for isSo in [true, false] {
      rows.columns[0].add(isSo ? 1 : 0)
      rows.endRow()
    }
    #expect(
      text(TableLines(.csv, .findings, schema: schema), rows) == "accepted\r\ntrue\r\nfalse\r\n")
  }

  /// JSON stays JSON, so that a database reads it; what a terminal obeys does not.
  @Test(arguments: [
    ("{\"a\":\"b\"}", "\"{\"\"a\"\":\"\"b\"\"}\""), ("{\u{1b}}", "\"\"\"{\\u001b}\"\"\""),
    ("{=1", "{=1"), ("=1", "'=1"), (" =1", "' =1"), ("\u{a0}\u{3000} +1", "'\u{a0}\u{3000} +1"),
    ("  @x", "'  @x"), (" -1", "' -1"), (" ＝1", "' ＝1"), ("'", "''"), (" 'a", " 'a"), ("-", "-"),
    ("  ", "  "),
    ("\t=1", "\"\"\"\\t=1\"\"\""), ("\r=1", "\"\"\"\\r=1\"\"\""), ("a =1", "a =1"),
  ])
  func cellsAreNoFormulasAndJSONStandsAsItIs(text: String, cell: String) {
    var bytes: [UInt8] = []
    CSVText.append(plain: text, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == cell)
  }
}
