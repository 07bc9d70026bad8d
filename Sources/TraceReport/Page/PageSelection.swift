import LifecycleModel

/// Chooses the events of a page of a run that has more than the page can draw.
///
/// The page has the events around evidence, gaps and ends of processes, and those around the turns of the
/// app: up to ``farthest`` of them to each side, less where that would be too many. Of the rest it has, for
/// each row of a lane and each column of the story axis, the event that begins the longest bar, the first
/// mark, and the greatest value. Memory is bounded by the limit.
package struct PageSelection {
  /// At most this many events to each side of what matters are drawn.
  static let farthest: UInt64 = 2000
  /// The story axis is cut into at most this many columns.
  private static let columns = 8000.0

  /// A column of a row of a lane; the marks of a lane are its row -1.
  private struct Cell: Hashable {
    let lane: Int
    let row: Int
    var column: Int
  }

  /// The event that stands for all that begins in a cell.
  private typealias Choice = (ordinal: UInt64, size: Int64)

  /// The events that findings name.
  private struct Evidence {
    /// The names of the writers by the numbers of their events.
    private var writers: [UInt64: Set<String>] = [:]
    private var instants: Set<Instant> = []

    init(of findings: [ReportedFinding]) {
      for witness in findings.flatMap(\.witnesses) {
        let names = [witness.event?.reference, witness.after, witness.before]
        for name in names.compactMap(\.self) {
          writers[name.sequence, default: []].insert(name.writer)
        }
        if let event = witness.event { instants.insert(event.instant) }
      }
    }

    /// Whether a finding names the event; where events have no numbers, its instant decides.
    func contains(_ event: Event, _ vocabulary: Vocabulary) -> Bool {
      guard let writers = writers[event.sequence],
        event.sequence != 0 || instants.contains(event.instant)
      else { return false }
      return writers.contains(vocabulary.name(of: event.writer))
    }
  }

  private let limit: Int
  private let axis: TimeAxis
  private let part: ClosedRange<Instant>?
  private let vocabulary: Vocabulary
  private var fold: LaneFold
  private let evidence: Evidence
  /// The first and the last event of the part.
  private var range: ClosedRange<UInt64>?
  /// Where the evidence of findings, which is bounded, gaps and ends, and turns of the app stand.
  private var (witnesses, fixed, turns): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
  private var cells: [Cell: Choice] = [:]
  /// How often the number of columns was halved.
  private var halvings = 0

  /// Begins the choice of at most `limit` events, or somewhat more, of a part of a run.
  package init(
    _ results: AnalysisResults, limit: Int, on axis: TimeAxis, in part: ClosedRange<Instant>?,
    _ vocabulary: Vocabulary
  ) {
    (self.limit, self.axis, self.part, self.vocabulary) = (limit, axis, part, vocabulary)
    fold = LaneFold(vocabulary)
    evidence = Evidence(of: PageFindings(results).cards)
  }

  /// Takes the next events.
  package mutating func observe(_ events: [Event]) {
    for event in events {
      let changes = fold.observe(event)
      let ordinal = fold.run.ordinal
      if part?.contains(fold.run.now) ?? true { range = (range?.lowerBound ?? ordinal)...ordinal }
      guard let range, range.upperBound == ordinal else { continue }
      if evidence.contains(event, vocabulary) { witnesses.append(ordinal) }
      for change in changes { observe(change) }
    }
    fold.forgetUnusedWords()
  }

  private mutating func observe(_ change: LaneChange) {
    switch change {
    case .begin(let bar): if fold.lanes[bar.lane].kind == .app { add(fold.run.ordinal, to: &turns) }
    case .gap(_, let ordinal, _, _), .death(_, let ordinal, _): add(ordinal, to: &fixed)
    case .end(let bar, let end):
      guard let row = bar.row, let range, bar.ordinal >= range.lowerBound else { return }
      let length = end.instant.since(bar.begin)
      choose(bar.ordinal, length, at: bar.begin, bar.lane, row)
    case .mark(let lane, _, let ordinal, let instant):
      choose(ordinal, 0, at: instant, lane, -1)
    case .value(let lane, let value, let ordinal, let instant):
      choose(ordinal, value, at: instant, lane, -1)
    }
  }

  /// Of too many the last ones are kept.
  private func add(_ ordinal: UInt64, to list: inout [UInt64]) {
    list.append(ordinal)
    if list.count > 2 * turnLimit { list.removeFirst(turnLimit) }
  }

  private var turnLimit: Int { max(1, limit / 8) }

  // MARK: Cells

  private mutating func choose(
    _ ordinal: UInt64, _ size: Int64, at instant: Instant, _ lane: Int, _ row: Int
  ) {
    let column = min(Int(axis.position(of: instant) * Self.columns), Int(Self.columns) - 1)
    let cell = Cell(lane: lane, row: row, column: column >> halvings)
    choose((ordinal, size), in: cell)

    while cells.count > limit / 4, Int(Self.columns) >> halvings > 0 {
      halvings += 1
      let old = cells
      cells = [:]
      for (cell, choice) in old {
        choose(choice, in: Cell(lane: cell.lane, row: cell.row, column: cell.column >> 1))
      }
    }
  }

  /// Keeps the choice of a cell with the greatest size, of equal ones the first.
  private mutating func choose(_ choice: Choice, in cell: Cell) {
    if let other = cells[cell], (other.size, choice.ordinal) > (choice.size, other.ordinal) {
      return
    }
    cells[cell] = choice
  }

  // MARK: The choice

  /// The events that were chosen, by their places in the log, as stretches in order; none when no event
  /// lies in the part.
  package mutating func finish() -> [ClosedRange<UInt64>] {
    for change in fold.finish() { observe(change) }
    guard let range else { return [] }
    if range.count <= limit { return [range] }

    fixed += [range.lowerBound, range.upperBound]
    let single = cells.values.map { $0.ordinal...$0.ordinal }
    return PageSelection.merged(near(range) + single)
  }

  /// What is near to what matters: evidence, gaps and ends have up to a half of the room, turns what the
  /// columns leave of the rest.
  private func near(_ range: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    let fixed = witnesses + fixed.suffix(turnLimit)
    let some = widest(upTo: limit / 2) { around(fixed, $0, in: range) }
    let turns = turns.suffix(turnLimit)
    return widest(upTo: limit - cells.count) { some + around(turns, $0, in: range) }
  }

  /// What is chosen by the greatest distance for which it is not more than `room`, or by 0.
  private func widest(
    upTo room: Int, _ choose: (UInt64) -> [ClosedRange<UInt64>]
  ) -> [ClosedRange<UInt64>] {
    let tooFar = (1..<Self.farthest + 1).partition { distance in
      PageSelection.merged(choose(distance)).reduce(0) { $0 + $1.count } > room
    }
    return PageSelection.merged(choose(tooFar - 1))
  }

  private func around(
    _ ordinals: some Sequence<UInt64>, _ distance: UInt64, in range: ClosedRange<UInt64>
  ) -> [ClosedRange<UInt64>] {
    ordinals.map { ordinal in
      let first = ordinal > distance ? ordinal - distance : 1
      return (first...ordinal + distance).clamped(to: range)
    }
  }

  /// The same events as stretches that neither touch nor overlap, in order.
  private static func merged(_ ranges: [ClosedRange<UInt64>]) -> [ClosedRange<UInt64>] {
    var merged: [ClosedRange<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
