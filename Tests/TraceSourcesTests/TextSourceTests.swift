import LifecycleModel
import Testing
import TraceSources

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
    #expect(events.map { source.lines?.line(of: $0) } == [3, 2, 5, 6, 7])
    #expect(events.map(\.sequence) == [1, 2, 1, 0, 5])
    // What is not of the text has no line.
    var other = events[0]
    other.sequence = 3
    #expect(source.lines?.line(of: other) == nil)
    other.writer = WriterID(rawValue: 900)
    #expect(source.lines?.line(of: other) == nil)
    other = events[3]
    other.instant = Instant(nanoseconds: 1)
    #expect(source.lines?.line(of: other) == nil)
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
        line 2, column 9: expected a blank after the column, found "!"; correct the line, or pass \
        --on-error=skip to record a gap in its place
        """
    }
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
        "line 2, column 1: expected a line of at most 1048576 bytes, found a longer")
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
      source.tally.description == "notation, 3 lines, 2 records, 1 line skipped, 1 gap, 3 events")
  }

  @Test(arguments: TextSource.Form.allCases)
  func aLineThatIsNotUTF8IsABadLine(form: TextSource.Form) {
    let bytes = Array("# gr".utf8) + [0xfc, 0x6e, 0x0a]
    #expect {
      _ = try notation(of: bytes, TextSource(form: form))
    } throws: {
      "\($0)".hasPrefix("line 1, column 5: expected UTF-8, found a byte that is none")
    }
  }

  @Test func whatStoodBeforeABadLineIsHandedOut() {
    var source = TextSource(form: .notation, isLive: true)
    var events: [Event] = []
    #expect(throws: SourceError.self) {
      try source.take(ArraySlice("1s - resume app\nbad\n".utf8), into: &events)
    }
    #expect(print(events, source.vocabulary) == "1s        -     resume        app")
  }

  @Test func aLiveInputGoesOutAtOnceAndInOrderWithinABatch() throws {
    var source = TextSource(form: .notation, isLive: true)
    var events: [Event] = []
    try source.take(ArraySlice("2s - suspend app\n1s - resume app\n3s - res".utf8), into: &events)
    #expect(
      print(events, source.vocabulary) == """
        1s        -     resume        app
        2s        -     suspend       app
        """)
  }
}
