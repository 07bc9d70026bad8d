import LifecycleModel
import TraceText

/// Reads a trace that somebody else wrote, as notation or as NDJSON.
///
/// ``Order`` says how lines that are out of order are sorted. Memory: some megabytes and what is distinct
/// in the text, however long it is.
public struct TextSource: TraceSource {
  /// The two text forms of a trace.
  public enum Form: String, CaseIterable, Sendable {
    /// The notation; the article `Events` of LifecycleModel, §6.
    case notation
    /// One JSON object a line; the article `Events` of LifecycleModel, §7.
    case ndjson
  }

  /// How lines that stand in another order than their instants are put right.
  public enum Order: Sendable {
    /// In memory, within the nearest ``reach`` lines, and in a text of at most twice as many lines from
    /// anywhere; a line that comes from farther away is an error.
    case nearby
    /// Within what has arrived between two calls, for an input that stays open. A line that comes later
    /// gets the instant of the event before it, and is counted. One that is earlier by more than 10 s means
    /// that the clock was set back, and what follows becomes later by as much.
    case live

    /// A line that is at most this many lines out of order is always sorted.
    public static let reach = 1 << 15
  }

  /// What is done with a line that cannot be read.
  public enum ErrorPolicy: String, CaseIterable, Sendable {
    /// The import ends with a ``SourceError``.
    case stop
    /// A `gap` with cause `source-hole` stands in the line's place; an input in which no line can be
    /// read ends with a ``SourceError`` nevertheless.
    case skip
  }

  /// The most events that are handed out at once.
  private static let batch = 1 << 13

  /// The words that the events refer to.
  public let vocabulary = Vocabulary()
  /// What was counted.
  public private(set) var tally = SourceTally()
  /// The lines of the events that were handed out; `nil` when they are not kept.
  public private(set) var lines: EventLines?

  private let form: Form
  private let order: Order
  private let onError: ErrorPolicy
  private let splitter = LineSplitter()
  private let notation: TraceNotation.Parser
  private var ndjson: NDJSON.Parser
  private var isFinished = false
  /// Why the text cannot be read, until all that stood before is handed out.
  private var fault: (any Error)?
  private var numbering = SequenceNumbering()
  private var held: [(event: Event, line: Int)] = []
  /// How many of those that are held, from the first on, have their words held back.
  private var heldBackCount = 0
  /// The instant of the last line, as the line says it.
  private var lastInstant = Instant.origin
  /// The clock of a live input.
  private var clock = ForwardClock()
  /// Why the first line was skipped that was.
  private var firstFault: SourceError?
  /// Whether those that are held stand in order.
  private var isOrdered = true
  /// The instant of the event that was handed out last.
  private var handedOut = Instant.distantPast

  /// Makes a source for text in `form`.
  ///
  /// With `keepsLines` it knows the line of each event, which takes about a byte an event.
  public init(
    form: Form, order: Order = .nearby, onError: ErrorPolicy = .stop, keepsLines: Bool = false
  ) {
    self.form = form
    self.order = order
    self.onError = onError
    lines = keepsLines ? EventLines() : nil
    notation = TraceNotation.Parser(vocabulary: vocabulary)
    ndjson = NDJSON.Parser(vocabulary: vocabulary)
    tally.form = form.rawValue
    if order == .nearby { held.reserveCapacity(2 * Order.reach + 3 * TextSource.batch) }
  }

  /// Takes the next bytes; hands out the events whose place is known.
  public mutating func take(_ bytes: ArraySlice<UInt8>, into events: inout [Event]) throws {
    do {
      try splitter.take(bytes) { number, line in try take(line, number) }
      // What is no text may have no other line, and no end.
      if splitter.isOverlong && onError == .stop {
        try take(nil, splitter.count + 1)
      }
    } catch {
      // What stands before a bad line goes out also when the line ends the import.
      if isText { handOut(held.count, into: &events) }
      throw error
    }

    switch order {
    case .nearby:
      // What has its place in any case, once enough is held.
      if held.count >= 2 * Order.reach + TextSource.batch {
        handOut(held.count - 2 * Order.reach, into: &events)
      }
    case .live: if isText { handOut(held.count, into: &events) }
    }
    holdWordsBack()
  }

  /// Whether a line could be read: the gaps of a text of which none can are nothing to record.
  ///
  /// Of much that is no text they are handed out all the same, so that they are not held.
  private var isText: Bool { tally.records > 0 || held.count >= 1 << 16 }

  /// Hands out what a live source has; a file is ordered only as a whole.
  public mutating func flush(into events: inout [Event]) {
    if order == .live { handOut(held.count, into: &events) }
  }

  /// Forgets a line whose end has not come.
  public mutating func forgetUnfinishedLine() { splitter.forgetUnfinishedLine() }

