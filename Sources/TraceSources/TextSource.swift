import LifecycleModel

/// Reads a trace that somebody else wrote, as notation or as NDJSON.
///
/// The lines of a file may stand in any order, so a file is held in memory and ordered at its end.
/// A live input is ordered within what has arrived between two calls.
public struct TextSource: TraceSource {
  /// The two text forms of a trace.
  public enum Form: String, CaseIterable, Sendable {
    /// The notation; the article `Events` of LifecycleModel, §6.
    case notation
    /// One JSON object a line; the article `Events` of LifecycleModel, §7.
    case ndjson
  }

  /// What is done with a line that cannot be read.
  public enum ErrorPolicy: String, CaseIterable, Sendable {
    /// The import ends with a ``SourceError``.
    case stop
    /// A `gap` with cause `source-hole` stands in the line's place.
    case skip
  }

  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  /// What was counted.
  public private(set) var tally = SourceTally()
  /// The lines of the events that were handed out; `nil` when they are not kept.
  public private(set) var lines: EventLines?

  private let form: Form
  private let isLive: Bool
  private let onError: ErrorPolicy
  private var splitter = LineSplitter()
  private var parser: NDJSON.Parser
  private var numbering = SequenceNumbering()
  private var held: [(event: Event, line: Int)] = []
  private var lastInstant = Instant.origin

  /// Makes a source for text in `form`; `isLive` when the input is a pipe that stays open.
  ///
  /// With `keepsLines` it can tell the line of each event, which takes 12 bytes an event.
  public init(
    form: Form, isLive: Bool = false, onError: ErrorPolicy = .stop, keepsLines: Bool = false
  ) {
    self.form = form
    self.isLive = isLive
    self.onError = onError
    lines = keepsLines ? EventLines() : nil
    parser = NDJSON.Parser(vocabulary: vocabulary)
    tally.form = form.rawValue
  }

  /// Takes the next bytes; a live source hands out the events of the lines that end in them.
  public mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws {
    // Moved out and not copied, so that the line it holds is not copied with each chunk.
    var splitter = LineSplitter()
    swap(&splitter, &self.splitter)
    // What stood before a bad line goes out also when the line ends the import.
    defer {
      self.splitter = splitter
      if isLive { handOut(into: &events) }
    }
    try splitter.take(bytes) { number, line in try take(line, number) }
    // What is no text may have no other line, and no end.
    if splitter.isOverlong && onError == .stop {
      try take(.tooLong(start: []), splitter.count + 1)
    }
  }

  /// Hands out what a live source has; a file is ordered only as a whole.
  public mutating func flush(into events: inout [Event]) {
    if isLive { handOut(into: &events) }
  }

  /// Forgets a line whose end has not come.
  public mutating func forgetUnfinishedLine() { splitter.forgetUnfinishedLine() }

  /// Takes a last line without an end; hands out all events that are left.
  public mutating func finish(into events: inout [Event]) throws {
    var splitter = splitter
    defer {
      self.splitter = splitter
      handOut(into: &events)
    }
    try splitter.finish { number, line in try take(line, number) }
  }

  private mutating func take(_ line: LineSplitter.Line, _ number: Int) throws {
    tally.lines += 1
    do {
      guard let event = try event(of: line) else { return }
      tally.records += 1
      lastInstant = event.instant
      held.append((event, number))
    } catch {
      guard onError == .skip else { throw SourceError(error, line: number) }
      tally.skipped += 1
      tally.gaps += 1
      let gap = Event(
        instant: lastInstant, writer: .system, verb: .gap, name: GapCause.sourceHole.symbol,
        value: 1, attributes: vocabulary.attributes([Attribute(.line, String(number))]))
      held.append((gap, number))
    }
  }

  private mutating func event(of line: LineSplitter.Line) throws(SyntaxError) -> Event? {
    guard case .whole(let bytes) = line else {
      throw SyntaxError(
        column: 1, expected: "a line of at most \(LineSplitter.maximumLength) bytes",
        found: "a longer one")
    }
    if let column = Self.columnOfInvalidUTF8(bytes) {
      throw SyntaxError(column: column, expected: "UTF-8", found: "a byte that is none")
    }
    switch form {
    case .notation: return try TraceNotation.parse(line: bytes, in: vocabulary)
    case .ndjson: return try parser.event(line: bytes)
    }
  }

  /// The column of the first character that is not UTF-8; `nil` when all are.
  private static func columnOfInvalidUTF8(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var column = 1
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: column += 1
      case .emptyInput: return nil
      case .error: return column
      }
    }
  }

  private mutating func handOut(into events: inout [Event]) {
    let isOrdered = zip(held, held.dropFirst()).allSatisfy { $0.event.instant <= $1.event.instant }
    // Those of one instant keep the order of their lines.
    if !isOrdered {
      held.sort { ($0.event.instant, $0.line) < ($1.event.instant, $1.line) }
    }
    events.reserveCapacity(events.count + held.count)
    for index in held.indices {
      numbering.number(&held[index].event, in: vocabulary)
      lines?.append(held[index].event, line: held[index].line)
      events.append(held[index].event)
    }
    tally.events += held.count
    held.removeAll(keepingCapacity: true)
  }
}
