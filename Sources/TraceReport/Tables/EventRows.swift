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
    chunk.columns[3].add(writer(event.writer, &chunk.columns[3]))
    chunk.columns[4].add(event.verb == .gap ? nil : Int64(clamping: event.sequence))
    chunk.columns[5].add(verb(event.verb, &chunk.columns[5]))
    chunk.columns[6].add(name(event.name, &chunk.columns[6]))
    chunk.columns[7].add(subject(event, &chunk.columns[7]))
    chunk.columns[8].add(label(event.label, &chunk.columns[8]))
    chunk.columns[9].add(event.value)
    chunk.columns[10].add(attributes(event.attributes, &chunk.columns[10]))
    chunk.columns[11].add(process.map(Int64.init))
    chunk.columns[12].add(state(app, &chunk.columns[12]))
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

  private mutating func writer(_ writer: WriterID, _ column: inout TableChunk.Column) -> Int64? {
    guard column.isWanted else { return nil }
    // A closure that captured all of the rows would copy them.
    let vocabulary = vocabulary
    return writers.place(UInt32(writer.rawValue), in: &column) { vocabulary.name(of: writer) }
  }

  private mutating func verb(_ verb: Verb, _ column: inout TableChunk.Column) -> Int64? {
    guard column.isWanted else { return nil }
    let vocabulary = vocabulary
    return verbs.place(UInt32(verb.code), in: &column) { vocabulary.word(of: verb) }
  }

  private mutating func name(_ word: Symbol, _ column: inout TableChunk.Column) -> Int64? {
    if word.isNone || !column.isWanted { return nil }
    let vocabulary = vocabulary
    return names.place(word.rawValue, in: &column) { vocabulary.text(word) }
  }

  private mutating func label(_ word: Symbol, _ column: inout TableChunk.Column) -> Int64? {
    if word.isNone || !column.isWanted { return nil }
    let vocabulary = vocabulary
    return labels.place(word.rawValue, in: &column) { vocabulary.text(word) }
  }

  private mutating func subject(_ event: Event, _ column: inout TableChunk.Column) -> Int64? {
    if event.subjectKind == .none || !column.isWanted { return nil }
    if let place = subjects[event.subject.key] { return place }
    let place = column.place(of: event.subject.description)
    // As many as there are scenes and tasks in a hundred thousand events.
    subjects[event.subject.key] = place
    return place
  }

  private mutating func attributes(
    _ id: AttributesID, _ column: inout TableChunk.Column
  ) -> Int64? {
    if id.isNone || !column.isWanted { return nil }
    if id.line != nil { return column.place(of: TableText.json(vocabulary.attributes(id))) }
    let vocabulary = vocabulary
    return attributes.place(id.rawValue, in: &column) {
      TableText.json(vocabulary.attributes(id))
    }
  }

  private mutating func state(_ app: AppState?, _ column: inout TableChunk.Column) -> Int64? {
    guard let app, column.isWanted else { return nil }
    return states.place(app.place, in: &column) { app.rawValue }
  }
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

  /// The place of the word with this number, which `text` gives when it is new.
  @inline(__always)
  mutating func place(
    _ number: UInt32, in column: inout TableChunk.Column, _ text: () -> String
  ) -> Int64 {
    if number < places.count, places[Int(number)] >= 0 { return places[Int(number)] }
    while places.count <= number { places.append(-1) }
    places[Int(number)] = column.place(of: text())
    return places[Int(number)]
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
