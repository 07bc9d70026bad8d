import LifecycleModel
import Testing
import TraceSources
import TraceText

struct TextSourceTests {
  private let unordered = """
    # lines may stand in any order
    2s - state active->inactive app
    1s - state inactive->active app

    3s main notify UIApplication.willResignActiveNotification app
    """
  private let ordered = """
    1s        -     state         inactive->active app
    2s        -     state         active->inactive app
    3s        main  notify        UIApplication.willResignActiveNotification app
    """

  @Test(arguments: [1, 7, Int.max])
  func aFileIsOrderedAsAWhole(chunk: Int) throws {
    #expect(try notation(of: unordered.utf8, TextSource(form: .notation), chunk: chunk) == ordered)
  }

  @Test func eventsAreNumberedPerWriter() throws {
    var source = TextSource(form: .notation)
    var events: [Event] = []
    try source.take(ArraySlice(unordered.utf8), into: &events)
    try source.finish(into: &events)
    #expect(events.map(\.sequence) == [1, 2, 1])
  }

  @Test(arguments: [1, 7, Int.max])
  func theLineOfAnEventIsKnown(chunk: Int) throws {
    let text = unordered + "\r\n4s - gap source-hole 3 writer=main from=2 to=4\r\n5s main note\n"
    var source = TextSource(form: .notation, keepsLines: true)
    var events: [Event] = []
    let bytes = Array(text.utf8)

    for start in stride(from: 0, to: bytes.count, by: min(chunk, bytes.count)) {
      try source.take(
        bytes[start..<min(bytes.count, start + min(chunk, bytes.count))], into: &events)
    }

    try source.finish(into: &events)
    #expect(events.map { source.lines?.line(of: $0, in: source.vocabulary) } == [3, 2, 5, 6, 7])
    #expect(events.map(\.sequence) == [1, 2, 1, 0, 5])

    // What is not of the text has no line.
    var other = events[0]
    other.sequence = 3
    #expect(source.lines?.line(of: other, in: source.vocabulary) == nil)
    other.writer = WriterID(rawValue: 900)
    #expect(source.lines?.line(of: other, in: source.vocabulary) == nil)
    other = events[3]
    other.instant = Instant(nanoseconds: 1)
    #expect(source.lines?.line(of: other, in: source.vocabulary) == nil)
    #expect(TextSource(form: .notation).lines == nil)
  }

