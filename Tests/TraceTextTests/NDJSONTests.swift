import LifecycleModel
import Testing
import Traces

@testable import TraceText

@Suite struct NDJSONTests {
  static let example = """
    {"t":4200000000,"writer":"main","verb":"work","name":"timer","subject":"scene:1","label":"a"}
    {"t":4300000000,"writer":"db","verb":"work.begin","name":"save","value":1,"attributes":{"a":"b"}}

    """

  /// Build servers obey `##[` and `##vso[`, and editors turn what follows U+202E.
  @Test(arguments: [
    ("##[error]", #"#\u0023[error]"#), ("###", #"#\u0023\u0023"#), ("# #", "# #"),
    ("a\u{202e}b", #"a\u202eb"#), ("\u{200e}\u{200f}", #"\u200e\u200f"#),
    ("\u{2028}\u{2029}\u{2066}\u{2069}", #"\u2028\u2029\u2066\u2069"#),
    ("\u{2027}\u{2030}é…", "\u{2027}\u{2030}é…"),
    ("a\u{ad}\u{e0041}b", #"a\u00ad\udb40\udc41b"#), ("a\u{200d}", #"a\u200d"#),
    ("👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥", "👩\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥"),
    ("::error", #":\u003aerror"#), ("std::move", "std::move"),
    ("\u{85}\u{1b}", #"\u0085\u001b"#),
  ]) func wordsAreWrittenInertAndReadBack(word: String, written: String) throws {
    var trace = Trace()
    let label = trace.vocabulary.symbol(word)
    trace.events = [Event(instant: .origin, writer: .main, verb: .note, label: label)]
    trace.orderAndNumber()
    for (text, parse) in [
      (NDJSON.print(trace), NDJSON.parse), (TraceNotation.print(trace), TraceNotation.parse),
    ] {
      #expect(text.contains("\"\(written)\""), "\(text)")
      #expect(try parse(text) == trace)
    }
  }

  @Test func printsWhatItParses() throws {
    #expect(NDJSON.print(try NDJSON.parse(Self.example)) == Self.example)
  }

  @Test(arguments: 0..<300) func parsesWhatItPrints(seed: UInt64) throws {
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 40)
    #expect(try NDJSON.parse(NDJSON.print(trace)) == trace, "seed \(seed)")
  }

  @Test func aVerbThatIsNoWordIsReadBack() throws {
    let trace = try TraceNotation.parse(#"0s main "two \"words\"" app"#)
    #expect(try NDJSON.parse(NDJSON.print(trace)) == trace)
  }

  @Test func keepsUnknownKeysAsAttributes() throws {
    let trace = try NDJSON.parse(
      #"{"verb":"note","zone":"b","depth":3,"more":{"a":[1,2]},"no":null}"#)
    #expect(
      TraceNotation.print(trace)
        == #"0s        -     note          zone=b depth=3 more="{\"a\":[1,2]}" no=null"# + "\n")
  }

  @Test func aLineWithoutTimeHasTheTimeOfTheLineBefore() throws {
    let trace = try NDJSON.parse("{\"t\":7,\"verb\":\"note\"}\n\n{\"verb\":\"note\"}\r\n")
    #expect(trace.events.map(\.instant.nanoseconds) == [7, 7])
  }

  @Test(arguments: [
    ("verb", "1:1: expected a JSON object, found \"verb\""),
    ("{\"verb\":\"note\"", "1:15: expected ',' or '}', found the end of the line"),
    ("{\"t\":1}", "1:1: expected the key \"verb\", found an object without it"),
    (
      "{\"verb\":\"call\"}",
      "1:1: expected the key \"name\", which this verb takes, found an object without it"
    ),
    ("{\"verb\":\"note\",\"name\":\"x\"}", "1:1: expected no key \"name\", found \"x\""),
    (
      "{\"verb\":\"note\",\"t\":1.5}",
      "1:20: expected t, a whole number of nanoseconds, found \"1.5\""
    ),
    (
      "{\"verb\":\"note\",\"subject\":\"scene\"}",
      "1:26: expected app, scene:N, session:N, task:N or nil, found \"scene\""
    ),
    ("{\"verb\":\"note\",\"verb\":\"note\"}", "1:16: expected each key only once, found \"verb\""),
    ("{\"verb\":\"note\"} x", "1:17: expected the end of the line after the object, found \"x\""),
  ])
  func saysWhereAndWhatWasExpected(line: String, message: String) throws {
    let error = #expect(throws: SyntaxError.self) { try NDJSON.parse(line) }
    #expect(error?.description == message)
  }

  @Test func everyWholeNumberOf64BitsIsRead() throws {
    for number in [Int64.min, .min + 1, -1, 0, 1, 999_999_999_999_999_999, .max - 1, .max] {
      let trace = try NDJSON.parse("{\"verb\":\"note\",\"value\":\(number)}")
      #expect(trace.events.first?.value == number)
    }

    for number in [
      "9223372036854775808", "-9223372036854775809", "1e3", "1.0", "-", "\"1\"", "0x1",
    ] {
      #expect(throws: SyntaxError.self) {
        try NDJSON.parse("{\"verb\":\"note\",\"value\":\(number)}")
      }
    }
  }

  /// What was met before is known by its bytes, and means the same each time.
  @Test func wordsThatComeAgainMeanTheSame() throws {
    let line = #"{"writer":"\u006dain","verb":"note","label":"a}","attributes":{"k":"}","l":"\n"}}"#
    let trace = try NDJSON.parse([line, line, line].joined(separator: "\n"))
    #expect(trace.events.allSatisfy { $0.writer == .main })
    #expect(Set(trace.events.map { trace.vocabulary.text($0.label) }) == ["a}"])
    #expect(
      trace.events.allSatisfy {
        trace.vocabulary.attributes($0.attributes)
          == [Attribute("k", "}"), Attribute("l", "\n")]
      })
  }

  /// Among many attributes, too, each stands once: in the object, beside it, or in both.
  @Test func manyAttributesStandOnceEach() throws {
    let many = (0..<100).map { "\"k\($0)\":\"v\"" }
    let inside = many.joined(separator: ",")
    for line in [
      "{\"verb\":\"note\",\"attributes\":{\(inside)}}", "{\"verb\":\"note\",\(inside)}",
      "{\"verb\":\"note\",\(many[..<50].joined(separator: ",")),"
        + "\"attributes\":{\(many[50...].joined(separator: ","))}}",
    ] {
      let trace = try NDJSON.parse(line)
      #expect(trace.vocabulary.attributes(trace.events[0].attributes).count == 100)
    }

    for place in [1, 31, 32, 33, 99] {
      let twice = "\"k\(place)\":\"w\""
      for line in [
        "{\"verb\":\"note\",\"attributes\":{\(inside),\(twice)}}",
        "{\"verb\":\"note\",\(inside),\(twice)}",
        "{\"verb\":\"note\",\(inside),\"attributes\":{\(twice)}}",
        "{\"verb\":\"note\",\"attributes\":{\(inside)},\(twice)}",
      ] {
        #expect(throws: SyntaxError.self) { try NDJSON.parse(line) }
      }
    }
  }

  @Test func wordsThatWereForgottenAreInternedAgain() throws {
    let vocabulary = Vocabulary()
    var parser = NDJSON.Parser(vocabulary: vocabulary)
    func parse(_ label: String) throws -> Event {
      let line = Array("{\"verb\":\"note\",\"label\":\"\(label)\"}".utf8)
      return try #require(try parser.event(line: line[...]))
    }
    _ = try parse("first")
    vocabulary.forget(except: VocabularyUse())

    let second = try parse("second")
    let first = try parse("first")
    #expect(vocabulary.text(second.label) == "second")
    #expect(vocabulary.text(first.label) == "first")

    // What a source holds back is not forgotten, whoever forgets.
    vocabulary.heldBack.add(first)
    vocabulary.forget(except: VocabularyUse())
    #expect(vocabulary.text(first.label) == "first")
    #expect(vocabulary.text(second.label) == "")
  }

  @Test func deeplyNestedInputIsAnError() {
    let line = "{\"verb\":\"note\",\"x\":" + String(repeating: "[", count: 100_000)
    let error = #expect(throws: SyntaxError.self) { try NDJSON.parse(line) }
    #expect(error?.expected == "at most 64 nested values")
  }
}
