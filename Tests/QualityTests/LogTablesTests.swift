import AnalysisTestSupport
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceLog
import TraceReport
import TraceText
import Traces

/// The tables of a log say what the analysis and the statistics of it say.
@Suite struct LogTablesTests {
  private static let seeds = Nightly.seeds(10, all: 300)

  /// The rows of all tables of a trace, and what else is known of it.
  private struct Tabled {
    var tables: [LogTable: [[String: Cell]]] = [:]
    let analysis: Analysis
    let trace: Trace

    init(_ trace: Trace, _ plan: TablePlan = TablePlan(LogTable.allCases)) throws {
      self.trace = trace
      // As the command does: rules judge only where a table needs them.
      let rules = plan.needsRules ? RuleRegistry.all : []
      var analyzer = Analyzer(trace.vocabulary, rules: rules, statistics: true)
      analyzer.keepConclusions()
      var tables = LogTables(plan)
      var log = OneLogTables(
        plan, of: "a.bin", trace.vocabulary, in: .distantPast ... .distantFuture)
      var rows: [LogTable: [[String: Cell]]] = [:]
      func take(_ chunk: TableChunk) { rows[chunk.table, default: []] += Cell.rows(chunk) }

      // As a log comes: in batches.
      for start in stride(from: 0, to: trace.events.count, by: 97) {
        let batch = Array(trace.events[start..<min(start + 97, trace.events.count)])
        analyzer.observe(batch)
        log.take(analyzer.takeConclusions())
        try tables.observe(batch, of: &log, take)
      }
      analysis = analyzer.finish()
      let conclusions = analyzer.takeConclusions()
      try tables.finish(
        log, analysis, conclusions, id: "00ff", origin: 1_700_000_000_000_000_000
      ) { look in
        _ = look(trace.events, trace.vocabulary)
      }
      try tables.handRest(to: take)
      self.tables = rows
    }

    subscript(_ table: LogTable) -> [[String: Cell]] { tables[table] ?? [] }
  }

  /// A value of a row.
  private enum Cell: Hashable {
    case number(Int64)
    case flag(Bool)
    case text(String)

    var number: Int64 { if case .number(let number) = self { number } else { .min } }
    var text: String { if case .text(let text) = self { text } else { "" } }

    static func rows(_ chunk: TableChunk) -> [[String: Cell]] {
      (0..<chunk.rowCount).map { row in
        var cells: [String: Cell] = [:]
        for (column, schema) in zip(chunk.columns, chunk.schema)
        where column.isWanted && column.isValid[row] {
          let value = column.values[row]
          switch schema.kind {
          case .integer: cells[schema.name] = .number(value)
          case .boolean: cells[schema.name] = .flag(value == 1)
          case .text: cells[schema.name] = .text(column.texts[Int(value)])
          }
        }
        return cells
      }
    }
  }

  /// Lives of apps as they are, lives without rhyme or reason, and those with several processes.
  @MainActor private func traces() throws -> [(name: String, trace: Trace)] {
    var traces: [(String, Trace)] = []
    let runs = ScenarioRuns(days: 2)
    for name in ScenarioRuns.names { traces.append((name, try runs.trace(name, seed: 3))) }
    for seed in Self.seeds {
      var session = try RandomSession(seed: seed)
      session.run()
      traces.append(("session \(seed)", try session.trace()))
      var maker = ArbitraryLife(seed: seed)
      traces.append(("life \(seed)", maker.trace(count: 400)))
    }
    return traces
  }

