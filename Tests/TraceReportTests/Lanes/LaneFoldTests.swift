import LifecycleModel
import Run
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceReport
@testable import TraceResults

@Suite struct LaneFoldTests {
  /// A bar with its end.
  private struct Whole: Equatable {
    let bar: LaneBar
    let end: RunEnd
  }

  private func changes(
    _ trace: Trace, _ each: (LaneFold, Event, [LaneChange]) -> Void = { _, _, _ in }
  ) -> (fold: LaneFold, changes: [LaneChange]) {
    var fold = LaneFold(trace.vocabulary)
    var changes: [LaneChange] = []
    for event in trace.events {
      let new = fold.observe(event)
      changes += new
      each(fold, event, new)
    }
    changes += fold.finish()
    return (fold, changes)
  }

  /// How many more spans are open.
  private static func spans(_ change: LaneChange) -> Int {
    switch change {
    case .begin(let bar) where bar.content == .span: 1
    case .end(let bar, _) where bar.content == .span: -1
    default: 0
    }
  }

  private func bars(_ changes: [LaneChange]) -> [Whole] {
    changes.compactMap { change in
      if case .end(let bar, let end) = change { Whole(bar: bar, end: end) } else { nil }
    }
  }

  /// The bars of a trace in notation: lane, text, begin, end and cause, in the order of their ends.
  private func table(_ notation: String) throws -> [String] {
    let trace = try TraceNotation.parse(notation)
    let (fold, changes) = changes(trace)
    let text = LaneText(trace.vocabulary)
    return bars(changes).map { whole in
      let times = [whole.bar.begin, whole.end.instant].map { InstantText.print($0.nanoseconds) }
      let place = "\(fold.lanes[whole.bar.lane].title)/\(whole.bar.row ?? -1)"
      return "\(place) \(text.text(whole.bar.run)) "
        + "\(times[0])-\(times[1]) \(whole.end.cause)"
    }
  }

  @Test func statesSpansAndTheirEndsAreBars() throws {
    let table = try table(
      """
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      1.5s main return applicationDidBecomeActive app
      2s main task.begin task:1 "sync"
      3s main call applicationDidEnterBackground app
      3.1s db acquire lock app "notes.db"
      3.2s main return applicationDidEnterBackground app
      4s - kill app code=0x8badf00d
      """)

    #expect(
      table == [
        "Main thread/0 applicationDidBecomeActive 1s-1.5s closed",
        "App/0 active 1s-3s closed",
        "Main thread/0 applicationDidEnterBackground 3s-3.2s closed",
        "Background tasks/0 \"sync\" 2s-4s died",
        "Held/0 lock \"notes.db\" 3.1s-4s died",
        "App/0 background 3s-4s died",
        "System/0 process 7 0s-4s died",
      ])
  }

  @Test func whatOverlapsHasRowsOfItsOwn() throws {
    let table = try table(
      """
      1s main task.begin task:1 "a"
      2s main task.begin task:2 "b"
      3s main task.end task:1 "a"
      4s main task.begin task:3 "c"
      5s main task.end task:3 "c"
      """)

    #expect(
      table.filter { $0.hasPrefix("Background") } == [
        "Background tasks/0 \"a\" 1s-3s closed", "Background tasks/0 \"c\" 4s-5s closed",
        "Background tasks/1 \"b\" 2s-5s endOfLog",
      ])
  }

  @Test func aProcessWhoseStartIsNotRecordedEndsTheOneBefore() throws {
    let table = try table(
      """
      0s - profile mode=app hooks=app-delegate
      1s main call applicationDidFinishLaunching app
      1.1s main return applicationDidFinishLaunching app
      2s main call applicationDidBecomeActive app
      3s main call applicationDidFinishLaunching app
      3.1s main return applicationDidFinishLaunching app
      """)

    #expect(
      table == [
        "Main thread/0 applicationDidFinishLaunching 1s-1.1s closed",
        "Main thread/0 applicationDidBecomeActive 2s-3s replaced",
        "App/0 active 2s-3s replaced",
        "System/0 process 1s-3s replaced",
        "Main thread/0 applicationDidFinishLaunching 3s-3.1s closed",
        "System/0 process 3s-3.1s endOfLog",
      ])
  }

  @Test func aGapLastsUntilTheNextEventOrAsLongAsItSays() throws {
    let trace = try TraceNotation.parse(
      """
      1s main work timer app
      1s - gap ring-full 3
      2s main work timer app
      2s - gap source-hole -1 within=5s
      3s main work timer app
      """)
    let gaps = changes(trace).changes.compactMap { change -> String? in
      guard case .gap(_, _, let from, let to) = change else { return nil }
      return "\(InstantText.print(from.nanoseconds))-\(InstantText.print(to.nanoseconds))"
    }
    #expect(gaps == ["1s-2s", "2s-7s"])
  }

  @Test func gapsThatFollowEachOtherAreAllTold() throws {
    let lost = (0..<70).map { _ in "2s - gap ring-full 1 writer=db" }
    let trace = try TraceNotation.parse(
      (["1s main work timer app", "1s - gap ring-full 3", "1s - gap source-hole -1"]
        + ["2s main work timer app"] + lost + ["3s main work timer app"]).joined(separator: "\n"))
    let ends = changes(trace).changes.compactMap { change -> Int64? in
      guard case .gap(_, _, _, let to) = change else { return nil }
      return to.nanoseconds / 1_000_000_000
    }
    // More than 64 do not wait for the event behind them.
    #expect(ends == [2, 2] + Array(repeating: 2, count: 6) + Array(repeating: 3, count: 64))
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(40, all: 2000))
  func barsAreWhatIsOpenAndRowsAreDisjoint(seed: UInt64) {
    var generator = ArbitraryTrace(seed: seed)
    let trace = generator.trace(count: 300)
    var open: Set<LaneBar> = []
    var seen = 0
    var hasEnded = false
    var openSpans = 0
    let (_, all) = changes(trace) { fold, event, changes in
      hasEnded = hasEnded || event.verb == .kill || event.verb == .exit
      openSpans += changes.reduce(0) { $0 + Self.spans($1) }
      // The state still holds what died with its process.
      if !hasEnded { #expect(openSpans == fold.run.state.open.count) }
      #expect(openSpans <= fold.run.state.open.count)
    }

    for change in all {
      switch change {
      case .begin(let bar):
        #expect(open.insert(bar).inserted)
        seen += 1
      case .end(let bar, let end):
        #expect(open.remove(bar) != nil)
        #expect(end.instant >= bar.begin && end.ordinal >= bar.ordinal)
      default: break
      }
    }
    #expect(open.isEmpty && seen > 0)

    let rows = Dictionary(grouping: bars(all).filter { $0.bar.row != nil }) {
      [$0.bar.lane, $0.bar.row ?? 0]
    }
    for row in rows.values {
      let ordered = row.sorted { ($0.bar.begin, $0.end.instant) < ($1.bar.begin, $1.end.instant) }
      for (first, next) in zip(ordered, ordered.dropFirst()) {
        #expect(first.end.instant <= next.bar.begin)
      }
    }
  }
}
