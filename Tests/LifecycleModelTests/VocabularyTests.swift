import Testing
import Traces

@testable import LifecycleModel

/// The words of a trace.
@Suite struct VocabularyTests {
  private func word(_ random: inout SeededGenerator) -> String {
    let known = ["", "save", "timer", "sceneWillConnect", "active->inactive"]
    if random.oneIn(5) { return known.randomElement(using: &random) ?? "" }
    return "w\(Int.random(in: 0..<60, using: &random))"
  }

  private func list(_ random: inout SeededGenerator) -> [Attribute] {
    (0..<Int.random(in: 0...3, using: &random)).map {
      Attribute("k\($0)", "\(Int.random(in: 0..<4, using: &random))")
    }
  }

  /// A word has one symbol, a symbol one word, also while words are forgotten and their symbols are
  /// given to others.
  @Test(arguments: 0..<20) func wordsAreOneToOne(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let vocabulary = Vocabulary()
    var symbols: [String: Symbol] = [:]
    var ids: [[Attribute]: AttributesID] = [:]
    for step in 0..<300 {
      let text = word(&random)
      let symbol = vocabulary.symbol(text)
      #expect(symbols[text] ?? symbol == symbol && vocabulary.text(symbol) == text, "seed \(seed)")
      symbols[text] = symbol
      let attributes = list(&random)
      let id = vocabulary.attributes(attributes)
      #expect(ids[attributes] ?? id == id && vocabulary.attributes(id) == attributes)
      ids[attributes] = id
      guard step % 60 == 59 else { continue }

      let keptWords = symbols.filter { _ in random.oneIn(2) }
      let keptLists = ids.filter { _ in random.oneIn(2) }
      var use = VocabularyUse()
      for symbol in keptWords.values { use.add(symbol) }
      for id in keptLists.values {
        use.add(Event(instant: .origin, writer: .main, verb: .note, attributes: id))
      }
      vocabulary.forget(except: use)
      (symbols, ids) = (keptWords, keptLists)
      for (text, symbol) in symbols { #expect(vocabulary.text(symbol) == text, "seed \(seed)") }
      for (list, id) in ids { #expect(vocabulary.attributes(id) == list, "seed \(seed)") }
    }
    #expect(Set(symbols.values).count == symbols.count && Set(ids.values).count == ids.count)
  }

  @Test func whatIsHeldBackIsNotForgotten() {
    let vocabulary = Vocabulary()
    let (kept, gone) = (vocabulary.symbol("held back"), vocabulary.symbol("gone"))
    vocabulary.heldBack.add(kept)
    let generation = vocabulary.generation
    vocabulary.forget(except: VocabularyUse())
    #expect(vocabulary.text(kept) == "held back" && vocabulary.text(gone) == "")
    #expect(vocabulary.generation == generation + 1 && vocabulary.heldCount == 1)
  }

  /// What a state holds is what it still needs words for.
  @Test(arguments: 0..<10) func theWordsOfAStateAreKept(seed: UInt64) {
    print("seed \(seed)")
    var maker = ArbitraryTrace(seed: seed)
    let trace = maker.trace(count: 120)
    var state = LifecycleState()
    for event in trace.events { state.fold(event) }
    func texts() -> [String] {
      state.checkpoint().map { event in
        let words = trace.vocabulary
        return "\(words.text(event.name)) \(words.text(event.label)) "
          + "\(words.attributes(event.attributes))"
      }
    }

    let before = texts()
    var use = VocabularyUse()
    use.add(state)
    trace.vocabulary.forget(except: use)
    #expect(texts() == before, "seed \(seed)")
  }

  @Test func aVocabularyGrowsLargeAndSmallAgain() {
    let vocabulary = Vocabulary()
    for number in 0...(1 << 16) { _ = vocabulary.symbol("\(number)") }
    #expect(vocabulary.isLarge)
    vocabulary.forget(except: VocabularyUse())
    #expect(!vocabulary.isLarge && vocabulary.heldCount == 0)
  }

  /// Few words of many bytes fill memory as many words do.
  @Test(arguments: [true, false]) func longWordsMakeAVocabularyLarge(areAttributes: Bool) {
    let vocabulary = Vocabulary()
    let text = String(repeating: "long ", count: 13_000)
    for number in 0..<200 where !vocabulary.isLarge {
      if areAttributes {
        _ = vocabulary.attributes([Attribute("key", "\(number) \(text)")])
      } else {
        _ = vocabulary.symbol("\(number) \(text)")
      }
    }
    #expect(vocabulary.isLarge && vocabulary.heldCount < 200)
    #expect(vocabulary.heldBytes < 9 << 20)
    vocabulary.forget(except: VocabularyUse())
    #expect(!vocabulary.isLarge && vocabulary.heldBytes == 0)
  }

  @Test func holdersAreBoundedByTheirBytes() {
    let vocabulary = Vocabulary()
    let text = String(repeating: "long ", count: 3_200)
    let numbers = (0..<1000).compactMap { vocabulary.number(ofHolder: "\($0) \(text)") }
    #expect(numbers.count > 500 && numbers.count < 530)
    #expect(vocabulary.number(ofHolder: "0 \(text)") == 0)
  }

  @Test func writersAreNumberedUpToALimit() throws {
    let vocabulary = Vocabulary()
    #expect(try vocabulary.writer("-") == .system)
    #expect(try vocabulary.writer("main") == .main)
    for number in 2...UInt16.max {
      #expect(try vocabulary.writer("w\(number)").rawValue == number)
    }

    #expect(vocabulary.writerCount == 65_536)
    #expect(throws: Vocabulary.Overflow.self) { try vocabulary.writer("one more") }
    // What is there is still found.
    #expect(try vocabulary.writer("w700").rawValue == 700)
    #expect(vocabulary.name(of: WriterID(rawValue: 700)) == "w700")
  }

  @Test func unknownVerbsGetCodesUpToALimit() throws {
    let vocabulary = Vocabulary()
    for number in 0..<192 {
      let verb = try vocabulary.verb("later.\(number)")
      #expect(Int(verb.code) == Verb.knownCodes + number && !verb.isKnown)
      #expect(vocabulary.word(of: verb) == "later.\(number)" && verb.takesName == nil)
    }
    #expect(throws: Vocabulary.Overflow.self) { try vocabulary.verb("one more") }
    #expect(try vocabulary.verb("later.3").code == 67)
    #expect(try vocabulary.verb("note") == .note)
    #expect(Vocabulary().word(of: Verb(code: 64)) == "")
  }

  @Test func aLineAloneTakesNoMemory() {
    let vocabulary = Vocabulary()
    for line in ["0", "1", "2147483647"] {
      let id = vocabulary.attributes([Attribute(.line, line)])
      #expect(id.line.map(String.init) == line)
      #expect(vocabulary.attributes(id) == [Attribute(.line, line)])
    }

    #expect(vocabulary.heldCount == 0)
    for line in ["007", "2147483648", "-1", "+1", "", "x"] {
      let id = vocabulary.attributes([Attribute(.line, line)])
      #expect(id.line == nil, "\(line)")
      #expect(vocabulary.attributes(id) == [Attribute(.line, line)])
    }
    #expect(AttributesID.none.isNone && AttributesID.none.line == nil)
  }

  @Test func whatIsOfAnotherVocabularyIsEmpty() {
    let vocabulary = Vocabulary()
    #expect(vocabulary.text(Symbol(rawValue: .max)) == "")
    #expect(vocabulary.attributes(AttributesID(rawValue: 1 << 30)) == [])
    #expect(vocabulary.name(of: WriterID(rawValue: 9)) == "")
  }
}
