import Testing

@testable import TraceQuery

/// A query reads logs, and does nothing else.
@Suite struct RefusalTests {
  private func error(_ sql: String) -> String? {
    do {
      _ = try LogDatabase().prepare(sql)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    "attach 'x.db' as x", "detach x", "pragma table_info(events)", "vacuum", "vacuum into 'x.db'",
    "create table x (a)", "create temp table x as select 1", "create view x as select 1",
    "create virtual table x using fts5(a)", "drop table events", "alter table events add x",
    "insert into events (log) values ('x')", "update events set log = 'x'", "delete from events",
    "begin", "commit", "savepoint x", "reindex", "analyze",
  ])
  func aStatementThatDoesSomethingIsRefused(sql: String) throws {
    let word = sql.prefix { $0 != " " }.uppercased()
    let message = try #require(error("\n  \(sql)"))
    let first = message.prefix { $0 != "\n" }
    #expect(
      first
        == "SQL:2:3: \(word) is refused; a query only reads: SELECT, WITH … SELECT, VALUES, EXPLAIN"
    )
  }

  @Test(arguments: [
    ("with x as (select 1) delete from events", "DELETE is refused"),
    ("explain insert into events (log) values (1)", "INSERT is refused"),
    ("select 1; drop table events", "SQL:1:11: DROP is refused"),
    ("select load_extension('x')", "the function load_extension is refused"),
    ("select * from pragma_table_info('events')", "it reads a table that is none of the logs"),
    ("select count(*) from pragma_database_list", "it reads a table that is none of the logs"),
    ("select * from dbstat", "it reads a table that is none of the logs"),
    ("select writefile('x', 'y')", "no such function: writefile"),
    ("select readfile('/etc/passwd')", "no such function: readfile"),
    ("update sqlite_master set sql = ''", "sqlite_master may not be modified"),
    ("select ?", "? stands for a value that nobody gives"),
    ("select :name", ":name stands for a value that nobody gives"),
    ("", "the query has no statement"), (" ; -- nothing\n /* at all", "the query has no statement"),
    ("select 1\0; drop table events", "SQL:1:9: SQL holds a NUL"),
  ])
  func whatHidesIsRefused(sql: String, message: String) throws {
    #expect(try #require(error(sql)).contains(message))
  }

  @Test(arguments: [
    "select 1", "values (1, 2)", "with x as (select 1 as a) select a from x",
    "with recursive r(n) as (select 1 union all select n + 1 from r where n < 9) select count(*) from r",
    "explain query plan select * from events", "select name from sqlite_master",
    "select value from json_each('[1]')", "select value from json_tree('[1]')",
    "select count(*) from EVENTS", "with events as (select 1) select count(*) from events",
  ])
  func whatReadsIsAllowed(sql: String) { #expect(error(sql) == nil) }

  // MARK: Mistakes

  @Test func aMistakeIsShownWhereItIs() throws {
    #expect(
      error("select name\nfrom events e\nwhere nam = 'x'")
        == """
        SQL:3:7: no such column: nam; did you mean name? tracectl query --schema lists all
          where nam = 'x'
                ^
        """)
  }

  @Test(arguments: [
    ("select * from evnts", "SQL:1:15: no such table: evnts; did you mean events?"),
    ("select * from deths", "SQL:1:15: no such table: deths; did you mean deaths?"),
    ("select s.nmae from spans s", "SQL:1:8: no such column: s.nmae; did you mean name?"),
    ("select p96(dur) from spans", "no such function: p96; did you mean p95?"),
    ("select \"x\" from spans", "a text stands in single quotes: 'x'"),
    ("select 1;\n\nselect * from events where", "SQL:3:27: incomplete input"),
    ("selct 1", "SQL:1:1: near \"selct\": syntax error"),
  ])
  func aMistakeIsTold(sql: String, message: String) throws {
    #expect(try #require(error(sql)).contains(message))
  }

  @Test func aLongLineIsShownInPart() throws {
    let long = String(repeating: "name, ", count: 100)
    let lines = try #require(error("select \(long)nam, \(long)1 from events")).split(
      separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count < 130 })
    #expect(lines[0].hasPrefix("SQL:1:608: no such column: nam"))
    let mark = lines[2].count - 1
    #expect(lines[1].dropFirst(mark).hasPrefix("nam"))
  }

  @Test func whatATerminalObeysIsNotPrinted() throws {
    let message = try #require(error("select '\u{1b}[31m', nam from events"))
    #expect(!message.contains("\u{1b}"))
  }
}
