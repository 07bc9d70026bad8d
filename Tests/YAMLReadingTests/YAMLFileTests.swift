import Testing
import Traces

@testable import YAMLReading

/// What is read of a file, and where each problem of it stands.
@Suite struct YAMLFileTests {
  /// Makes documents and writes them in the ways that YAML has.
  private struct Writer {
    var random: SeededGenerator

    private static let words = [
      "a", "task-count", "two words", "ümläut", "👩‍👩‍👧", "# no comment", "a: b", "- x", "*star", "&amp",
      "'single'", "\"double\"", "back\\slash", "", " blank ", "null", "true", "12", "0x1f", "~",
      "[", "{",
      "%", "@", "`", "!tag", "|", ">", "tab\tinside", "1:30", "e\u{301}", "line\nbreak", "=", "<<",
    ]

    mutating func tree(depth: Int) -> Plain {
      let kind = depth == 0 ? 0 : Int.random(in: 0..<3, using: &random)
      let count = Int.random(in: 1...4, using: &random)
      switch kind {
      case 1: return .list((0..<count).map { _ in tree(depth: depth - 1) })
      case 2:
        var members: [String: Plain] = [:]
        for _ in 0..<count { members[word()] = tree(depth: depth - 1) }
        return .mapping(members)
      default: return .word(word())
      }
    }

    private mutating func word() -> String { Writer.words.randomElement(using: &random) ?? "a" }

    /// In quotes, so that every word means itself.
    private func quoted(_ word: String) -> String {
      var text = ""
      for character in word.unicodeScalars {
        switch character {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\t": text += "\\t"
        default: text.unicodeScalars.append(character)
        }
      }
      return "\"\(text)\""
    }

    mutating func text(_ plain: Plain, indent: String = "") -> String {
      let isFlow = random.oneIn(3)
      switch plain {
      case .word(let word): return quoted(word)
      case .list(let items) where isFlow:
        return "[" + items.map { flow($0) }.joined(separator: ", ") + "]"
      case .mapping(let members) where isFlow:
        return "{" + members.map { "\(quoted($0)): \(flow($1))" }.joined(separator: ", ") + "}"
      case .list(let items):
        return items.map { "\n\(indent)- " + text($0, indent: indent + "  ") }.joined()
      case .mapping(let members):
        return members.map { key, value in
          "\n\(indent)\(quoted(key)): " + text(value, indent: indent + "  ")
        }.joined()
      }
    }

    private func flow(_ plain: Plain) -> String {
      switch plain {
      case .word(let word): quoted(word)
      case .list(let items): "[" + items.map { flow($0) }.joined(separator: ",") + "]"
      case .mapping(let members):
        "{" + members.map { "\(quoted($0)): \(flow($1))" }.joined(separator: ",") + "}"
      }
    }
  }

  @Test(arguments: 0..<120) func whatIsWrittenIsRead(seed: UInt64) throws {
    print("seed \(seed)")
    var writer = Writer(random: SeededGenerator(seed: seed))
    let tree = writer.tree(depth: 3)
    let text = writer.text(tree)
    let bench = YAMLBench(text)
    #expect(bench.problems == [], "seed \(seed):\n\(text)")
    let value = try #require(bench.value)
    #expect(Plain(value) == tree, "seed \(seed):\n\(text)")
  }

