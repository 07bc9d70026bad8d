import Foundation
import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import LifecycleRules
@testable import TraceAnalysis

/// The laws of merging, and that memory is bounded.
@Suite struct StatisticsMergeTests {
  /// Rows of many keys, with counts, limits and omissions, from a random log.
  private func statistics(seed: UInt64, limit: Int = Statistics.keyLimit) -> Statistics {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 400)
    var collector = StatisticsCollector(
      trace.vocabulary, Catalogue.lifecycle.system, into: Statistics(limit: limit))
    var statistics = collector.collect(trace.events)
    var generator = SeededGenerator(seed: seed)

    for _ in 0..<12 {
      let labels = ["a", "b", "c", "d", "e", "f"]
      let label = labels[Int.random(in: 0..<6, using: &generator)]
      var row = Statistics.Row(Statistics.Key(.task, label: label))
      row.durations.add(Nanoseconds.random(in: 0...9_000_000_000, using: &generator))
      row.use(Nanoseconds.random(in: 0...9, using: &generator), of: generator.oneIn(2) ? 30 : 180)
      row.omit(generator.oneIn(2) ? .gap : .noBegin)
      statistics.add(row)
    }
    return statistics
  }

  private func merged(_ first: Statistics, _ others: Statistics...) -> Statistics {
    others.reduce(into: first) { $0.merge($1) }
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(4, all: 30), [3, 40, Statistics.keyLimit])
  func mergingIsAssociativeAndCommutative(seed: UInt64, limit: Int) {
    let a = statistics(seed: 3 * seed, limit: limit)
    let b = statistics(seed: 3 * seed + 1, limit: limit)
    let c = statistics(seed: 3 * seed + 2, limit: limit)
    let all = merged(a, b, c)
    #expect(merged(a, merged(b, c)) == all, "seed \(seed), limit \(limit)")
    #expect(merged(c, b, a) == all && merged(b, a, c) == all, "seed \(seed), limit \(limit)")
    #expect(merged(a, Statistics(limit: limit)) == a)
    #expect(merged(Statistics(limit: limit), a) == a)
    #expect(merged(a, b) != a)
  }

  @Test func mergingAddsUp() throws {
    var first = Statistics.Row(Statistics.Key(.held, name: "lock"))
    first.durations.add(.seconds(1))
    first.use(10, of: 30)
    first.omit(.gap)
    var second = Statistics.Row(Statistics.Key(.held, name: "lock"))
    second.durations.add(.seconds(3))
    second.durations.add(.seconds(2))
    second.use(20, of: 30)
    second.use(40, of: 180)
    second.omit(.gap)
    second.omit(.endOfLog)

    var statistics = Statistics()
    statistics.add(first)
    var other = Statistics()
    other.add(second)
    statistics.merge(other)

    let row = try #require(statistics.rows.first)
    #expect(row.durations.count == 3 && row.durations.longest == .seconds(3))
    #expect(row.allowances.map(\.allowed) == [30, 180] && row.allowances.map(\.used) == [20, 40])
    #expect(row.omissions == [.gap: 2, .endOfLog: 1])
  }

  /// The statistics of a log are those of its processes, merged, whatever the limit.
  @Test(arguments: [2, 5, 9, 400]) func aLogIsTheSumOfItsProcesses(limit: Int) throws {
    var generator = SeededGenerator(seed: UInt64(limit))
    var whole = ""
    var parts: [String] = []
    for process in 0..<6 {
      var part = "\(process * 100)s - profile os=18.2\n\(process * 100)s - process.start app\n"
      for index in 0..<40 {
        let label = "file\(Int.random(in: 0..<12, using: &generator))"
        let start = "\(process * 100 + index)"
        part += "\(start).1s db work.begin save app \"\(label)\"\n"
        part +=
          "\(start).\(Int.random(in: 2...9, using: &generator))s db work.end save app \"\(label)\"\n"
      }
      parts.append(part)
      whole += part
    }

    func collect(_ notation: String) throws -> Statistics {
      let trace = try TraceNotation.parse(notation)
      var collector = StatisticsCollector(
        trace.vocabulary, Catalogue.lifecycle.system, into: Statistics(limit: limit))
      return collector.collect(trace.events)
    }

    let statistics = try collect(whole)
    let sum = try parts.reversed().map(collect).reduce(into: Statistics(limit: limit)) {
      $0.merge($1)
    }
    #expect(statistics == sum)
    #expect(statistics.rows.count == min(limit, 12) + (limit < 12 ? 1 : 0))
    #expect(statistics.rows.reduce(0) { $0 + $1.durations.count } == 240)
  }

  @Test func uikitsCallbacksKeepTheirRows() {
    var statistics = Statistics(limit: Callback.allCases.count)
    for index in 0..<1000 {
      statistics.add(Statistics.Row(Statistics.Key(.work, name: "save", label: "\(index)")))
    }
    for callback in Callback.allCases {
      statistics.add(Statistics.Row(Statistics.Key(.callback, name: callback.rawValue)))
    }
    let kept = statistics.rows.filter { !$0.key.isOthers }.map(\.key.name)
    #expect(kept == Callback.allCases.map(\.rawValue).sorted())
  }

  /// Every word is new, and the vocabulary forgets: no row may take what belongs to another.
  @Test func aFloodOfLabelsIsBoundedAndCountedInFull() throws {
    let vocabulary = Vocabulary()
    var analyzer = Analyzer(vocabulary, rules: [], statistics: true)
    let save = WorkCategory.save.symbol
    var now: Nanoseconds = 0
    func pair(_ label: String, _ duration: Nanoseconds) -> [Event] {
      defer { now += 1000 }
      let symbol = vocabulary.symbol(label)
      return [(Verb.workBegin, now), (Verb.workEnd, now + duration)].map { verb, instant in
        Event(
          instant: Instant(nanoseconds: instant), writer: .main, verb: verb, name: save,
          subject: .app, label: symbol)
      }
    }

    for batch in 0..<80 {
      var events: [Event] = []
      for index in 0..<1000 {
        events += pair("upload \(batch * 1000 + index)", 100)
        if index % 100 == 0 { events += pair(Self.steady, 7) }
      }
      analyzer.observe(events)
      analyzer.forgetUnusedWords()
    }

    let statistics = try #require(analyzer.finish().statistics)
    #expect(vocabulary.heldCount < 80_000)
    #expect(statistics.rows.count == Statistics.keyLimit + 1)
    let row = try #require(
      statistics[Statistics.Key(.work, name: "save", label: Self.steady)], "choose another label")
    #expect(row.durations.count == 800 && row.durations.longest == 7)
    for row in statistics.rows where !row.key.isOthers && row.key.label != Self.steady {
      #expect(row.durations.count == 1 && row.durations.longest == 100, "\(row.key)")
    }
    #expect(statistics.rows.reduce(0) { $0 + $1.durations.count } == 80_800)
  }

  /// A symbol that is given to another word must not lead to the first word's row.
  @Test func aWordThatTakesAForgottenSymbolHasItsOwnRow() throws {
    let vocabulary = Vocabulary()
    var analyzer = Analyzer(vocabulary, rules: [], statistics: true)
    func pair(_ label: Symbol) -> [Event] {
      [Verb.workBegin, .workEnd].map {
        Event(
          instant: .origin, writer: .main, verb: $0, name: WorkCategory.save.symbol,
          subject: .app, label: label)
      }
    }

    // The event with which a process begins is kept as long as it runs.
    let save = WorkCategory.save.symbol
    analyzer.observe([Event(instant: .origin, writer: .main, verb: .work, name: save)])
    let first = vocabulary.symbol("first")
    analyzer.observe(pair(first))
    var fresh = 0
    while !vocabulary.isLarge {
      fresh += 1
      _ = vocabulary.symbol("word \(fresh)")
    }

    analyzer.forgetUnusedWords()
    #expect(vocabulary.heldCount == 0)
    var heir = ""
    repeat {
      fresh += 1
      heir = "word \(fresh)"
    } while vocabulary.symbol(heir) != first

    analyzer.observe(pair(first))
    let rows = try #require(analyzer.finish().statistics).rows
    #expect(rows.map(\.key.label) == ["first", heir] && rows.map(\.durations.count) == [1, 1])
  }

  /// A label whose rank is low enough to stay among 80,000.
  private static let steady: String = {
    let labels = (0..<20_000).map { "steady \($0)" }
    return labels.min {
      Statistics.Key(.work, name: "save", label: $0).rank
        < Statistics.Key(.work, name: "save", label: $1).rank
    } ?? ""
  }()

  // MARK: Written

  @Test func onlyFullBucketsAreWritten() throws {
    var row = Statistics.Row(Statistics.Key(.held, name: "lock"))
    for time in [100, 100, 5000] as [Nanoseconds] { row.durations.add(time) }
    var statistics = Statistics()
    statistics.add(row)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(statistics), as: UTF8.self)
    #expect(text.contains(##""buckets":[[100,2],[4992,1]],"##) && !text.contains("notCounted"))
    #expect(
      text.contains(##""count":3,"kind":"held","max":5000,"name":"lock","p50":100,"p95":5000"##))
  }
}

extension StatisticsCollector {
  /// The statistics of a whole trace.
  fileprivate mutating func collect(_ events: [Event]) -> Statistics {
    for event in events { observe(event) }
    return finish()
  }
}
