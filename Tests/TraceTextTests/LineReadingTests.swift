import LifecycleModel
import Testing
import Traces

@testable import TraceText

/// Lines that nobody wrote, read by the readers and by slow ones that say the same in few words.
@Suite struct LineReadingTests {
  /// What a line says, in words; of an error no more than that it is one.
  private struct Said: Equatable {
    var time: Int64
    var (writer, verb, name, subject) = ("-", "", "", "")
    var label = ""
    var value: Int64?
    var attributes: [Attribute] = []

    init(time: Int64) { self.time = time }

    init(_ event: Event, _ vocabulary: Vocabulary) {
      time = event.instant.nanoseconds
      writer = vocabulary.name(of: event.writer)
      verb = vocabulary.word(of: event.verb)
      name = vocabulary.text(event.name)
      subject = event.subject.description
      label = vocabulary.text(event.label)
      value = event.value
      attributes = vocabulary.attributes(event.attributes)
    }
  }

  private struct Refusal: Error {}

  /// Reads an object of JSON as the article `Events` says it, member by member.
  private func read(_ line: ArraySlice<UInt8>, after time: Int64) throws -> Said {
    var said = Said(time: time)
    var hasName = false
    var seen: Set<String> = []
    for member in try JSONText.object(line) {
      guard seen.insert(member.key).inserted else { throw Refusal() }
      switch (member.key, member.value) {
      case ("attributes", .null): break
      case ("attributes", .text(let object)):
        for inner in try JSONText.object(ArraySlice(object.utf8)) {
          said.attributes.append(Attribute(inner.key, text(of: inner.value)))
        }
      case ("t", .null), ("value", .null), ("writer", .null), ("verb", .null), ("name", .null),
        ("subject", .null), ("label", .null):
        break
      case ("t", .text(let text)): said.time = try integer(text)
      case ("value", .text(let text)): said.value = try integer(text)
      case ("writer", .string(let text)): said.writer = text
      case ("verb", .string(let text)): said.verb = text
      case ("name", .string(let text)): (said.name, hasName) = (text, true)
      case ("label", .string(let text)): said.label = text
      case ("subject", .string(let text)):
        guard let subject = Subject(text) else { throw Refusal() }
        said.subject = subject.description
      case ("t", _), ("value", _), ("writer", _), ("verb", _), ("name", _), ("subject", _),
        ("label", _), ("attributes", _):
        throw Refusal()
      default: said.attributes.append(Attribute(member.key, text(of: member.value)))
      }
    }

    let takesName = Verb(word: said.verb)?.takesName
    let isTwice = Set(said.attributes.map(\.key)).count < said.attributes.count
    guard !said.verb.isEmpty, !isTwice, takesName == nil || takesName == hasName else {
      throw Refusal()
    }
    return said
  }

  private func text(of value: JSONValue) -> String {
    switch value {
    case .string(let text), .text(let text): text
    case .null: "null"
    }
  }