  @MainActor @Test func everyEventAndFindingHasARow() throws {
    for (name, trace) in try traces() {
      let tabled = try Tabled(trace)
      let events = tabled[.events]
      #expect(events.map { $0["event"]?.number } == (1...trace.events.count).map { Int64($0) })
      #expect(events.map { $0["ts"]?.number } == trace.events.map(\.instant.nanoseconds))

      let findings = tabled.analysis.allFindings
      #expect(tabled[.findings].map { $0["message"]?.text } == findings.map(\.message), "\(name)")
      #expect(tabled[.findings].map { $0["fingerprint"]?.text } == findings.map(\.fingerprint))
      #expect(tabled[.witnesses].count == findings.reduce(0) { $0 + $1.witnesses.count })
      #expect(tabled[.rules].count == tabled.analysis.outcomes.count)
      let violated = tabled[.rules].filter { $0["verdict"] == .text("violated") }
      let rules = Set(violated.compactMap { $0["rule"]?.text })
      #expect(rules.isSuperset(of: findings.map(\.rule)), "\(name)")
    }
  }

  /// Each event is counted once, under its thread and its kind.
  @MainActor @Test func writersCountTheEvents() throws {
    for (name, trace) in try traces() {
      let words = trace.vocabulary
      let groups = Dictionary(grouping: trace.events) {
        [words.name(of: $0.writer), words.word(of: $0.verb)]
      }
      let rows = try Tabled(trace, TablePlan([LogTable.writers]))[.writers]
      #expect(rows.count == groups.count, "\(name)")
      for row in rows {
        let events = groups[[row["writer"]?.text ?? "", row["verb"]?.text ?? ""]] ?? []
        #expect(row["events"] == .number(Int64(events.count)), "\(name)")
        let places = events.filter { $0.verb != .gap }.map { Cell.number(Int64($0.sequence)) }
        #expect(row["first"] == places.first && row["last"] == places.last, "\(name)")
      }
    }
  }

  /// The event that a row names is the one that the finding has as its culprit.
  @MainActor @Test func rowsNameTheEventsOfTheEvidence() throws {
    var (culprits, witnesses) = (0, 0)
    for (name, trace) in try traces() {
      let tabled = try Tabled(trace)
      // Whole columns, so that no row is without its finding, and no finding without its row.
      func named(_ table: LogTable) -> [Event?] {
        tabled[table].map { row in row["event"].map { trace.events[Int($0.number) - 1] } }
      }
      let findings = tabled.analysis.allFindings
      #expect(named(.findings) == findings.map(\.culprit), "\(name)")
      #expect(named(.witnesses) == findings.flatMap { $0.witnesses.map(\.event) }, "\(name)")
      culprits += findings.count { $0.culprit != nil }
      witnesses += findings.reduce(0) { $0 + $1.witnesses.count }
    }
    #expect(culprits > 100 && witnesses > culprits)
  }

  /// Not in lives without rhyme or reason, where a call returns after its process has ended: the statistics
  /// count it, and the tables end it with its process.
  @MainActor @Test func durationsAreThoseOfTheStatistics() throws {
    var counted: UInt64 = 0
    for (name, trace) in try traces() where !name.hasPrefix("life") {
      let tabled = try Tabled(trace)
      let statistics = try #require(tabled.analysis.statistics)
      var sums: [Statistics.Key: [Int64: Int64]] = [:]
      for row in tabled[.durations] {
        let key = Statistics.Key(
          try #require(Statistics.Kind(rawValue: row["kind"]?.text ?? "")),
          name: row["name"]?.text ?? "", label: row["label"]?.text ?? "")
        sums[key, default: [:]][row["bucket"]?.number ?? -1, default: 0] +=
          row["count"]?.number ?? 0
      }

      for row in statistics.rows where row.durations.count > 0 {
        counted += row.durations.count
        let buckets = Dictionary(
          uniqueKeysWithValues: row.durations.buckets.map { ($0.lowest, Int64($0.count)) })
        #expect(sums.removeValue(forKey: row.key) == buckets, "\(name): \(row.key)")
      }
      #expect(sums.isEmpty, "\(name): \(sums)")
    }
    #expect(counted > 500)
  }

