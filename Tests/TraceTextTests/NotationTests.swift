import LifecycleModel
import Testing
import Traces

@testable import TraceText

@Suite struct NotationTests {
  /// The example of the article `Events`, as its columns come out.
  static let example = """
    0s        -     profile       mode=scene os=18.2 launch=user hooks=app-delegate,system
    0s        -     process.start app pid=412 launch=user
    12ms      main  call          applicationDidFinishLaunching app
    180ms     main  return        applicationDidFinishLaunching app
    181ms     main  notify        UIApplication.didFinishLaunchingNotification app
    4.1s      main  call          sceneWillResignActive scene:1
    4.1004s   main  return        sceneWillResignActive scene:1
    4.10045s  main  notify        UIScene.willDeactivateNotification scene:1
    4.2s      main  work          timer scene:1 "autosave"
    4.3s      db    work.begin    save app "notes.db" 1
    5s        main  task.begin    task:7 "sync" handler=true holder=syncTask
    9s        -     kill          app code=0x8badf00d namespace=SPRINGBOARD

    """

  @Test func printsWhatItParses() throws {
    #expect(TraceNotation.print(try TraceNotation.parse(Self.example)) == Self.example)
  }

  @Test(arguments: 0..<300) func parsesWhatItPrints(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 40)
    #expect(try TraceNotation.parse(TraceNotation.print(trace)) == trace, "seed \(seed)")
  }

  @Test func ordersLinesByInstantAndKeepsEqualOnes() throws {
    let trace = try TraceNotation.parse(
      """
      2s main note "third"
      # a comment, and a blank line

      1s db note "first"
      1s main note "second"
      """)
    #expect(trace.events.map { trace.vocabulary.text($0.label) } == ["first", "second", "third"])
    #expect(trace.events.map(\.sequence) == [1, 1, 2])
  }

  @Test func aGapMovesTheSequenceOn() throws {
    let trace = try TraceNotation.parse(
      """
      1s main note "a"
      2s - gap ring-full 8 writer=main from=2 to=9
      3s main note "b"
      """)
    #expect(trace.events.map(\.sequence) == [1, 0, 10])
  }

  private static let instant =
    "expected a time with its unit, no finer than 1ns, such as 4.2s, 12ms, 7us or 30ns"

  @Test(arguments: [
    ("12 main call", "1:1: \(instant), found \"12\""),
    ("1.0000000001s main note", "1:1: \(instant), found \"1.0000000001s\""),
    ("99999999999s main note", "1:1: \(instant), found \"99999999999s\""),
    ("1s", "1:3: expected a writer, such as main, or - for the system, found the end of the line"),
    ("1s main", "1:8: expected a verb, such as call or notify, found the end of the line"),
    ("1s main call", "1:13: expected the name that this verb takes, found the end of the line"),
    ("1s main note \"x", "1:14: expected a closing quotation mark, found \"\\\"x\""),
    ("1s main note app app", "1:18: expected a \"label\", a value or key=value, found \"app\""),
    ("1s main note 5 \"late\"", "1:16: expected key=value, found \"\\\"late\\\"\""),
    ("1s main note k=", "1:16: expected the value of k, found the end of the line"),
    ("1s main note k=1 k=2", "1:18: expected each key only once, found \"k=2\""),
    ("1s main note \"\\ud800\"", "1:17: expected a surrogate pair, found \"d800\""),
    (
      "1s main note 99999999999999999999",
      "1:14: expected a subject, a \"label\", a value or key=value, "
        + "found \"99999999999999999999\""
    ),
    ("1s main ünote", "1:9: expected a verb, such as call or notify, found \"ünote\""),
  ])
  func saysWhereAndWhatWasExpected(line: String, message: String) throws {
    let error = #expect(throws: SyntaxError.self) { try TraceNotation.parse(line) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    ("0s", 0), ("1ns", 1), ("1.5us", 1500), ("-2ms", -2_000_000), ("4.10045s", 4_100_450_000),
    ("9223372036.854775807s", .max), ("-9223372036.854775808s", .min),
  ])
  func instantsAreExact(text: String, nanoseconds: Int64) throws {
    let trace = try TraceNotation.parse("\(text) main note")
    #expect(trace.events[0].instant.nanoseconds == nanoseconds)
    #expect(TraceNotation.print(trace).hasPrefix("\(text) "))
  }
}

@Suite struct InertNotationTests {
  /// What a log calls a verb may be anything; a line of notation stays one line that can be read back.
  @Test(arguments: ["x\n0s main kill app", "\u{1b}[31mred", "two words", "", "a=b", "\u{61c}x"])
  func anUnknownVerbIsAWordOrQuoted(word: String) throws {
    var trace = Trace()
    let verb = try trace.vocabulary.verb(word)
    trace.events = [Event(sequence: 1, instant: .origin, writer: .main, verb: verb, subject: .app)]
    let text = TraceNotation.print(trace)
    #expect(text.split(separator: "\n").count == 1)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x61c })
    let parsed = try TraceNotation.parse(text)
    #expect(parsed.vocabulary.word(of: parsed.events[0].verb) == word)
  }

  @Test func whatTurnsTheDirectionIsEscaped() {
    for scalar in (0..<0x3000).compactMap(Unicode.Scalar.init) where scalar.properties.isBidiControl
    {
      let quoted = JSONText.quoted("a\(Character(scalar))b")
      #expect(quoted.utf8.allSatisfy { $0 < 0x80 }, "U+\(String(scalar.value, radix: 16))")
    }
  }
}
