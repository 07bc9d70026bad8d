import Foundation
import Testing
import TraceReport

@testable import TraceQuery

/// What is loaded is what is answered.
@Suite struct TableTests {
  @Test func valuesComeBackAsTheyAre() throws {
    let texts = ["", "x", "é\u{0}ß", "\u{1b}[0m", "'); drop table events; --", "👩‍👩‍👧"]
    let numbers: [Int64] = [.min, -1, 0, 1, .max]
    let rows: [AskedTables.Row] =
      texts.map { ["log": .text($0)] } + numbers.map { ["ts": .integer($0)] } + [[:]]
    let answer = try AskedTables(.events, rows).ask("select log, ts from events order by rowid")
    #expect(answer == rows.map { [$0["log"] ?? .null, $0["ts"] ?? .null] })
  }

  @Test func aQueryTellsWhatItReads() throws {
    let database = try LogDatabase()
    func reads(_ sql: String) throws -> [LogTable: [String]] {
      try database.prepare(sql).reads.reduce(into: [:]) { reads, read in
        reads[read.key] = read.value.sorted().map { read.key.columns[$0].name }
      }
    }
    #expect(try reads("select count(*) from events") == [.events: []])
    #expect(try reads("select 1") == [:])
    #expect(
      try reads("select e.name from events e join processes p on p.log = e.log where dur > 1")
        == [.events: ["log", "name"], .processes: ["log", "dur"]])
    for join in ["join processes using (log)", "natural join processes"] {
      let read = try reads("select name from events \(join)")
      #expect(
        read == [
          .events: LogTable.events.columns.map(\.name),
          .processes: LogTable.processes.columns.map(\.name),
        ])
    }
    #expect(try reads("select 1 from spans; select ts from gaps") == [.spans: [], .gaps: ["ts"]])
    #expect(
      try reads("select n from top_rules").keys.sorted { $0.rawValue < $1.rawValue } == [.findings])
  }

  @Test(arguments: 0..<10, LogView.all.map(\.name))
  func whatIsNotReadNeedNotBeLoaded(seed: UInt64, view: String) throws {
    let tables = AskedTables(seed: seed)
    let sql = "select * from \(view)"
    #expect(try tables.ask(sql) == tables.ask(sql, loadsAll: true))
  }

  @Test func theRowsOfManyChunksAreOneTable() throws {
    let database = try LogDatabase()
    let query = try database.prepare(
      "select count(*), count(distinct label), sum(event) from events")
    for part in 0..<5 {
      let rows: [AskedTables.Row] = (0..<1_000).map {
        ["label": .text("\(part * 1_000 + $0)"), "event": 1]
      }
      try AskedTables(.events, rows).load(into: database, query.reads)
    }
    var answer: [QueryValue] = []
    try database.run(query.statements[0]) { answer = $0 }
    #expect(answer == [5_000, 5_000, 5_000])
  }

  // MARK: What there is to ask

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../Sources/CViews/views").standardized

  @Test func everyFileIsAView() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == LogView.all.map { "\($0.name).sql" }.sorted())
    for view in LogView.all {
      let file = Self.folder.appendingPathComponent("\(view.name).sql")
      #expect(try String(contentsOf: file, encoding: .utf8) == view.sql + "\n")
      #expect(view.sql.hasPrefix("-- \(view.question)\n") && view.question.hasSuffix("?"))
      #expect(view.sql.contains("\norder by "), "\(view.name) has no order")
    }
  }

  @Test func theSchemaSaysWhatColumnsMean() throws {
    let sql = LogSchema.sql
    #expect(sql.contains("create table gaps ( -- a place where events are missing\n"))
    #expect(sql.contains("\n  event integer, -- its place in the log, from 1\n"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(LogSchema.json.utf8)) as? [String: Any])
    #expect(json["schema"] as? Int == LogTable.schemaVersion)
    let tables = try #require(json["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["name"] as? String } == LogTable.allCases.map(\.rawValue))
    let columns = tables.flatMap { $0["columns"] as? [[String: String]] ?? [] }
    #expect(columns.count == LogTable.allCases.reduce(0) { $0 + $1.columns.count })
    #expect(columns.allSatisfy { Set($0.keys) == ["name", "kind", "meaning"] })
    let views = try #require(json["views"] as? [[String: String]])
    #expect(views.map { $0["name"] } == LogView.all.map(\.name))
  }

  @Test func aSavedDatabaseHasTablesAndViews() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("tables-\(UUID().uuidString)'s.db").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let database = try LogDatabase()
    try AskedTables(seed: 7).load(into: database, LogDatabase.everything)
    try database.save(to: path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.starts(with: Array("SQLite format 3\0".utf8)))
    #expect(throws: QueryError.self) { try database.save(to: path) }
    #expect(throws: QueryError.self) { try database.save(to: "/nowhere/x.db") }
    // What was saved can be asked further.
    let query = try database.prepare("select count(*) from events")
    var count: QueryValue?
    try database.run(query.statements[0]) { count = $0[0] }
    #expect(count == 40)
  }
}
