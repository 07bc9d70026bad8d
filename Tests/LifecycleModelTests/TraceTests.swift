import Testing
import Traces

@testable import LifecycleModel

/// Traces in memory: their order, their numbers, and when two say the same.
@Suite struct TraceTests {
  /// Events of few instants, so that many are equal; the value is the place in which each was made.
  private func shuffled(_ seed: UInt64) throws -> Trace {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var trace = Trace()
    let writers = try ["-", "main", "db", "net"].map { try trace.vocabulary.writer($0) }

    for place in 0..<80 {
      trace.events.append(
        Event(
          instant: Instant(nanoseconds: Int64.random(in: 0..<12, using: &random)),
          writer: writers.randomElement(using: &random) ?? .main, verb: .note,
          value: Int64(place)))
    }
    return trace
  }

  @Test(arguments: 0..<20) func eventsAreInOrderAndNumbered(seed: UInt64) throws {
    let before = try shuffled(seed)
    var trace = before
    trace.orderAndNumber()
    #expect(Set(trace.events.compactMap(\.value)).count == before.events.count)

    for (first, second) in zip(trace.events, trace.events.dropFirst()) {
      #expect(
        (first.instant, first.rawValue) < (second.instant, second.rawValue), "seed \(seed)")
    }

    for (_, events) in Dictionary(grouping: trace.events, by: \.writer) {
      #expect(events.map(\.sequence) == Array(1...UInt64(events.count)), "seed \(seed)")
    }
    let once = trace.events
    trace.orderAndNumber()
    #expect(trace.events == once, "seed \(seed)")
  }

  @Test func aGapMovesItsWriterOn() throws {
    var trace = Trace()
    let words = trace.vocabulary
    let database = try words.writer("db")
    func note(_ time: Int64, _ writer: WriterID) -> Event {
      Event(instant: Instant(nanoseconds: time), writer: writer, verb: .note)
    }
    func gap(_ time: Int64, _ gap: Gap) -> Event {
      gap.event(at: Instant(nanoseconds: time), in: words)
    }
    trace.events = [
      note(1, .main), gap(2, Gap(.ringFull, writer: "main", from: 2, to: 9)), note(3, .main),
      note(4, database), gap(5, Gap(.ringFull)), note(6, database),
      // A gap never takes a count back, and may name a writer that nobody saw.
      gap(7, Gap(.ringFull, writer: "main", from: 1, to: 3)), note(8, .main),
      gap(9, Gap(.ringFull, writer: "late", from: 1, to: 4)), note(10, try words.writer("late")),
    ]
    trace.orderAndNumber()
    #expect(trace.events.map(\.sequence) == [1, 0, 10, 1, 0, 2, 0, 11, 0, 5])
  }

  /// The same trace in other words: the ids of a vocabulary say nothing.
  private func translated(_ trace: Trace) throws -> Trace {
    let words = Vocabulary()
    _ = words.symbol("something else")
    _ = try words.writer("somebody else")
    _ = try words.verb("another.verb")
    _ = words.attributes([Attribute("another", "list")])
    return Trace(
      vocabulary: words,
      events: try trace.events.map { event in
        let old = trace.vocabulary
        return Event(
          sequence: event.sequence, instant: event.instant,
          writer: try words.writer(old.name(of: event.writer)),
          verb: try words.verb(old.word(of: event.verb)), name: words.symbol(old.text(event.name)),
          subject: event.subject, label: words.symbol(old.text(event.label)), value: event.value,
          attributes: words.attributes(old.attributes(event.attributes)))
      })
  }

  @Test(arguments: 0..<10) func tracesAreEqualInOtherWords(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 60)
    let other = try translated(trace)
    #expect(trace == other, "seed \(seed)")
    #expect(trace != Trace(vocabulary: trace.vocabulary, events: trace.events.dropLast()))

    for index in trace.events.indices where index % 7 == 0 {
      for change in Self.changes {
        var changed = other
        change(&changed.events[index], changed.vocabulary)
        #expect(trace != changed, "seed \(seed), event \(index)")
      }
    }
  }

  /// Each makes an event another one.
  private static let changes: [@Sendable (inout Event, Vocabulary) -> Void] = [
    { event, _ in event.sequence &+= 1 },
    { event, _ in event.instant = event.instant.nanoseconds == 0 ? .distantPast : .origin },
    { event, _ in event.writer = event.writer == .main ? .system : .main },
    { event, _ in event.verb = event.verb == .note ? .work : .note },
    { event, words in event.name = words.symbol(words.text(event.name) + "?") },
    { event, _ in event.subject = event.subject == .app ? .nil : .app },
    { event, words in event.label = words.symbol(words.text(event.label) + "?") },
    { event, _ in event.value = event.value == nil ? 0 : nil },
    { event, words in
      event.attributes = words.attributes(
        words.attributes(event.attributes) + [Attribute("one", "more")])
    },
  ]

  @Test func aStreamGivesItsTraceOnce() throws {
    let trace = try shuffled(1)
    var stream = TraceStream(trace)
    let read = try stream.readAll()
    #expect(read == trace && read.vocabulary === trace.vocabulary)
    #expect(try stream.readAll().events.isEmpty)
  }
}