  @Test func ndjsonIsReadLineByLine() throws {
    let text = """
      {"t":5000000,"writer":"main","verb":"work","name":"timer","subject":"scene:1"}
      {"t":4000000,"verb":"resume","subject":"app"}
      """
    #expect(
      try notation(of: text.utf8, TextSource(form: .ndjson)) == """
        4ms       -     resume        app
        5ms       main  work          timer scene:1
        """)
  }

  @Test func aBadLineEndsTheImportAndSaysWhere() {
    #expect {
      _ = try notation(of: "1s - resume app\n2s - cal!\n".utf8, TextSource(form: .notation))
    } throws: {
      "\($0)" == """
        line 2, column 9: expected a space after the column, found "!"; correct the line, or pass \
        --on-error=skip to record a gap instead
        """
    }
  }

  @Test func anInputOfSkippedLinesAloneIsAnError() throws {
    #expect {
      _ = try notation(of: "# a\nfoo\nbar\n".utf8, TextSource(form: .notation, onError: .skip))
    } throws: {
      "\($0)".hasPrefix("line 2, column 1: expected a time with its unit")
        && "\($0)".hasSuffix(
          "; no line of the input can be read: is it in the form that --source names?")
    }
    let empty = try notation(of: "# a\n".utf8, TextSource(form: .notation, onError: .skip))
    #expect(empty == "")
  }

  @Test func aLineThatMayNeverEndIsAnErrorAtOnce() throws {
    let endless = ArraySlice(repeating: UInt8(ascii: "x"), count: 1 << 20)
    var source = TextSource(form: .notation)
    var events: [Event] = []
    try source.take(ArraySlice("1s - resume app\n".utf8), into: &events)
    try source.take(endless, into: &events)

    #expect {
      try source.take(endless, into: &events)
    } throws: {
      "\($0)".hasPrefix(
        "line 2, column 1: expected a line of at most 1048576 bytes, found a longer line")
    }
  }

  @Test func aBadLineCanBecomeAGapInItsPlace() throws {
    let text = "1s - resume app\nnonsense\n3s - suspend app\n"
    var source = TextSource(form: .notation, onError: .skip)
    var events: [Event] = []
    try source.take(ArraySlice(text.utf8), into: &events)
    try source.finish(into: &events)
    #expect(
      print(events, source.vocabulary) == """
        1s        -     resume        app
        1s        -     gap           source-hole 1 line=2
        3s        -     suspend       app
        """)
    #expect(
      source.tally.description == "notation, 3 lines, 2 records, 1 line skipped, 1 gap, 2 events")
  }

  @Test(arguments: TextSource.Form.allCases)
  func aLineThatIsNotUTF8IsABadLine(form: TextSource.Form) {
    let bytes = Array("# gr".utf8) + [0xfc, 0x6e, 0x0a]
    #expect {
      _ = try notation(of: bytes, TextSource(form: form))
    } throws: {
      "\($0)".hasPrefix("line 1, column 5: expected UTF-8, found an invalid byte")
    }
  }

  @Test func whatStoodBeforeABadLineIsHandedOut() {
    var source = TextSource(form: .notation, order: .live)
    var events: [Event] = []
    #expect(throws: SourceError.self) {
      try source.take(ArraySlice("1s - resume app\nbad\n".utf8), into: &events)
    }
    #expect(print(events, source.vocabulary) == "1s        -     resume        app")
  }

  @Test func aLiveInputGoesOutAtOnceAndInOrderWithinABatch() throws {
    var source = TextSource(form: .notation, order: .live)
    var events: [Event] = []
    try source.take(ArraySlice("2s - suspend app\n1s - resume app\n3s - res".utf8), into: &events)
    #expect(
      print(events, source.vocabulary) == """
        1s        -     resume        app
        2s        -     suspend       app
        """)
  }

  /// No event goes back in a log.
  @Test func aLiveLineThatComesTooLateIsToldAtTheInstantBeforeIt() throws {
    let (text, tally) = try live(
      "5s - suspend app\n", "3s - resume app\nbad\n", "bad\n6s - resume app\n")
    #expect(
      text == """
        5s        -     suspend       app
        5s        -     resume        app
        5s        -     gap           source-hole 1 line=3
        5s        -     gap           source-hole 1 line=4
        6s        -     resume        app
        """)
    #expect(tally.late == 1 && tally.clockSteps == 0 && tally.skipped == 2)
  }

  /// What lasts long stays long when the clock is set back by an hour: an app in the background for a minute
  /// must not seem to have been there for no time.
  @Test func aLiveClockThatIsSetBackIsShifted() throws {
    let (text, tally) = try live(
      "4000s - suspend app\n", "400s - resume app\n460s - suspend app\n465s - resume app\nbad\n")
    #expect(
      text == """
        4000s     -     suspend       app
        4000s     -     resume        app
        4060s     -     suspend       app
        4065s     -     resume        app
        4065s     -     gap           source-hole 1 line=5
        """)
    #expect(tally.clockSteps == 1 && tally.late == 0)
  }

  /// What a live input hands out of texts that arrive one after the other.
  private func live(_ texts: String...) throws -> (text: String, tally: SourceTally) {
    var source = TextSource(form: .notation, order: .live, onError: .skip)
    var events: [Event] = []
    for text in texts { try source.take(ArraySlice(text.utf8), into: &events) }
    return (print(events, source.vocabulary), source.tally)
  }

  /// Lines by number, each a millisecond after the other, with these exchanged.
  private func text(_ count: Int, exchanging pairs: [(Int, Int)] = []) -> [UInt8] {
    var times = Array(0..<count)
    for (one, other) in pairs { times.swapAt(one, other) }
    return Array(
      times.map { "{\"t\":\($0)000000,\"writer\":\"main\",\"verb\":\"note\"}\n" }.joined().utf8)
  }

  @Test func whatIsNearbyIsPutRightInBoundedMemory() throws {
    let reach = TextSource.Order.reach
    let count = 5 * reach
    let bytes = text(
      count, exchanging: [(1, reach), (2 * reach - 5, 3 * reach - 6), (count - 1, count - 2)])

    var source = TextSource(form: .ndjson, order: .nearby, keepsLines: true)
    var events: [Event] = []
    var largest = 0
    for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
      let before = events.count
      try source.take(bytes[start..<min(bytes.count, start + 1 << 16)], into: &events)
      largest = max(largest, events.count - before)
    }

    #expect(largest <= reach + 1 << 16)
    let rest = events.count
    try source.finish(into: &events)
    #expect(rest > 0 && events.count - rest <= 3 * reach)
    #expect(events.map(\.instant.nanoseconds) == (0..<count).map { Int64($0) * 1_000_000 })
    #expect(source.lines?.line(of: events[1], in: source.vocabulary) == reach + 1)
    #expect(source.lines?.line(of: events[count - 1], in: source.vocabulary) == count - 1)
  }

  @Test func whatIsFarAwayIsRefused() throws {
    let reach = TextSource.Order.reach
    let bytes = text(4 * reach, exchanging: [(0, 4 * reach - 1)])
    #expect {
      var source = TextSource(form: .ndjson, order: .nearby)
      var events: [Event] = []
      for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
        try source.take(bytes[start..<min(bytes.count, start + 1 << 16)], into: &events)
      }
    } throws: { error in
      "\(error)".hasPrefix("line \(4 * reach): expected a line at most 32768 lines out of order")
        && "\(error)".hasSuffix(
          "; sort the lines by time first, or record them in order")
    }
  }

  /// More events than one batch stand before a last line that cannot be read.
  @Test(arguments: ["{\"t\":", "{\"t\":\n"])
  func allThatStoodBeforeABadLastLineGoesOut(last: String) throws {
    let count = 20_000
    var source = TextSource(form: .ndjson)
    var events: [Event] = []
    for number in 1...count {
      try source.take(ArraySlice("{\"t\":\(number),\"verb\":\"note\"}\n".utf8), into: &events)
    }
    #expect(throws: SourceError.self) {
      try source.take(ArraySlice(last.utf8), into: &events)
      try source.finish(into: &events)
    }
    #expect(events.map(\.instant.nanoseconds) == (1...count).map(Int64.init))
  }

  /// As many lines as memory holds, each as far from its place as it can be.
  @Test func aTextInReverseOrderIsPutRightInBatches() throws {
    let count = 2 * TextSource.Order.reach
    var source = TextSource(form: .ndjson, order: .nearby, onError: .skip, keepsLines: true)
    var events: [Event] = []
    for number in (1...count).reversed() {
      let line =
        number == 7 ? "bad" : "{\"t\":\(number),\"verb\":\"note\",\"label\":\"w\(number % 9)\"}"
      try source.take(ArraySlice("\(line)\n".utf8), into: &events)
    }
    #expect(events.isEmpty)

    var (batch, isLeft, next): ([Event], Bool, Int64) = ([], true, 1)
    while isLeft {
      batch.removeAll()
      isLeft = try source.drain(into: &batch)
      #expect(batch.count <= 1 << 13)
      for event in batch where event.verb != .gap {
        if next == 7 { next += 1 }
        #expect(event.instant.nanoseconds == next)
        #expect(source.vocabulary.text(event.label) == "w\(next % 9)")
        #expect(source.lines?.line(of: event, in: source.vocabulary) == count + 1 - Int(next))
        next += 1
      }
    }
    #expect(next == Int64(count) + 1)
    #expect(
      source.tally.description.hasPrefix("ndjson, 65536 lines, 65535 records, 1 line skipped"))
  }

  @Test(arguments: [1, 2, 700])
  func linesOfEventsAreKnownHoweverTheyLie(run: Int) {
    var lines = EventLines()
    var expected: [(Event, Int)] = []
    var line = 0
    var sequence: UInt64 = 0

    for index in 0..<3000 {
      line += index % 97 == 0 ? 100_000 : index % 13 == 0 ? -2 : index % run == 0 ? 70 : 1
      sequence += index % 150 == 0 ? 1_000_000 : 1
      let event = Event(sequence: sequence, instant: .origin, writer: .main, verb: .note)
      lines.append(event, line: line)
      expected.append((event, line))
    }

    let vocabulary = Vocabulary()
    for (event, line) in expected { #expect(lines.line(of: event, in: vocabulary) == line) }
    let other = Event(sequence: 5, instant: .origin, writer: .main, verb: .note)
    #expect(lines.line(of: other, in: vocabulary) == nil)
    let late = Event(sequence: sequence + 1, instant: .origin, writer: .main, verb: .note)
    #expect(lines.line(of: late, in: vocabulary) == nil)
  }
}