  /// Whatever the bytes are: an answer, or a problem with a place in the file.
  @Test(arguments: 0..<60) func noBytesTrapTheReader(seed: UInt64) {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var writer = Writer(random: random)
    var bytes = Array(writer.text(writer.tree(depth: 3)).utf8)

    for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
      let place = bytes.indices.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: place)
      default:
        bytes.insert(Array("\t*&:{[-\"'\n".utf8).randomElement(using: &random) ?? 0, at: place)
      }
    }

    let bench = YAMLBench(bytes)
    let lines = bytes.count { $0 == 10 } + 2
    #expect(bench.value != nil || !bench.problems.isEmpty || bytes.allSatisfy { $0 < 0x21 })
    for problem in bench.list.problems {
      #expect((1...lines).contains(problem.place.line), "seed \(seed): \(problem)")
      #expect(problem.place.column >= 1 && !problem.message.isEmpty, "seed \(seed): \(problem)")
    }
  }

  @Test func anEmptyFileIsNoValue() {
    for text in ["", "\n\n", "# only a comment\n", "---\n"] {
      let bench = YAMLBench(text)
      #expect(bench.value?.isEmpty ?? true, "\(text)")
      #expect(bench.problems == [], "\(text)")
    }
  }

  @Test func everyKeyThatStandsTwiceIsTold() {
    let bench = YAMLBench("a: 1\nb: 2\na: 3\nc: {d: 1, \"d\": 2}\nb: 4\n")
    let pairs = bench.value?.mapping("a mapping") ?? []
    _ = pairs.first { $0.key.scalar == "c" }?.value.mapping("a mapping")
    #expect(
      bench.problems == [
        "3:1 \"a\" is a duplicate; line 1 already has it",
        "5:1 \"b\" is a duplicate; line 2 already has it",
        "4:11 \"d\" is a duplicate; line 4 already has it",
      ])
    #expect(pairs.map(\.key.scalar) == ["a", "c", "b"])
    #expect(pairs.map(\.value.scalar) == ["3", nil, "4"])
  }

  @Test func keysThatEndAlikeAreOthers() {
    let bench = YAMLBench("ab: 1\ncb: 2\nab: 3\nab: 4\ncb: 5\n")
    let pairs = bench.value?.mapping("a mapping") ?? []
    #expect(
      bench.problems == [
        "3:1 \"ab\" is a duplicate; line 1 already has it",
        "4:1 \"ab\" is a duplicate; line 1 already has it",
        "5:1 \"cb\" is a duplicate; line 2 already has it",
      ])
    #expect(pairs.map(\.value.scalar) == ["4", "5"])
  }

  @Test func whatTheParserSaysIsToldInOurWords() {
    let told = [
      ("a: 1\n---\nb: 2\n", "found another behind ---"),
      (String(repeating: "[", count: 2000), "at most 1000 levels"),
      ("a: *nobody\n", "whose anchor (&name) stands before it"),
      ("a: [1, 2\n", "expected , or ] in a list that [ begins"),
      ("a: b: c\n", "put a text that contains : in quotes"),
      ("a: @b\n", "it begins with a special character"),
      ("a: 'open\n", "expected the quote that ends a text"),
      ("a: \"\\q\"\n", "expected a known escape"),
      ("- a\nb: 1\n", "expected -, as in the other items"),
    ]
    for (text, words) in told {
      let problem = YAMLBench(text).problems.first ?? ""
      #expect(problem.contains(words), "\(text.prefix(20)): \(problem)")
      #expect(!problem.contains("did not find") && !problem.contains("yaml_"), "\(problem)")
    }
  }

  @Test func manyKeysThatStandTwiceEndSomewhere() {
    let text = (0..<300).map { "key: \($0)\n" }.joined()
    let bench = YAMLBench(text)
    _ = bench.value?.mapping("a mapping")
    #expect(!bench.problems.isEmpty)
  }

  @Test func aTabIsNamed() {
    #expect(
      YAMLBench("a:\n  b: 1\n\tc: 2\n").problems == [
        "3:1 expected spaces at the beginning of the line, found a tab"
      ])
  }

  @Test func whatIsNoYAMLHasAPlace() {
    let places = [
      ("a: [1, 2\n", 2), ("a: 'open\n", 2), ("a: b: c\n", 1), ("a: 1\n b: 2\n", 2),
      ("- a\nb: 1\n", 2),
      ("a: \"\\q\"\n", 1), ("{a: 1\n", 2), ("a: @b\n", 1), ("a: !<bad tag\n", 1), ("a: %x\n", 1),
    ]
    for (text, line) in places {
      let bench = YAMLBench(text)
      #expect(bench.value == nil && bench.list.problems.count == 1, "\(text)")
      #expect(bench.list.problems.first?.place.line == line, "\(text) \(bench.problems)")
    }
  }

  @Test func aliasesAreValuesAsManyAsPeopleWrite() throws {
    let bench = YAMLBench("base: &base {a: 1}\none: *base\nmany: [*base, *base]\n")
    #expect(bench.problems == [])
    let base = Plain.mapping(["a": .word("1")])
    let value = try #require(bench.value)
    #expect(
      Plain(value) == .mapping(["base": base, "one": base, "many": .list([base, base])]))

    let limit = YAMLNodes.maximumAliases
    let some =
      "b: &b x\nl: [" + Array(repeating: "*b", count: limit).joined(separator: ", ") + "]\n"
    #expect(YAMLBench(some).problems == [])
    let tooMany = "b: &b x\n" + (0...limit).map { "k\($0): *b\n" }.joined()
    #expect(YAMLBench(tooMany).problems == ["18:6 there are more than \(limit) aliases (*name)"])
    let inTexts = "# " + String(repeating: "*b ", count: 2 * limit) + "\na: x\n"
    #expect(YAMLBench(inTexts).problems == [])
    #expect(YAMLBench(tooMany).value == nil)
  }

  /// Nine lines that would be a thousand million words are refused at once.
  @Test func aliasesThatGrowWithoutEndAreRefused() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(items)]\n"
    }
    let bench = YAMLBench(text)
    #expect(bench.value == nil && bench.list.problems.count == 1)
    #expect(YAMLBench("a: *nobody\n").list.problems.first?.place.line == 1)
  }

  @Test func aFileThatIsTooLargeIsNotRead() {
    let large = [UInt8](repeating: UInt8(ascii: "#"), count: YAMLFile.maximumBytes + 1)
    #expect(
      YAMLBench(large).problems == ["1:1 the file has 1048577 bytes; the limit is 1 MiB"])
    #expect(YAMLBench(Array(large.dropLast())).problems == [])
  }

  @Test func onlyTextIsRead() {
    #expect(YAMLBench([0xff, 0xfe, 0x61]).problems == ["1:1 the file is not UTF-8 text"])
    let bench = YAMLBench("a: 1\nb: \u{1}\n")
    #expect(bench.value == nil && bench.list.problems.map(\.place.line) == [2])
  }

  @Test func deepNestingEndsInAProblemAndNotInATrap() {
    for (open, close) in [("[", "]"), ("{a: ", "}")] {
      let text = String(repeating: open, count: 400) + "x" + String(repeating: close, count: 400)
      let bench = YAMLBench(text)
      #expect(bench.value != nil || !bench.problems.isEmpty)
    }
  }
}
