import LifecycleModel
import TraceAnalysis
import TraceText

/// A trace drawn as text, an event a line: the state of the app or of each scene beside it, and a bar
/// for everything that is open.
///
/// ```
/// 0s                    · profile mode=app hooks=app-delegate
/// 1s     active         ┌ main  call     applicationDidBecomeActive app
/// 1.1s   ┊              └ main  return   applicationDidBecomeActive app
/// ```
struct TraceDrawing {
  /// So many subjects get a column.
  private static let columns = 3

  private let trace: Trace
  private let subjects: [Subject]

  /// Draws a whole trace, which is in order; meant for short ones.
  init(_ trace: Trace) {
    self.trace = trace
    subjects = TraceDrawing.subjects(trace)
  }

  private struct Row {
    /// The instant, and the state of each subject.
    var columns: [String]
    var gutter: String
    var text: String
    var isMarked = false
    var isBold: Bool { columns[0].isEmpty || isMarked }
  }

  /// The lines; those for whose events `isMarked` end with the mark of a culprit.
  ///
  /// What is `missing` has a line without a time, where it was due at the latest.
  func lines(
    _ style: TextStyle = .plain, missing: [MissingEvent] = [],
    isMarked: (Event) -> Bool = { _ in false }
  ) -> [String] {
    var state = LifecycleState()
    var bars = Bars()
    var words = subjects.map { _ in "" }
    let due = missing.map { (index: $0.dueIndex(in: trace.events), missing: $0) }
    var rows: [Row] = []
    func drawMissing(_ index: Int) {
      for (place, missing) in due where place == index {
        let columns = [""] + subjects.map { _ in "" }
        rows.append(Row(columns: columns, gutter: bars.continued, text: missing.unnumbered))
      }
    }

    for (index, event) in trace.events.enumerated() {
      drawMissing(index)
      state.fold(event)
      let now = subjects.map { TraceDrawing.state(of: $0, state) }
      let states = zip(words, now).map { $0 == $1 ? ($1.isEmpty ? "" : "┊") : $1 }
      words = now
      let gutter = bars.row(open: state.open.facts, event: event)
      let time = InstantText.print(event.instant.nanoseconds)
      rows.append(
        Row(
          columns: [time] + states, gutter: gutter, text: text(event), isMarked: isMarked(event)))
    }

    drawMissing(trace.events.count)
    let headings = [""] + (subjects.count > 1 ? subjects.map(\.description) : [""])
    let widths = headings.indices.map { column in
      max(headings[column].count, rows.map(\.columns[column].count).max() ?? 0)
    }
    func line(_ columns: [String]) -> String {
      zip(columns, widths).map { $1 > 0 ? pad($0, $1 + 2) : "" }.joined()
    }

    let gutters = rows.map(\.gutter.count).max() ?? 0
    let head = line(headings).reversed().drop { $0 == " " }.reversed()
    return (subjects.count > 1 ? [String(head)] : [])
      + rows.map { row in
        let mark = row.isMarked ? " ◀" : ""
        let text = line(row.columns) + pad(row.gutter, gutters + 1) + row.text + mark
        return row.isBold ? style.bold(text) : text
      }
  }

  /// The subjects that have a state: the scenes, or the app when there are none.
  private static func subjects(_ trace: Trace) -> [Subject] {
    var state = LifecycleState()
    var scenes: Set<UInt32> = []
    for event in trace.events {
      state.fold(event)
      scenes.formUnion(state.scenes.map(\.number))
    }
    let all = scenes.sorted().map { Subject.scene($0) }
    return all.isEmpty ? [.app] : Array(all.prefix(columns))
  }

  private static func state(of subject: Subject, _ state: LifecycleState) -> String {
    if state.suspension != nil { return "suspended" }
    guard subject.kind == .scene else { return state.appState?.rawValue ?? "" }
    guard let activation = state.activation(ofScene: subject.number) else { return "" }
    return activation == .unattached ? activation.rawValue : activation.appState.rawValue
  }

  /// The event in notation, without its instant.
  private func text(_ event: Event) -> String {
    let line = TraceNotation.Printer(vocabulary: trace.vocabulary).line(event)
    guard let end = line.firstIndex(of: " ") else { return line }
    return String(line[end...].drop { $0 == " " })
  }
}

/// Bars beside the events, each in a place of its own from the beginning of a span to its end.
private struct Bars {
  /// The ordinal of the span's beginning, by place.
  private var places: [UInt64?] = []

  /// The bars between two events.
  var continued: String {
    places.map { $0 == nil ? " " : "│" }.joined()
  }

  /// The bars beside an event after which these spans are open.
  mutating func row(open: [OpenEvent], event: Event) -> String {
    let ordinals = Set(open.map(\.ordinal))
    let known = Set(places.compactMap(\.self))
    var marks = places.map { $0 == nil ? " " : "│" }

    for (place, ordinal) in places.enumerated() {
      guard let ordinal, !ordinals.contains(ordinal) else { continue }
      marks[place] = "└"
      places[place] = nil
    }

    for opener in open where !known.contains(opener.ordinal) {
      if let free = places.indices.first(where: { places[$0] == nil && marks[$0] == " " }) {
        places[free] = opener.ordinal
        marks[free] = "┌"
      } else {
        places.append(opener.ordinal)
        marks.append("┌")
      }
    }

    // An instant stands right of the bars that are open around it.
    if !marks.contains("└") && !marks.contains("┌") {
      let place = (marks.lastIndex { $0 != " " } ?? -1) + 1
      if place == marks.count { marks.append("·") } else { marks[place] = "·" }
    }

    while marks.last == " " { marks.removeLast() }
    while places.last == .some(nil) { places.removeLast() }
    return marks.joined()
  }
}