  private func integer(_ text: String) throws -> Int64 {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text)
    else { throw Refusal() }
    return number
  }

  private static let pieces: [String] = [
    "\"", "\\", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "{", "}", "[", ",", ":", "null", "0", "-5",
    "9223372036854775808", "1.5", " ", "\t", "\"t\":5,", "\"label\":\"x\",", "\"\\u0074\":7,",
    "\"attributes\":{\"a\":\"b\"},", "\"attributes\":{},", "\"sequence\":12,", "\"x\":[1,{}],",
    "=", "k=v", "\"k\"=\"v\"", "scene:1", "nil", "0x1f", "1.25s", "0.0001ms", "-2s", "#", "é",
  ]

  private func mutate(_ line: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    let whole = line
    var line = line
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let place = Int.random(in: 0...line.count, using: &generator)
      let piece = Self.pieces[Int.random(in: Self.pieces.indices, using: &generator)]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: line.removeSubrange(place..<min(line.count, place + 3))
      case 1: line.insert(contentsOf: line[place..<min(line.count, place + 20)], at: place)
      default: line.insert(contentsOf: piece.utf8, at: place)
      }
    }
    // What reads whole texts refuses what is no UTF-8 before it comes to a line.
    return line.withUnsafeBufferPointer { $0.utf8Text } == nil ? whole : line
  }

  private func lines(_ text: String) -> [[UInt8]] {
    text.utf8.split(separator: 0x0a).map(Array.init)
  }

  @Test(arguments: 0..<200) func ndjsonSaysWhatASlowReaderReads(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var maker = ArbitraryTrace(seed: seed)
    let vocabulary = Vocabulary()
    var parser = NDJSON.Parser(vocabulary: vocabulary)
    var (time, count) = (Int64(0), 0)

    for whole in lines(NDJSON.print(maker.trace(count: 40))) {
      let line = mutate(whole, &generator)
      let expected = try? read(line[...], after: time)
      let event = try? parser.event(line: line[...])
      let said = event.map { Said($0, vocabulary) }
      #expect(said == expected, "seed \(seed): \(String(decoding: line, as: UTF8.self))")
      time = expected?.time ?? time
      count += said == nil ? 0 : 1
      if generator.oneIn(20) { vocabulary.forget(except: VocabularyUse()) }
    }
    #expect(count > 5)
  }

  /// A reader that has met a word says of it what one says that has not.
  @Test(arguments: 0..<200) func notationSaysTheSameHoweverOften(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var maker = ArbitraryTrace(seed: seed)
    let vocabulary = Vocabulary()
    let parser = TraceNotation.Parser(vocabulary: vocabulary)
    let text = lines(TraceNotation.print(maker.trace(count: 40)))
    var count = 0

    for whole in text + text {
      let line = mutate(whole, &generator)
      let event = Result { try parser.event(line: line[...]).map { Said($0, vocabulary) } }
      let other = Vocabulary()
      let expected = Result {
        try TraceNotation.parse(line: line[...], in: other).map { Said($0, other) }
      }

      let shown = "seed \(seed): \(String(decoding: line, as: UTF8.self))"
      switch (event, expected) {
      case (.success(let one), .success(let two)): #expect(one == two, "\(shown)")
      case (.failure(let one), .failure(let two)): #expect("\(one)" == "\(two)", "\(shown)")
      default: Issue.record("\(shown)")
      }
      if case .success = event { count += 1 }
    }
    #expect(count > 20)
  }

  @Test(arguments: 0..<2000) func timesAreReadAsTheModelReadsThem(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func digits(_ most: Int) -> String {
      String(
        (0..<Int.random(in: 0...most, using: &generator)).map { _ in
          "0123456789".randomElement(using: &generator) ?? "0"
        })
    }
    let sign = generator.oneIn(5) ? "-" : ""
    let point = generator.oneIn(2) ? "." + digits(generator.oneIn(4) ? 14 : 9) : ""
    let units = ["s", "ms", "us", "ns", "", "m", "ss", ".s", "s.", "x"]
    let unit = units[Int.random(in: 0..<(generator.oneIn(4) ? 10 : 4), using: &generator)]
    let word = sign + digits(generator.oneIn(4) ? 22 : 9) + point + unit
    let expected = InstantText.parse(ArraySlice(word.utf8))
    let read = TraceNotation.instant(ofLine: ArraySlice("\(word) main".utf8))
    #expect(read?.nanoseconds == expected, "\(word)")
  }

  @Test func wordsOfEveryLengthAreToldApart() throws {
    let vocabulary = Vocabulary()
    var parser = NDJSON.Parser(vocabulary: vocabulary)
    for round in 0..<3 {
      for length in 0..<80 {
        for last in ["a", "b", ""] {
          let label = String(repeating: "x", count: length) + last
          let line = ArraySlice("{\"label\":\"\(label)\",\"verb\":\"note\"}".utf8)
          let event = try #require(try parser.event(line: line))
          #expect(vocabulary.text(event.label) == label, "round \(round)")
        }
      }
    }
  }
}
