import LifecycleModel
import Testing
import TraceTestSupport

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
    ("\u{2027}\u{2030}\u{2065}\u{206a}é…", "\u{2027}\u{2030}\u{2065}\u{206a}é…"),
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
      "1:1: expected a whole number of 64 bits as \"t\", found \"t\": 1.5"
    ),
    (
      "{\"verb\":\"note\",\"subject\":\"scene\"}",
      "1:1: expected app, scene:N, session:N, task:N or nil, found \"subject\": scene"
    ),
    ("{\"verb\":\"note\",\"verb\":\"note\"}", "1:1: expected each key once, found \"verb\": note"),
    ("{\"verb\":\"note\"} x", "1:17: expected the end of the line after the object, found \"x\""),
  ])
  func saysWhereAndWhatWasExpected(line: String, message: String) throws {
    let error = #expect(throws: SyntaxError.self) { try NDJSON.parse(line) }
    #expect(error?.description == message)
  }

  @Test func deeplyNestedInputIsAnError() {
    let line = "{\"verb\":\"note\",\"x\":" + String(repeating: "[", count: 100_000)
    let error = #expect(throws: SyntaxError.self) { try NDJSON.parse(line) }
    #expect(error?.expected == "at most 64 nested values")
  }
}
