import LifecycleModel
import TraceText

/// The lanes of a page, as columns.
struct PageLanes {
  /// What a bar's word follows from, where it follows from its begin: see the article `PageFormat`.
  private struct Begin: Hashable {
    let verb: Verb
    let name, label: Int
  }

  /// Where a bar lies: its lane in the fold, its row, its place in the row.
  struct Place {
    let lane: Int
    let row: Int
    let place: Int
  }

  /// Bars that are disjoint and in order, or marks.
  private struct Row {
    var columns = PageColumns()
    var count = 0
    var last = 0

    mutating func begin(_ place: Int) {
      columns.put(place - last)
      last = place
      count += 1
    }
  }

  private struct Content {
    var rows: [Row] = []
    var marks = Row()
    var words: [Begin: Int] = [:]
    /// How many bars had no row.
    var leftOut = 0
  }

  private let vocabulary: Vocabulary
  private let texts: LaneText
  private var contents: [Content] = []

  init(_ vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    texts = LaneText(vocabulary)
  }

  // MARK: What is drawn

  /// Takes a bar that has ended, from one place to another among the events of the page.
  ///
  /// A bar that began before them all begins at the first and `isCut`.
  /// Returns where it lies; `nil` where there was no row for it.
  mutating func add(
    _ bar: LaneBar, _ end: LaneEnd, _ places: ClosedRange<Int>, isCut: Bool,
    _ words: inout PageWords
  ) -> Place? {
    makeRoom(bar.lane)
    guard let row = bar.row else {
      contents[bar.lane].leftOut += 1
      return nil
    }

    while contents[bar.lane].rows.count <= row { contents[bar.lane].rows.append(Row()) }
    let word = words.number(of: texts.text(bar))
    let begin = Begin(
      verb: bar.event.verb, name: words.number(of: vocabulary.text(bar.event.name)),
      label: words.number(of: vocabulary.text(bar.event.label)))
    let isNew = isCut || contents[bar.lane].words[begin] != word
    // The first event of the page teaches nothing about the one that began the bar.
    if !isCut { contents[bar.lane].words[begin] = word }

    let fate = PageLanes.fate(end.cause)
    let length = places.upperBound - places.lowerBound
    contents[bar.lane].rows[row].begin(places.lowerBound)
    let flags = (fate > 0 ? 1 : 0) | (isNew ? 2 : 0) | (isCut ? 4 : 0)
    contents[bar.lane].rows[row].columns.put(length << 3 | flags)
    if fate > 0 { contents[bar.lane].rows[row].columns.put(fate) }
    if isNew { contents[bar.lane].rows[row].columns.put(word) }
    return Place(lane: bar.lane, row: row, place: contents[bar.lane].rows[row].count - 1)
  }

  /// Takes an event that stands in a lane by itself.
  mutating func add(markIn lane: Int, at place: Int) {
    makeRoom(lane)
    contents[lane].marks.begin(place)
  }

  /// How a bar ended: 0 where an event closed it.
  private static func fate(_ cause: LaneEnd.Cause) -> Int {
    switch cause {
    case .closed: 0
    case .died: 1
    case .endOfLog: 2
    case .replaced: 3
    }
  }

  private mutating func makeRoom(_ lane: Int) {
    while contents.count <= lane { contents.append(Content()) }
  }

  // MARK: What is written

  /// The lanes from the top of the picture to its end, by their places in the fold; those in which nothing
  /// of the page lies are none of it.
  func order(_ lanes: [Lane]) -> [Int] {
    lanes.pictureOrder.filter { lane in
      contents.indices.contains(lane)
        && (!contents[lane].rows.isEmpty || contents[lane].marks.count > 0)
    }
  }

  /// Tells the lanes in the head of the data.
  func write(_ lanes: [Lane], to head: inout JSONWriter) {
    head.objects("lanes", order(lanes)) { writer, lane in
      let content = contents[lane]
      writer.string("kind", PageLanes.kind(lanes[lane], hasBars: !content.rows.isEmpty))
      writer.string("group", PageLanes.group(lanes[lane].kind))
      writer.string("title", InertText.line(lanes[lane].title))
      writer.raw("rows", "[\(content.rows.map { "\($0.count)" }.joined(separator: ","))]")
      if content.marks.count > 0 { writer.number("marks", content.marks.count) }
      if content.leftOut > 0 { writer.number("more", content.leftOut) }
    }
  }

  /// The columns in the order of the head.
  func append(_ lanes: [Lane], to columns: inout PageColumns) {
    for lane in order(lanes) {
      for row in contents[lane].rows { columns.append(row.columns) }
      columns.append(contents[lane].marks.columns)
    }
  }

  private static func kind(_ lane: Lane, hasBars: Bool) -> String {
    if case .counter = lane.kind { return "count" }
    return lane.isStates ? "band" : hasBars ? "span" : "tick"
  }

  /// The color of a lane, by its word in the style.
  static func group(_ kind: Lane.Kind) -> String {
    switch kind {
    case .app: "app"
    case .scene: "scene"
    case .system: "system"
    case .thread: "thread"
    case .tasks: "task"
    case .held: "held"
    case .unsaved: "unsaved"
    case .deliveries: "delivery"
    case .work: "work"
    case .notifications, .notes: "notify"
    case .counter: "counter"
    }
  }
}
