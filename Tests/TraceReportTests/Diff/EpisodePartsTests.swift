import LifecycleModel
import Testing
import TraceText

@testable import TraceReport

/// What counts the events of episodes.
@Suite struct EpisodePartsTests {
  @Test func aTallyCountsWhatCame() {
    var tally = NumberedTable<Int>()
    for number: Int32 in [40, 2, 2, 40, 2] { tally.update(number, from: 0) { $0 += 1 } }
    #expect(tally.entries.map(\.number) == [40, 2])
    #expect(tally.entries.map(\.value) == [2, 3])
  }

  /// What begins in a turn counts there, also when it ends behind it; what begins in a stay counts in the stay.
  @Test func durationsCountWhereTheyBegin() throws {
    var run = RunOfEpisodes(cycles: 1)
    run.last = [
      "10.14s main work.begin save app \"early\"", "12s main work.begin save app \"late\"",
      "15s main work.end save app \"early\"", "16s main work.end save app \"late\"",
    ]

    let counts = try run.side
    let found = counts.kinds.sorted().map { kind in
      let cells = counts.cells(of: kind, comparedWith: counts)
      let measured = cells.filter { $0.key.verb == "work.begin" && $0.value.durations.count > 0 }
      return "\(kind): \(measured.keys.map(\.label).sorted().joined(separator: " "))"
    }
    #expect(found.contains("turn active→inactive→background: early"))
    #expect(found.contains("stay background: late"))
  }

  /// A flood of words leaves what is known of others as it is.
  @Test func whatIsThinnedOutKeepsItsNeighbors() {
    var counts = EpisodeCounts()
    let kind = counts.number(ofKind: "stay active")
    let kept = counts.number(of: EventToken(.work, "timer"))
    var tally = NumberedTable<Int64>()
    for number in 0..<5000 {
      let token = counts.number(of: EventToken(.work, "timer", label: "\(number) of many"))
      if let token { tally.update(token, from: 0) { $0 += 1 } }
    }
    if let kept { tally.update(kept, from: 0) { $0 += 1 } }
    counts.add(kind, tally)
    let cells = counts.cells(of: "stay active", comparedWith: counts)

    #expect(cells[EventToken(.work, "timer")]?.episodes == 1)
    #expect(cells.count > 500 && cells.count <= EpisodeCounts.tokenLimit)
  }
}
