import LifecycleModel
import Testing
import Traces

@testable import TraceLog

/// What is too long or too much for a block is cut, or goes into the next one; what was written is a
/// log, and says what was meant as far as it fits.
@Suite struct BlockLimitsTests {
  private func event(
    _ sequence: Int, _ writer: WriterID = .main, verb: Verb = .note, label: Symbol = .none,
    value: Int64? = nil, attributes: AttributesID = .none
  ) -> Event {
    Event(
      sequence: UInt64(sequence), instant: Instant(nanoseconds: Int64(sequence)), writer: writer,
      verb: verb, label: label, value: value, attributes: attributes)
  }

  private func expectWhole(_ log: LogBench) throws {
    #expect(try VerifyReport(LogReader(bytes: log.bytes)).problems == [])
    #expect(try LogSummary(bytes: log.bytes).eventCount == UInt64(log.written.events.count))
  }

  @Test func moreAttributesThanFitAreLeftOut() throws {
    let words = Vocabulary()
    let list = (0..<LogFormat.maxAttributes + 20).map { Attribute("key\($0)", "\($0)") }
    let log = try LogBench(
      Trace(vocabulary: words, events: [event(1, attributes: words.attributes(list))]))
    let read = try log.read()
    let id = try #require(read.events.first).attributes
    #expect(read.vocabulary.attributes(id) == Array(list.prefix(LogFormat.maxAttributes)))
    try expectWhole(log)
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5]) func longWordsAreCut(more: Int) throws {
    let words = Vocabulary()
    // Characters of one, two, three and four bytes meet the limit in all ways.
    let character = ["x", "ü", "☂", "😀"][more % 4]
    func long(_ limit: Int) -> String {
      String(repeating: "y", count: more) + String(repeating: character, count: limit + 1)
    }

    let list = [Attribute("long", long(LogFormat.maxAttributeTextBytes)), Attribute("short", "s")]
    let writer = try words.writer(long(LogFormat.maxWriterNameBytes))
    let log = try LogBench(
      Trace(
        vocabulary: words,
        events: [
          event(1, writer, label: words.symbol(long(LogFormat.maxTextBytes))),
          event(2, writer, attributes: words.attributes(list)),
        ]))

    let read = try log.read()
    let texts = [
      (read.vocabulary.name(of: read.events[0].writer), LogFormat.maxWriterNameBytes),
      (read.vocabulary.text(read.events[0].label), LogFormat.maxTextBytes),
      (
        read.vocabulary.attributes(read.events[1].attributes)[0].value,
        LogFormat.maxAttributeTextBytes
      ),
    ]

    for (text, limit) in texts {
      #expect(text.utf8.count <= limit && text.utf8.count > limit - 8, "\(limit)")
      #expect(text.hasSuffix("…") && !text.contains("\u{fffd}"), "\(limit)")
    }

    #expect(read.vocabulary.attributes(read.events[1].attributes)[1] == list[1])
    try expectWhole(log)
  }

  @Test func allVerbsThatAVocabularyHoldsAreWritten() throws {
    let words = Vocabulary()
    let verbs =
      try Verb.known.filter { $0 != .gap } + (0..<192).map { try words.verb("later.\($0)") }
    let log = try LogBench(
      Trace(vocabulary: words, events: verbs.enumerated().map { event($0 + 1, verb: $1) }))
    #expect(lines(try log.read()) == lines(log.written))
    let summary = try LogSummary(bytes: log.bytes)
    #expect(summary.hasUnknownVerbs && summary.verbs.count == Verb.known.count - 1)
    try expectWhole(log)
  }

  /// Each event has words of its own: lists, labels and writers by the thousand.
  @Test(arguments: 0..<3) func manyWordsMakeManyBlocks(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let words = Vocabulary()
    var sequences: [WriterID: Int] = [:]
    let events = try (0..<1200).map { number in
      let writer = try words.writer("thread \(Int.random(in: 0..<200, using: &random))")
      sequences[writer, default: 0] += 1
      let list = (0..<Int.random(in: 0...3, using: &random)).map {
        Attribute("k\($0)", String(repeating: "v\(number)", count: 40))
      }
      return Event(
        sequence: UInt64(sequences[writer] ?? 0), instant: Instant(nanoseconds: Int64(number)),
        writer: writer, verb: .note, label: words.symbol("label \(number)"),
        value: random.oneIn(2) ? Int64(number) : nil, attributes: words.attributes(list))
    }

    let log = try LogBench(Trace(vocabulary: words, events: events))
    #expect(lines(try log.read()) == lines(log.written), "seed \(seed)")
    for header in try headers(log) {
      #expect(header.writers.count <= LogFormat.maxWriters)
      #expect(header.payloadLength <= LogFormat.maxPayloadBytes)
    }
    try expectWhole(log)
  }

  /// Words that are short fill a block before its bytes do.
  @Test(arguments: [true, false]) func manyShortWordsMakeManyBlocks(areDistinct: Bool) throws {
    let words = Vocabulary()
    let events = (1...10_000).map { number in
      let list = (0..<8).map { Attribute("k\($0)", areDistinct ? "\(number).\($0)" : "\(number)") }
      return event(number, attributes: words.attributes(list))
    }
    let log = try LogBench(Trace(vocabulary: words, events: events))
    let headers = try headers(log)
    #expect(headers.count == 2, "\(headers.map(\.eventCount))")
    #expect(lines(try log.read()) == lines(log.written))
    try expectWhole(log)
  }

  /// A reader takes no memory for words that no writer puts into one block.
  @Test func moreWordsThanAWriterPutsIntoABlockAreDamage() throws {
    func read(texts: Int, lists: Int, attributes: Int) throws -> Int {
      var sink = ByteSink()
      sink.putVarint(UInt64(texts))
      for _ in 0..<texts { sink.putVarint(0) }
      sink.putVarint(UInt64(lists))
      for list in 0..<lists {
        let count = list < attributes / 64 ? 64 : list == attributes / 64 ? attributes % 64 : 0
        sink.putVarint(UInt64(count))
        for _ in 0..<2 * count { sink.putVarint(0) }
      }
      return try sink.bytes.withUnsafeBytes { bytes in
        var table = BlockWordTable()
        return try table.read(bytes).rest.count
      }
    }
    let (texts, lists) = (LogFormat.maxTexts, LogFormat.maxLists)
    let attributes = LogFormat.maxListedAttributes
    #expect(try read(texts: texts, lists: lists, attributes: attributes) == 0)
    #expect(throws: BlockDamage("there are too many texts")) {
      try read(texts: texts + 1, lists: 0, attributes: 0)
    }
    #expect(throws: BlockDamage("there are too many attribute lists")) {
      try read(texts: 0, lists: lists + 1, attributes: 0)
    }
    #expect(throws: BlockDamage("a list exceeds the limit")) {
      try read(texts: 0, lists: lists, attributes: attributes + 1)
    }
    // An event that still fits brings some words, and so does the one that a block has in any case.
    let most = LogFormat.fullWords + 2 * (2 * LogFormat.maxAttributes + 3)
    #expect(most < texts && most < attributes)
  }

  private func headers(_ log: LogBench) throws -> [BlockHeader] {
    var reader = try LogReader(bytes: log.bytes)
    var (headers, events): ([BlockHeader], [Event]) = ([], [])
    while try reader.read(into: &events) { headers += [reader.block].compactMap(\.self) }
    return headers
  }

  /// Blocks are chained: each has the next number, the checksum of the one before, and counts on.
  @Test(arguments: 0..<8) func blocksAreAChain(seed: UInt64) throws {
    print("seed \(seed)")
    var maker = RandomTrace(seed: seed)
    let log = try LogBench(maker.trace(200, isWild: false), eventsPerBlock: 17)
    let headers = try headers(log)
    var (chain, events) = (headers.first?.tag ?? 0, UInt64(0))

    for (number, header) in headers.enumerated() {
      #expect(header.number == UInt64(number) && header.chain == chain, "seed \(seed)")
      #expect(header.tag == headers[0].tag && header.eventsBefore == events)
      chain = header.checksumOfSelf
      events += UInt64(header.eventCount)
    }

    #expect(events == 200 && headers.count == 12)
    let bytes = headers.reduce(LogFormat.fileHeaderLength) {
      $0 + $1.headerLength + $1.payloadLength
    }
    #expect(bytes == log.bytes.count, "seed \(seed)")
  }

  /// Values that jump from one end of 64 bits to the other, and instants that do.
  @Test(arguments: 0..<6) func extremesComeBack(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let extremes: [Int64] = [.min, .max, 0, -1, 1, 1 << 62, -(1 << 62)]
    var trace = Trace()

    for number in 1...300 {
      var next = event(number)
      next.instant.nanoseconds = extremes.randomElement(using: &random) ?? 0
      next.value = random.oneIn(4) ? nil : extremes.randomElement(using: &random)
      next.subject = .task(random.oneIn(2) ? .max : UInt32(number))
      next.sequence = random.oneIn(9) ? LogFormat.maxNumber - UInt64(number) : UInt64(number)
      trace.events.append(next)
    }

    let log = try LogBench(trace, eventsPerBlock: 70)
    #expect(lines(try log.read()) == lines(trace), "seed \(seed)")
  }
}
