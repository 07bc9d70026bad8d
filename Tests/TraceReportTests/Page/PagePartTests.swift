import LifecycleModel
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// Pages of a part of a run, and of some of its events.
@Suite struct PagePartTests {
  private static func part(_ from: Int64, _ to: Int64) -> ClosedRange<Instant> {
    Instant(nanoseconds: from * 1_000_000_000)...Instant(nanoseconds: to * 1_000_000_000)
  }

  // MARK: A stretch of time

  /// What was open at its edges began or ends beyond them.
  @Test func aPartKeepsWhatIsOpen() throws {
    let page = try PageUnderTest(PageUnderTest.run, in: Self.part(5, 7))
    #expect(page.isWhole)
    #expect(page.words.map { $0[1] } == ["release", "acquire", "work"])
    #expect(page.leftOut == [0: 6])

    let second: Int64 = 1_000_000_000
    #expect(
      page.rows("Held") == [
        [
          .init(begin: 0, end: 0, word: "lock \"a.db\"", fate: 0, before: 2 * second),
          .init(begin: 1, end: 2, word: "lock \"a.db\"", fate: 1 | 4, after: second),
        ],
        [
          .init(
            begin: 0, end: 2, word: "lock \"b.db\"", fate: 1 | 4, before: second, after: second)
        ],
      ])
    #expect(page.rows("Main thread").isEmpty, "the call was over before")
    #expect(page.head["end"] == nil, "the process ends later")
  }

  /// The verdict and the findings are those of the run, and say where their evidence is not drawn.
  @Test func aPartHasTheFindingsOfTheRun() throws {
    let whole = try PageUnderTest(PageUnderTest.run)
    let page = try PageUnderTest(PageUnderTest.run, in: Self.part(5, 7))
    let findings = page.html.matches(of: /data-fingerprint="\w+"/).map(\.output)
    #expect(findings == whole.html.matches(of: /data-fingerprint="\w+"/).map(\.output))
    #expect(!findings.isEmpty)
    #expect(page.html.contains("This lies outside of what is drawn."))
    #expect(!whole.html.contains("outside of what is drawn"))
    let words = "This page draws the run from 5s to 7s, and 3 of its 10 events."
    #expect(page.html.contains(words))
    #expect(!page.html.contains("<circle"), "no flag stands where its event is not")
  }

  @Test func aPartInWhichNothingHappensHasNoEvents() throws {
    let trace = try TraceNotation.parse("1s main work timer app\n9s main work timer app")
    let part = Instant(nanoseconds: 2_000_000_000)...Instant(nanoseconds: 3_000_000_000)
    #expect(PageUnderTest.selection(trace, in: part, limit: 1).isEmpty)
  }

  // MARK: Some of the events

  /// With room for all there is nothing to choose.
  @Test func whatHasRoomIsDrawn() throws {
    let trace = try TraceNotation.parse(PageUnderTest.run)
    #expect(PageUnderTest.selection(trace, limit: 10) == [1...10])
    #expect(PageUnderTest.selection(trace, in: Self.part(4, 6), limit: 3) == [6...8])
  }

  /// A hundred ticks a second, a turn in their middle, and one span that is longer than others.
  private static let busy: String = {
    var lines = [
      "0s - profile mode=app hooks=app-delegate,work,resources,system launch=user",
      "0s - process.start app pid=1 launch=user", "1s - state inactive->active app",
    ]
    for tick in 0..<4000 {
      let time = 2_000 + 10 * tick
      lines.append("\(time)ms main work timer app \"tick\"")
      if tick == 2000 { lines.append("\(time)ms - state active->inactive app") }
      lines.append("\(time + 1)ms main acquire lock app \"a\"")
      lines.append("\(time + (tick == 900 ? 9 : 2))ms main release lock app \"a\"")
    }
    return lines.joined(separator: "\n")
  }()

  /// As many events around the turns as there is room for, and of each column the longest.
  @Test func whatMattersIsDrawnWithWhatIsAroundIt() throws {
    let trace = try TraceNotation.parse(Self.busy)
    let turn = try #require(trace.events.lastIndex { $0.verb == .state }) + 1
    let longest = try #require(
      trace.events.firstIndex { $0.instant.nanoseconds == 11_009_000_000 })
    let limit = 1000
    let chosen = PageUnderTest.selection(trace, limit: limit)
    #expect(chosen.reduce(0) { $0 + $1.count } <= limit)
    #expect(chosen.first?.lowerBound == 1 && chosen.last?.upperBound == UInt64(trace.events.count))

    let around = try #require(chosen.first { $0.contains(UInt64(turn)) })
    #expect(around.contains(UInt64(turn - 100)) && around.contains(UInt64(turn + 100)))
    #expect(chosen.contains { $0.contains(UInt64(longest)) }, "the longest lock begins there")
  }

  /// Bars of a page are bars of the log, and those that are left out are counted.
  @Test(arguments: UInt64(0)..<20) func whatIsDrawnIsWhatWas(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 600)
    let whole = try PageUnderTest(trace)
    let page = try PageUnderTest(trace, limit: 60)
    let ordinals = PageUnderTest.selection(trace, limit: 60).flatMap { $0 }
    #expect(page.isWhole && page.words.count == ordinals.count, "seed \(seed)")
    #expect(page.words == ordinals.map { whole.words[Int($0) - 1] }, "seed \(seed)")
    #expect(page.leftOut.values.reduce(page.words.count, +) == trace.events.count)

    for lane in whole.lanes {
      let drawn = page.lanes.first { $0.title == lane.title }
      guard let drawn else { continue }
      let bars = drawn.rows.joined().count + drawn.leftOutBars
      #expect(bars == lane.rows.joined().count, "seed \(seed), \(lane.title)")
      if drawn.marks.isEmpty { continue }
      #expect(drawn.marks.count + drawn.leftOutMarks == lane.marks.count, "seed \(seed)")
    }
  }

  /// At each event of the page is open what was open, with the same word, since the same instant.
  @Test(arguments: UInt64(0)..<20) func whatIsOpenIsWhole(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 600)
    let whole = try PageUnderTest(trace)
    let page = try PageUnderTest(trace, limit: 60)
    let ordinals = PageUnderTest.selection(trace, limit: 60).flatMap { $0 }
    for lane in whole.lanes {
      let drawn = page.lanes.first { $0.title == lane.title }?.rows ?? []
      for (row, bars) in lane.rows.enumerated() {
        let seen = bars.compactMap { bar -> [Int]? in
          let places = ordinals.indices.filter { bar.begin + 1...bar.end + 1 ~= Int(ordinals[$0]) }
          return places.first.map { [$0, places[places.count - 1]] }
        }
        let words = bars.filter { bar in
          ordinals.contains { bar.begin + 1...bar.end + 1 ~= Int($0) }
        }
        let found = row < drawn.count ? drawn[row] : []
        #expect(found.map { [$0.begin, $0.end] } == seen, "seed \(seed), \(lane.title)")
        #expect(found.map(\.word) == words.map(\.word), "seed \(seed), \(lane.title)")
        #expect(found.map { $0.fate & 3 } == words.map(\.fate), "seed \(seed), \(lane.title)")
      }
    }
  }
}
