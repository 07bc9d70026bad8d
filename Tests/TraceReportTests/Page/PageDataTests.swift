import Foundation
import LifecycleModel
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

/// The data of a page says what the log says.
@Suite struct PageDataTests {
  @Test func theColumnsAreTheEvents() throws {
    let trace = try TraceNotation.parse(PageUnderTest.run)
    let page = try PageUnderTest(trace)
    #expect(page.isWhole)
    #expect(page.instants == trace.events.map(\.instant.nanoseconds))
    #expect(page.words[4] == ["main", "acquire", "lock", "app", "a.db"])
    #expect(page.words[9] == ["-", "kill", "", "app", ""])
    #expect(page.values == [8: -7])
    #expect(page.details[1] == "pid=412 launch=user")
    #expect(page.details[9] == "code=0x8badf00d namespace=SPRINGBOARD")
  }

  @Test func theRowsAreTheBars() throws {
    let page = try PageUnderTest(PageUnderTest.run)
    #expect(page.lanes.map(\.title) == ["App", "System", "Main thread", "Held", "Work: timer"])
    #expect(
      page.rows("Main thread") == [
        [.init(begin: 2, end: 3, word: "applicationDidBecomeActive", fate: 0)]
      ])

    #expect(
      page.rows("Held") == [
        [
          .init(begin: 4, end: 6, word: "lock \"a.db\"", fate: 0),
          .init(begin: 7, end: 9, word: "lock \"a.db\"", fate: 1),
        ],
        [.init(begin: 5, end: 9, word: "lock \"b.db\"", fate: 1)],
      ])
    #expect(page.rows("System").first?.first?.word == "process 412")
    #expect(page.lanes.last?.marks == [8])
    #expect(page.head["end"] as? Int == 9)
  }

  @Test func aClockThatWentBackIsKept() throws {
    var trace = try TraceNotation.parse(
      """
      4s main work timer app
      5s main work timer app
      9s main work timer app
      """)
    trace.events[1].instant = Instant(nanoseconds: 3_000_000_000)
    let page = try PageUnderTest(trace)
    #expect(page.instants == [4, 3, 9].map { $0 * 1_000_000_000 })
  }

  @Test func numbersOfEventsThatAreNotDenseAreTold() throws {
    var trace = try TraceNotation.parse(
      """
      1s main work timer app
      2s main work timer app
      3s main work timer app
      """)
    trace.events[1].sequence = 5
    trace.events[2].sequence = 6
    let page = try PageUnderTest(trace)
    #expect(page.jumps == [1: 5])
  }

  /// A task uses its time in the background, while the process can run.
  @Test func aLimitCountsWhereTheSystemCounts() throws {
    let page = try PageUnderTest(
      """
      0s  -    profile       mode=app platform=ios os=18.2 hooks=app-delegate,tasks,system launch=user
      0s  -    process.start app pid=1 launch=user
      1s  main call          applicationDidBecomeActive app
      1s  main return        applicationDidBecomeActive app
      10s main task.begin    task:1 "save"
      12s main call          applicationDidEnterBackground app
      12s main return        applicationDidEnterBackground app
      20s -    suspend       app
      30s -    resume        app
      45s main task.end      task:1 "save"
      """)
    let lane = try #require(page.lanes.firstIndex { $0.title == "Background tasks" })
    let limits = try #require(page.head["limits"] as? [[Int]])
    let seconds = limits.map { $0.prefix(3) + $0.dropFirst(3).map { $0 / 1_000_000_000 } }
    #expect(seconds == [[lane, 0, 0, 12, 42, 20], [lane, 0, 0, 22, 52, 45]])
  }

  /// The script finds the evidence by the names of its events, which stand in the HTML.
  @Test func evidenceLeadsToItsEvents() throws {
    let page = try PageUnderTest(PageUnderTest.run)
    let names = page.html.matches(of: /data-(event|after|before)="([^#"]+)#(\d+)/).map(\.output)
    #expect(names.contains { $0.1 == "event" })
    var numbers: [String: Int] = [:]
    let known = page.words.enumerated().map { place, words in
      numbers[words[0]] = page.jumps[place] ?? numbers[words[0], default: 0] + 1
      return "\(words[0])#\(numbers[words[0]] ?? 0)"
    }
    for name in names { #expect(known.contains("\(name.2)#\(name.3)")) }
  }

  /// The rows of every random life are disjoint and in order, and end with the log.
  @Test(arguments: UInt64(0)..<20) func rowsAreDisjoint(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let page = try PageUnderTest(maker.trace(count: 400))
    #expect(page.isWhole)
    for row in page.lanes.flatMap(\.rows) {
      for (bar, next) in zip(row, row.dropFirst()) {
        #expect(bar.begin <= bar.end && bar.end <= next.begin, "seed \(seed)")
      }
      #expect(row.last.map { $0.end < page.words.count } ?? true)
    }
  }
}
