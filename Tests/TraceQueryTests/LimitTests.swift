import Testing
import TraceReport

@testable import TraceQuery

/// No query takes all of the machine.
@Suite struct LimitTests {
  private let none = AskedTables(.events, [])

  private func error(_ sql: String, _ limits: QueryLimits = QueryLimits()) -> String? {
    do {
      _ = try none.ask(sql, limits)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func anEndlessRecursionEnds() {
    var limits = QueryLimits()
    limits.time = 100_000_000
    let sql =
      "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r"
    #expect(
      error(sql, limits)
        == """
        the query is not done after 100ms; ask for less, or pass a longer --timeout, 0 for none
        """)
  }

  @Test func theTimeOfThoseWhoTakeRowsDoesNotCount() throws {
    var limits = QueryLimits()
    limits.time = 200_000_000
    let database = try LogDatabase(limits)
    let many =
      "with recursive r(n) as (select 1 union all select n + 1 from r where n < 20000) select n from r"
    let query = try database.prepare(many)
    let clock = ContinuousClock()
    var count = 0
    try database.run(query.statements[0]) { _ in
      count += 1
      if count > 20 { return }
      let end = clock.now + .milliseconds(20)
      while clock.now < end {}
    }
    #expect(count == 20_000)
  }

  @Test(arguments: [
    ("select length(zeroblob(1000000000))", "a text or blob of more than 64 MiB"),
    ("select randomblob(100000000)", "a text or blob of more than 64 MiB"),
    ("select hex(zeroblob(60000000))", "a text or blob of more than 64 MiB"),
    ("select length(printf('%.*c', 900000000, 'x'))", "a text or blob of more than 64 MiB"),
    ("select typeof(format('%*d', 900000000, 1))", "a text or blob of more than 64 MiB"),
  ])
  func largeValuesAreRefused(sql: String, message: String) throws {
    #expect(try #require(error(sql)).contains(message))
  }

  @Test func deepAndWideSQLIsRefused() throws {
    let deep =
      "select " + String(repeating: "(1+", count: 5_000) + "1"
      + String(repeating: ")", count: 5_000)
    let unions = Array(repeating: "select 1", count: 10_000).joined(separator: " union all ")
    let wide = "select " + Array(repeating: "1", count: 10_000).joined(separator: ",")
    let long = "select '" + String(repeating: "x", count: 2 << 20) + "'"
    let joins = "select 1 from events e0" + (1...100).map { " join events e\($0)" }.joined()
    for sql in [deep, unions, wide, long, joins] {
      let message = try #require(error(sql))
      #expect(message.hasPrefix("SQL:1:") && message.count < 500, "\(message)")
    }
  }

  @Test func tooManyRowsAreRefused() throws {
    var limits = QueryLimits()
    limits.rows = 2
    let row: AskedTables.Row = ["log": "a.bin"]
    let sql = "select count(*) from events"
    #expect(try AskedTables(.events, [row, row]).ask(sql, limits) == [[2]])
    #expect {
      try AskedTables(.events, [row, row, row]).ask(sql, limits)
    } throws: {
      "\($0)" == """
        the query reads more than 2 rows; choose a part with --from and --to, pass --no-limit, or \
        export the tables and ask DuckDB
        """
    }
  }

  @Test func joinsHaveIndexes() throws {
    let plan = try none.ask(
      "explain query plan select * from events e join spans s on s.log = e.log and s.name = e.name")
    #expect(plan.contains { "\($0)".contains("AUTOMATIC COVERING INDEX") })
  }
}