  /// What closed is counted, and what did not is left out for the same reason.
  @MainActor @Test func spansAreThoseOfTheStatistics() throws {
    for (name, trace) in try traces() where !name.hasPrefix("life") {
      let tabled = try Tabled(trace)
      for row in try #require(tabled.analysis.statistics).rows where !row.key.isOthers {
        let spans = tabled[.spans].filter { span in
          let label = row.key.kind == .bgtask ? "" : span["label"]?.text ?? ""
          return span["kind"]?.text == row.key.kind.rawValue && label == row.key.label
            && span["name"]?.text ?? "" == row.key.name
        }
        func count(_ ended: String) -> Int { spans.filter { $0["ended"] == .text(ended) }.count }
        // What the system does is no span of the app's.
        if row.key.kind == .work { continue }
        #expect(UInt64(count("closed")) == row.durations.count, "\(name): \(row.key)")
        #expect(
          spans.lazy.filter { $0["ended"] == .text("closed") }.compactMap { $0["awake"]?.number }
            .max() ?? 0 == row.durations.longest, "\(name): \(row.key)")
        #expect(UInt64(count("disorder")) == row.omissions[.disorder] ?? 0, "\(name): \(row.key)")
        guard trace.events.allSatisfy({ $0.verb != .gap }) else { continue }
        #expect(UInt64(count("end-of-log")) == row.omissions[.endOfLog] ?? 0, "\(name)")
        #expect(UInt64(count("process-ended")) == row.omissions[.processEnded] ?? 0, "\(name)")
      }
    }
  }

  /// States follow each other without a hole, and last as long as a fold of the events says.
  @MainActor @Test func statesAreThoseOfTheFold() throws {
    for (name, trace) in try traces() where name.hasPrefix("session") {
      let tabled = try Tabled(trace)
      var expected: [String: Int64] = [:]
      var state = LifecycleState()
      var now: Instant?
      for event in trace.events {
        let last = state
        state.fold(event)
        if let now, let app = last.appState, last.processEnd == nil {
          expected[app.rawValue, default: 0] += max(0, event.instant.since(now))
        }
        now = max(now ?? event.instant, event.instant)
      }

      var sums: [String: Int64] = [:]
      for row in tabled[.states] where row["subject"] == .text("app") {
        sums[row["state"]?.text ?? "", default: 0] += row["dur"]?.number ?? 0
      }
      #expect(sums.filter { $0.value > 0 } == expected.filter { $0.value > 0 }, "\(name)")
    }
  }

  @MainActor @Test func processesAreThoseWhoseEndsWereJudged() throws {
    var (ends, told) = (0, 0)
    for (name, trace) in try traces() {
      let tabled = try Tabled(trace)
      let deaths = tabled.analysis.deaths
      let ended = tabled[.processes].filter { $0["manner"] != nil }
      ends += ended.count
      #expect(ended.count == deaths.count, "\(name)")
      if deaths.count <= Deaths.keptVerdicts {
        #expect(ended.map { $0["cause"]?.text } == deaths.verdicts.map(\.cause), "\(name)")
      }
      #expect(
        tabled[.processes].map { $0["process"]?.number }
          == tabled[.processes].indices.map { Int64($0 + 1) })

      for row in tabled[.processes] {
        let times = ["dur", "awake", "foreground", "background"].compactMap { row[$0]?.number }
        #expect(times.count == 4 && times.allSatisfy { $0 >= 0 }, "\(name)")
        #expect(times[2] + times[3] <= times[1] && times[1] <= times[0], "\(name)")
        told += Int(max(0, row["rules_told"]?.number ?? 0))
      }
      if name.hasPrefix("session") || ScenarioRuns.names.contains(name) {
        let isAlive = tabled.analysis.state.processEnd == nil
        #expect(tabled[.processes].count == deaths.count + (isAlive ? 1 : 0), "\(name)")
      }
      let known = Set(tabled[.processes].compactMap { $0["process"] })
      let tables: [LogTable] = [.events, .spans, .states, .findings]
      let named = tables.flatMap { tabled[$0] }.compactMap { $0["process"] }
      #expect(known.isSuperset(of: named), "\(name)")
    }
    #expect(ends > 20 && told > 100)
  }

  /// Only what is asked for is worked out, and it is the same as among all.
  @MainActor @Test func aPartOfTheColumnsSaysTheSame() throws {
    let trace = try ScenarioRuns(days: 2).trace("two-scenes", seed: 3)
    let all = try Tabled(trace)
    for table in LogTable.allCases {
      let names = table.columns.map(\.name)
      for (place, name) in names.enumerated() {
        let part = try Tabled(trace, TablePlan([table: [place]]))
        #expect(
          part[table].map { $0[name] } == all[table].map { $0[name] }, "\(table).\(name)")
        let others = part.tables.filter { $0.key != table && !$0.value.isEmpty }
        #expect(others.isEmpty, "\(table).\(name)")
      }
    }
  }

  /// A process of whose end a report tells, and nothing else.
  @Test func anEndAloneIsAProcess() throws {
    let trace = try TraceNotation.parse("0s - kill code=0x8badf00d namespace=FRONTBOARD")
    let rows = try Tabled(trace)[.processes]
    #expect(rows.count == 1)
    #expect(rows[0]["code"] == .text("0x8badf00d"))
    #expect(rows[0]["ended"] == .flag(true))
    // How long it ran is not known.
    #expect(rows[0]["dur"] == nil && rows[0]["awake"] == nil)
  }

  /// Threads may say something after the end: that begins no process.
  @Test(arguments: ["exit app", "kill app code=0x8badf00d"])
  func whatComesAfterAnEndIsNoProcess(end: String) throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      2s t2 work.begin save app "db"
      3s - \(end)
      3.1s main return applicationDidBecomeActive app
      3.2s t2 work.end save app "db"
      3.3s t2 work timer app "tick"
      """)
    let tabled = try Tabled(trace)
    #expect(tabled[.processes].count == 1)
    #expect(tabled[.events].map { $0["process"]?.number } == [1, 1, 1, 1, nil, nil, nil])
    let again = try TraceNotation.parse(
      """
      0s - process.start app pid=7
      3s - \(end)
      4s - profile mode=app version=2.0
      4s - process.start app pid=8
      5s main work timer app "tick"
      """)
    let rows = try Tabled(again)
    #expect(rows[.processes].map { $0["pid"]?.number } == [7, 8])
    #expect(rows[.processes].map { $0["version"]?.text } == [nil, "2.0"])
    #expect(rows[.events].map { $0["process"]?.number } == [1, 1, nil, 2, 2])
  }

  /// Two texts are one only where their bytes are.
  @Test func textsAreComparedByTheirBytes() {
    var chunk = TableChunk(.states)
    for text in ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}"] {
      chunk.columns[0].add(text)
      for place in 1..<chunk.columns.count { chunk.columns[place].add(Int64?.none) }
      chunk.endRow()
    }
    #expect(chunk.columns[0].values == [0, 1, 0])
  }

  /// A parent is the span around, on the same thread.
  @Test func spansOfAThreadLieInEachOther() throws {
    let trace = try TraceNotation.parse(
      """
      0s - process.start app pid=1
      1s main call applicationDidFinishLaunching app
      1.1s main work.begin network app "load"
      1.2s t2 work.begin save app "db"
      1.3s main work.end network app "load"
      1.4s main return applicationDidFinishLaunching app
      """)
    let spans = try Tabled(trace)[.spans].sorted {
      $0["span"]?.number ?? 0 < $1["span"]?.number ?? 0
    }
    #expect(spans.map { $0["name"]?.text } == ["applicationDidFinishLaunching", "network", "save"])
    #expect(spans.map { $0["parent"]?.number } == [nil, 1, nil])
    #expect(spans.map { $0["ended"]?.text } == ["closed", "closed", "end-of-log"])
    #expect(spans.map { $0["dur"]?.number } == [400_000_000, 200_000_000, 200_000_000])
  }
}
