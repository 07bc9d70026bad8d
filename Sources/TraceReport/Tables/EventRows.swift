import LifecycleModel
import TraceText

/// Makes rows of `events`: the words of a log are looked up once in a chunk, and not for each row.
struct EventRows {
  private let vocabulary: Vocabulary
  private let log: String
  private var logPlace: Int64?
  private var names = WordPlaces()
  private var labels = WordPlaces()
  private var verbs = WordPlaces()
  private var writers = WordPlaces()
  private var attributes = WordPlaces()
  private var subjects: [UInt64: Int64] = [:]
  private var states = WordPlaces()
  private var generation = 0

  init(_ vocabulary: Vocabulary, of log: String) { (self.vocabulary, self.log) = (vocabulary, log) }

  /// Adds the row of an event.
  mutating func add(
    _ event: Event, number: UInt64, process: Int?, app: AppState?, to chunk: inout TableChunk
  ) {
    if chunk.rowCount == 0 || generation != vocabulary.generation { forget() }
    logPlace = logPlace ?? chunk.columns[0].place(of: log)
    chunk.columns[0].add(logPlace)
    chunk.columns[1].add(Int64(clamping: number))
    chunk.columns[2].add(event.instant.nanoseconds)
    // A closure that captured all of the rows would copy them.
    let vocabulary = vocabulary
    writers.add(UInt32(event.writer.rawValue), to: &chunk.columns[3]) {
      vocabulary.name(of: event.writer)
    }
    chunk.columns[4].add(event.verb == .gap ? nil : Int64(clamping: event.sequence))
    verbs.add(UInt32(event.verb.code), to: &chunk.columns[5]) { vocabulary.word(of: event.verb) }
    names.add(event.name.number, to: &chunk.columns[6]) { vocabulary.text(event.name) }
    chunk.columns[7].add(subject(event, &chunk.columns[7]))
    labels.add(event.label.number, to: &chunk.columns[8]) { vocabulary.text(event.label) }
    chunk.columns[9].add(event.value)
    add(event.attributes, to: &chunk.columns[10])
    chunk.columns[11].add(process.map(Int64.init))
    states.add(app?.place, to: &chunk.columns[12]) { app?.rawValue ?? "" }
    chunk.endRow()
  }

  private mutating func forget() {
    generation = vocabulary.generation
    logPlace = nil
    names = WordPlaces()
    labels = WordPlaces()
    verbs = WordPlaces()
    writers = WordPlaces()
    attributes = WordPlaces()
    subjects.removeAll()
    states = WordPlaces()
  }

  // MARK: Places of words

  private mutating func subject(_ event: Event, _ column: inout TableChunk.Column) -> Int64? {
    if event.subjectKind == .none || !column.isWanted { return nil }
    if let place = subjects[event.subject.key] { return place }
    let place = column.place(of: event.subject.description)
    // As many as there are scenes and tasks in a hundred thousand events.
    subjects[event.subject.key] = place
    return place
  }

  private mutating func add(_ id: AttributesID, to column: inout TableChunk.Column) {
    let vocabulary = vocabulary
    func text() -> String { TableText.json(vocabulary.attributes(id)) }
    // There are as many lines as events.
    if id.line != nil { return column.add(text()) }
    attributes.add(id.isNone ? nil : id.rawValue, to: &column, text)
  }
}

extension Symbol {
  /// Its number; `nil` of the empty word.
  fileprivate var number: UInt32? { isNone ? nil : rawValue }
}

extension AppState {
  /// Its place among all states.
  fileprivate var place: UInt32 {
    switch self {
    case .notRunning: 0
    case .inactive: 1
    case .active: 2
    case .background: 3
    case .suspended: 4
    }
  }
}

/// The places of numbered words among the texts of a column.
private struct WordPlaces {
  private var places: [Int64] = []

  /// Adds the word with this number, which `text` gives when it is new, or NULL.
  @inline(__always)
  mutating func add(
    _ number: UInt32?, to column: inout TableChunk.Column, _ text: () -> String
  ) {
    guard column.isWanted else { return }
    guard let number = number.map({ Int($0) }) else { return column.addNull() }
    while places.count <= number { places.append(-1) }
    if places[number] < 0 { places[number] = column.place(of: text()) }
    column.add(places[number])
  }
}

/// Values of tables as texts.
enum TableText {
  /// Attributes as a JSON object; `nil` without any.
  static func json(_ attributes: [Attribute]) -> String {
    let members = attributes.map { JSONText.quoted($0.key) + ":" + JSONText.quoted($0.value) }
    return "{" + members.joined(separator: ",") + "}"
  }
}
