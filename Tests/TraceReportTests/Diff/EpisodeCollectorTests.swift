import LifecycleModel
import Testing
import TraceAnalysis
import TraceReport
import TraceText

/// How runs are cut into episodes, and what is counted in them.
@Suite struct EpisodeCollectorTests {
  private func kinds(_ side: EpisodeCounts) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: side.kinds.map { ($0, side.count(of: $0)) })
      .filter { $0.value > 0 }
  }

  @Test func aRunIsTurnsAndStays() throws {
    #expect(
      kinds(try RunOfEpisodes(cycles: 3).side) == [
        "turn start→active": 1, "stay active": 3, "turn active→inactive→background": 3,
        "stay background": 3, "turn background→active": 2,
      ])
  }

  /// A callback that takes longer than the pause holds its turn together.
  @Test func aSlowCallbackIsInOneTurn() throws {
    var slow = RunOfEpisodes(cycles: 3)
    slow.background = { _ in 3000 }
    #expect(kinds(try slow.side) == kinds(try RunOfEpisodes(cycles: 3).side))
  }

  /// A frame every 20 ms does not make one turn of a whole run.
  @Test func workMakesNoBurst() throws {
    var busy = RunOfEpisodes(cycles: 1)
    busy.last = (0..<400).map { "\(15_000 + $0 * 20)ms main work frame app" }
    #expect(kinds(try busy.side)["stay background"] == 1)
    #expect(kinds(try busy.side)["turn active→inactive→background"] == 1)
  }

  @Test func aSuspensionIsATurn() throws {
    var run = RunOfEpisodes(cycles: 1)
    run.last = ["20s - suspend app", "80s - resume app", "90s main work timer app \"late\""]
    let found = kinds(try run.side)
    #expect(found["turn background→suspended"] == 1)
    #expect(found["stay suspended"] == 1)
    #expect(found["turn suspended→background"] == 1)
    #expect(found["stay background"] == 2)
  }

  @Test func aNewProcessBeginsAnew() throws {
    var run = RunOfEpisodes(cycles: 1)
    run.last = [
      "20s - kill app code=0x8badf00d", "30s - process.start app",
      "30.1s main call applicationDidBecomeActive app",
      "30.2s main return applicationDidBecomeActive app",
    ]
    #expect(kinds(try run.side)["turn start→active"] == 2)
  }

  /// Where events are missing nobody knows what an episode was.
  @Test func episodesWithAGapAreLeftOut() throws {
    var run = RunOfEpisodes(cycles: 2)
    run.last = [
      "115s - gap ring-full 5", "210.1s main call applicationDidBecomeActive app",
      "210.2s main return applicationDidBecomeActive app", "216s main work timer app \"tick\"",
    ]
    let side = try run.side
    // The stay with the gap, and the turn behind it, which began nobody knows where.
    #expect(side.uncertain == 2)

    #expect(kinds(side)["stay background"] == 1)
    #expect(kinds(side)["turn background→active"] == 1)
    #expect(kinds(side)["stay active"] == 3)
  }

  @Test func logsWithoutAStartBeginSomewhere() throws {
    let side = try RunOfEpisodes.side([
      """
      1s main work timer app "early"
      5s main call applicationDidBecomeActive app
      5.1s main return applicationDidBecomeActive app
      """
    ])
    #expect(
      kinds(side) == ["stay unknown": 1, "turn unknown→active": 1, "stay active": 1])
  }

  @Test func runsOfASideAreCountedTogether() throws {
    let one = RunOfEpisodes(cycles: 2).notation
    let side = try RunOfEpisodes.side([one, one, one])
    #expect(kinds(side)["turn active→inactive→background"] == 6)
  }

  /// A flood of words takes no memory, and both sides keep the same ones.
  @Test func floodsOfLabelsAreThinnedOut() throws {
    func flood(_ words: [String]) throws -> EpisodeCounts {
      var run = RunOfEpisodes(cycles: 1)
      run.last = words.map { "15s main note app \"\($0)\"" }
      return try run.side
    }
    let letters = Array("abcdefghij")
    let words = (0..<9000).map { number in
      String("\(number)".map { letters[$0.wholeNumberValue ?? 0] })
    }
    let (one, other) = (try flood(words), try flood(words.reversed()))
    let difference = RunDifference(one, other, RunOfEpisodes.orders)

    #expect(difference.differences.isEmpty)
    #expect(difference.tokens.all < 4200 && difference.tokens.all > 500)
  }

  /// The tokens of an event and of its end.
  @Test func anEndHasTheWordsOfItsBegin() throws {
    var run = RunOfEpisodes(cycles: 1)
    run.last = [
      "11s main task.begin task:4 \"save-12\" handler=true", "13s main task.end task:4",
    ]
    let trace = try TraceNotation.parse(run.notation)
    var collector = EpisodeCollector(
      trace.vocabulary, RunOfEpisodes.orders, into: EpisodeCounts(), shown: "stay background")
    collector.observe(trace.events)
    _ = collector.finish()
    let example = try #require(collector.example)

    #expect(
      example.tokens.map(\.text) == ["task.begin task \"save-#\"", "task.end task \"save-#\""])
    #expect(example.offsets == [0, .seconds(2)])
    #expect(example.alike == 1 && example.all == 1)
  }
}