  /// Takes a last line without an end; hands out all events that are left.
  public mutating func finish(into events: inout [Event]) throws {
    while try drain(into: &events) {}
  }

  /// Takes a last line without an end; hands out the next events of those that are left.
  public mutating func drain(into events: inout [Event]) throws -> Bool {
    // What stood before a bad last line goes out, too.
    if !isFinished { fault = lastFault() }
    if let fault, tally.records == 0 { throw fault }
    let count = min(held.count, TextSource.batch)
    handOut(count, into: &events)
    holdWordsBack()
    if count == TextSource.batch { return true }
    if let fault { throw fault }
    return false
  }

  /// Takes a last line without an end; returns why the text cannot be read, if it cannot.
  private mutating func lastFault() -> (any Error)? {
    isFinished = true
    do {
      try splitter.finish { number, line in try take(line, number) }
      return tally.records == 0 ? firstFault : nil
    } catch {
      return error
    }
  }

  private mutating func take(_ line: LineSplitter.Line, _ number: Int) throws {
    tally.lines += 1
    do {
      guard var event = try event(of: line) else { return }
      tally.records += 1
      lastInstant = event.instant
      if order == .live {
        place(&event)
      } else if event.instant < handedOut {
        throw SourceError(
          .outOfOrder, line: number,
          expected: "a line at most \(Order.reach) lines out of order",
          found: "a line that is \(InstantText.print(handedOut.since(event.instant))) too late",
          remedy: "sort the lines by time first, or record them in order")
      }
      hold(event, number)
    } catch let error as SyntaxError {
      var fault = SourceError(error, line: number)
      guard onError == .skip else { throw fault }
      fault.remedy = "no line of the input can be read: is it in the form that --source names?"
      firstFault = firstFault ?? fault
      tally.skipped += 1
      hold(gap(number), number)
    }
  }

  /// What stands in the place of a line that cannot be read.
  private func gap(_ number: Int) -> Event {
    let instant = max(lastInstant.advanced(by: clock.shift), handedOut)
    return Event(
      instant: instant, writer: .system, verb: .gap, name: GapCause.sourceHole.symbol,
      value: 1, attributes: vocabulary.attributes([Attribute(.line, String(number))]))
  }

  /// Puts an event of a live input behind what was handed out.
  private mutating func place(_ event: inout Event) {
    event.instant = clock.instant(of: event.instant)
    tally.clockSteps = clock.stepCount
    guard event.instant < handedOut else { return }
    event.instant = handedOut
    tally.late += 1
  }

  /// Keeps an event until its place is known.
  private mutating func hold(_ event: Event, _ number: Int) {
    if let last = held.last, event.instant < last.event.instant { isOrdered = false }
    held.append((event, number))
  }

  private mutating func event(of line: LineSplitter.Line) throws(SyntaxError) -> Event? {
    guard let bytes = line else {
      throw SyntaxError(
        column: 1, expected: "a line of at most \(LineSplitter.maximumLength) bytes",
        found: "a longer line")
    }

    if let column = Self.columnOfInvalidUTF8(bytes) {
      throw SyntaxError(column: column, expected: "UTF-8", found: "an invalid byte")
    }
    // A line of NDJSON that gives no time has that of the line before it.
    return switch form {
    case .notation: try notation.event(line: bytes)
    case .ndjson: try ndjson.event(line: bytes, after: lastInstant)
    }
  }

  /// The column of the first character that is not UTF-8; `nil` when all are.
  private static func columnOfInvalidUTF8(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.withUnsafeBufferPointer({ $0.isASCII || $0.utf8Text != nil }) { return nil }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var column = 1
    while case .scalarValue = decoder.decode(&iterator) { column += 1 }
    return column
  }

  /// Keeps the words of what is held, when whoever reads the events may forget some.
  private mutating func holdWordsBack() {
    guard vocabulary.isLarge else { return }
    if heldBackCount == 0 { vocabulary.heldBack = VocabularyUse() }
    for entry in held[heldBackCount...] { vocabulary.heldBack.add(entry.event) }
    heldBackCount = held.count
  }

  /// Hands out the first `count` of those that are held, in order.
  private mutating func handOut(_ count: Int, into events: inout [Event]) {
    // Those of one instant keep the order of their lines.
    if !isOrdered {
      held.sort { ($0.event.instant, $0.line) < ($1.event.instant, $1.line) }
      isOrdered = true
    }

    for index in 0..<count {
      numbering.number(&held[index].event, in: vocabulary)
      lines?.append(held[index].event, line: held[index].line)
      if held[index].event.verb == .gap { tally.gaps += 1 }
      events.append(held[index].event)
    }

    if count > 0 { handedOut = held[count - 1].event.instant }
    tally.events += count
    heldBackCount = 0
    if count == held.count {
      held.removeAll(keepingCapacity: true)
    } else {
      held.removeFirst(count)
    }
  }
}
