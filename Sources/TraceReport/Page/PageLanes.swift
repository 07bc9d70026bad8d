import LifecycleModel
import Run
import TraceText

/// The lanes of a page, as columns.
struct PageLanes {
  /// Where a bar lies: its lane in the fold, its row, its place in the row.
  struct Place {
    let lane: Int
    let row: Int
    let place: Int
  }

  /// Bars that are disjoint and in order, or marks.
  private struct Row {
    var columns: [UInt8] = []
    var count = 0
    /// How many were left out, by the place of the next one in the row.
    private var leftOut = PageSparse()
    private var pending = 0
    private var last = 0

    mutating func begin(_ place: Int) {
      if pending > 0 { leftOut.add(count, pending) }
      pending = 0
      columns.append(varint: place - last)
      last = place
      count += 1
    }

    mutating func add(
      _ bar: LaneBar, _ end: RunEnd, from first: PagePlaces.Found, to last: PagePlaces.Found,
      word: Int
    ) {
      let fate = PageLanes.fate(end.cause) | (last.instant == nil ? 0 : 4)
      let flags = (fate > 0 ? 1 : 0) | (first.instant == nil ? 0 : 2)
      begin(first.place)
      columns.append(varint: (last.place - first.place) << 2 | flags)
      if fate > 0 { columns.append(varint: fate) }
      columns.append(varint: word)
      if let instant = first.instant { columns.append(varint: instant.since(bar.begin).zigzag) }
      if let instant = last.instant { columns.append(varint: end.instant.since(instant).zigzag) }
    }

    mutating func leaveOut() { pending += 1 }

    /// Appends the columns, and then what was left out.
    func append(to all: inout [UInt8]) {
      all += columns
      var leftOut = leftOut
      if pending > 0 { leftOut.add(count, pending) }
      leftOut.append(to: &all)
    }
  }

  private struct Content {
    var rows: [Row] = []
    var marks = Row()
    /// How many bars had no row.
    var leftOut = 0
  }

  /// What the word of a bar follows from, where that is no more: its text may be long, and is made once.
  private struct Spoken: Hashable {
    let verb: Verb
    let name, label: Symbol

    /// `nil` for bars whose word follows from more.
    init?(_ bar: LaneBar) {
      let event = bar.event
      guard bar.content == .span, !event.label.isNone || event.verb == .call else { return nil }
      (verb, name, label) = (event.verb, event.name, event.label)
    }
  }

  private let vocabulary: Vocabulary
  private let texts: LaneText
  private var contents: [Content] = []
  /// The numbers of words, until the vocabulary forgets some.
  private var known: [Spoken: Int] = [:]
  private var generation = 0

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    texts = LaneText(vocabulary)
  }

  // MARK: Drawing

  /// Takes a bar that has ended, with the first and the last event of the page that lie in it.
  ///
  /// Returns where it lies; `nil` where there was no row for it.
  mutating func add(
    _ bar: LaneBar, _ end: RunEnd, from first: PagePlaces.Found, to last: PagePlaces.Found,
    _ words: inout PageWords
  ) -> Place? {
    guard let row = makeRoom(bar) else { return nil }
    let word = number(ofWordOf: bar, &words)
    contents[bar.lane].rows[row].add(bar, end, from: first, to: last, word: word)
    return Place(lane: bar.lane, row: row, place: contents[bar.lane].rows[row].count - 1)
  }

  /// Takes a bar in which no event of the page lies.
  mutating func leaveOut(_ bar: LaneBar) {
    if let row = makeRoom(bar) { contents[bar.lane].rows[row].leaveOut() }
  }

  /// Takes an event that stands in a lane by itself, and has no place when it is left out.
  mutating func add(markIn lane: Int, at place: Int?) {
    makeRoom(lane)
    if let place { contents[lane].marks.begin(place) } else { contents[lane].marks.leaveOut() }
  }

  private mutating func number(ofWordOf bar: LaneBar, _ words: inout PageWords) -> Int {
    if generation != vocabulary.generation {
      generation = vocabulary.generation
      known.removeAll()
    }
    let key = Spoken(bar)
    if let key, let number = known[key] { return number }
    let number = words.number(of: texts.text(bar.run))
    if let key { known[key] = number }
    return number
  }

  /// How a bar ended: 0 where an event closed it.
  fileprivate static func fate(_ cause: RunEnd.Cause) -> Int {
    switch cause {
    case .closed: 0
    case .died: 1
    case .endOfLog: 2
    case .replaced, .givenUp: 3
    }
  }

  private mutating func makeRoom(_ lane: Int) {
    while contents.count <= lane { contents.append(Content()) }
  }

  /// Makes room for a bar; `nil` where it has no row, which is counted.
  private mutating func makeRoom(_ bar: LaneBar) -> Int? {
    makeRoom(bar.lane)
    guard let row = bar.row else {
      contents[bar.lane].leftOut += 1
      return nil
    }
    while contents[bar.lane].rows.count <= row { contents[bar.lane].rows.append(Row()) }
    return row
  }

  // MARK: Writing

  /// The lanes from the top of the picture to its end, by their places in the fold; those in which nothing
  /// of the page lies are none of it.
  func order(_ lanes: [Lane]) -> [Int] {
    lanes.pictureOrder.filter { lane in
      contents.indices.contains(lane)
        && (contents[lane].rows.contains { $0.count > 0 } || contents[lane].marks.count > 0)
    }
  }

  /// The lanes in the head of the data.
  func head(_ lanes: [Lane]) -> JSONTree {
    func unlessZero(_ count: Int) -> JSONTree { .number(count > 0 ? count : nil) }

    return .array(
      order(lanes).map { lane in
        let content = contents[lane]
        return [
          "kind": .text(PageLanes.kind(lanes[lane], hasBars: !content.rows.isEmpty)),
          "group": .text(lanes[lane].color),
          "title": .text(InertText.line(lanes[lane].title)),
          "rows": .numbers(content.rows.map(\.count)), "marks": unlessZero(content.marks.count),
          "more": unlessZero(content.leftOut),
        ]
      })
  }

  /// The columns in the order of the head.
  func columns(_ lanes: [Lane]) -> [UInt8] {
    var columns: [UInt8] = []
    for lane in order(lanes) {
      for row in contents[lane].rows { row.append(to: &columns) }
      if contents[lane].marks.count > 0 { contents[lane].marks.append(to: &columns) }
    }
    return columns
  }

  private static func kind(_ lane: Lane, hasBars: Bool) -> String {
    if case .counter = lane.kind { return "count" }
    return lane.isStates ? "band" : hasBars ? "span" : "tick"
  }
}
