import Testing
import TraceReport
import Traces

@testable import TraceQuery

/// The functions that queries have besides SQLite's.
@Suite struct FunctionTests {
  private let none = AskedTables(.events, [])

  @Test(
    arguments: [
      ("ms(1500000)", .real(1.5)), ("s(2500000000)", .real(2.5)), ("ms(null)", .null),
      ("human(1784000123)", "1.784s"), ("human(939800000)", "939.8ms"), ("human(0)", "0s"),
      ("human(1500000.4)", "1.5ms"), ("human(null)", .null), ("human(60e9)", "1min 0s"),
      ("human(59999000000)", "60s"), ("human(-8040000000000)", "-2h 14min"),
      ("overlap(0, 10, 5, 10)", 5), ("overlap(5, 10, 0, 10)", 5), ("overlap(0, 10, 2, 3)", 3),
      ("overlap(0, 5, 5, 5)", 0), ("overlap(0, 5, 9, 1)", 0), ("overlap(0, 5, null, 1)", .null),
      ("overlap(-9223372036854775807, 9223372036854775807, -5, 9223372036854775807)", 5),
      ("overlap(0, 9223372036854775807, 5, 9223372036854775807)", .integer(.max - 5)),
    ] as [(String, QueryValue)])
  func aFunctionHasItsValue(call: String, value: QueryValue) throws {
    #expect(try none.ask("select \(call)") == [[value]])
  }

  /// They are SQLite's own, but for what is too long.
  @Test(
    arguments: [
      ("printf('%d-%s', 7, 'a')", .text("7-a")), ("format('%5.1f|', 2.5)", "  2.5|"),
      ("printf(12)", "12"), ("printf('')", .null), ("printf(null, 1)", .null), ("printf()", .null),
      ("printf('%s', '')", ""), ("length(printf('%.*c', 60000000, 'x'))", 60_000_000),
    ] as [(String, QueryValue)])
  func printfIsThatOfSQLite(call: String, value: QueryValue) throws {
    #expect(try none.ask("select \(call)") == [[value]])
  }

  @Test(arguments: ["ms('x')", "human('x')", "overlap(0, 'x', 0, 1)", "human(1e300)", "p50('x')"])
  func whatIsNoNumberIsAnError(call: String) {
    #expect(throws: QueryError.self) { try none.ask("select \(call)") }
  }

  // MARK: Percentiles

  @Test(arguments: 0..<20) func aPercentileIsTheNearestRank(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...200, using: &random)
    let values = (0..<count).map { _ in Int64.random(in: -1_000...1_000, using: &random) }
    let tables = AskedTables(.events, values.map { ["ts": .integer($0)] } + [[:], [:]])
    let sorted = values.sorted()
    func rank(_ percent: Int) -> QueryValue {
      .integer(sorted[max(1, (percent * count + 99) / 100) - 1])
    }
    let percents = [0, 1, 50, 95, 99, 100]
    let calls = percents.map { "percentile(ts, \($0))" }.joined(separator: ", ")
    #expect(try tables.ask("select \(calls) from events") == [percents.map(rank)])
    #expect(
      try tables.ask("select p50(ts), p95(ts), p99(ts) from events") == [[50, 95, 99].map(rank)])
  }

  @Test func percentilesAreExactForLargeAndMixedNumbers() throws {
    let large = AskedTables(.events, [["ts": .integer(.max)], ["ts": .integer(.max - 1)]])
    #expect(
      try large.ask("select p50(ts), p99(ts) from events") == [
        [.integer(.max - 1), .integer(.max)]
      ])
    let mixed = "select 1 as x union all select 2.5 union all select 3 union all select null"
    #expect(try none.ask("select p50(x), p99(x) from (\(mixed))") == [[.real(2.5), .real(3)]])
  }

  @Test func nothingHasNoPercentile() throws {
    #expect(try none.ask("select p50(ts) from events") == [[.null]])
    #expect(try none.ask("select p50(null)") == [[.null]])
  }

  @Test func aPercentageIsOneNumberFrom0To100() {
    for call in [
      "percentile(1, 101)", "percentile(1, -1)", "percentile(1, null)", "percentile(1, 'x')",
    ] {
      #expect(throws: QueryError.self) { try none.ask("select \(call)") }
    }
    let changing = "select percentile(x, x) from (select 1 as x union all select 2)"
    #expect(throws: QueryError.self) { try none.ask(changing) }
  }
}
