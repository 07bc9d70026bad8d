import LifecycleModel
import Testing
import Traces

@testable import YAMLReading

/// What a value can be read as, and what is said where it cannot.
@Suite struct YAMLValueTests {
  private func value(_ text: String) throws -> (value: YAMLValue, bench: YAMLBench) {
    let bench = YAMLBench("key: \(text)\n")
    let pairs = try #require(bench.value?.mapping("a mapping"))
    return (try #require(pairs.first?.value), bench)
  }

  @Test func problemsNameTheFileThePlaceAndTheKind() throws {
    let (value, bench) = try value("x")
    value.warn("this is odd")
    value.fail("this is wrong")
    value.fail("this is wrong")
    #expect(
      bench.list.problems.map(\.description) == [
        "a.yml:1:6: warning: this is odd", "a.yml:1:6: error: this is wrong",
      ])
    #expect(value.place.description == "a.yml:1")
  }

  @Test func whatWasExpectedIsSaidWithWhatIsThere() throws {
    let found = [
      ("[1]", "a list"), ("{a: 1}", "a mapping"), ("\"\"", "nothing"), ("tsk", "\"tsk\""),
      (String(repeating: "x", count: 70), "\"" + String(repeating: "x", count: 60) + "…\""),
    ]
    for (text, told) in found {
      let (value, bench) = try value(text)
      value.expected("a word")
      #expect(bench.problems == ["1:6 expected a word, found \(told)"])
    }
  }

  @Test func theNearestWordIsProposed() throws {
    let (near, bench) = try value("tsk")
    #expect(near.word("a verb", ["task", "work"]) == nil)
    #expect(bench.problems == ["1:6 expected a verb, found \"tsk\"; did you mean \"task\"?"])
    let (far, other) = try value("zebra")
    #expect(far.word("a verb", ["task", "work"]) == nil)
    #expect(other.problems == ["1:6 expected a verb, found \"zebra\"; known: task, work"])
    let (good, none) = try value("work")
    #expect(good.word("a verb", ["task", "work"]) == "work" && none.problems == [])
  }

  @Test func flagsAndChoicesAreWords() throws {
    #expect(try value("true").value.flag() == true)
    #expect(try value("false").value.flag() == false)
    for text in ["yes", "on", "True", "1", "[true]"] {
      let (value, bench) = try value(text)
      #expect(value.flag() == nil && bench.list.problems.count == 1, "\(text)")
    }

    for hook in Hook.allCases {
      #expect(try value(hook.rawValue).value.choice("a hook", Hook.self) == hook)
    }
    let (value, bench) = try value("telepathy")
    #expect(value.choice("a hook", Hook.self) == nil && bench.list.problems.count == 1)
  }

  @Test(arguments: 0..<5) func numbersAreWholeAndInTheirRange(seed: UInt64) throws {
    print("seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let number = Int.random(in: -50...50, using: &random)
      let range = -Int.random(in: 0...50, using: &random)...Int.random(in: 0...50, using: &random)
      let (value, bench) = try value("\(number)")
      #expect(value.number("a number", in: range) == (range.contains(number) ? number : nil))
      #expect(bench.list.problems.count == (range.contains(number) ? 0 : 1))
    }

    for text in ["1.0", "1e3", "0x10", "one", "99999999999999999999", "\"\"", "{}"] {
      let (value, bench) = try value(text)
      #expect(value.number("a number", in: 0...Int.max) == nil && bench.list.problems.count == 1)
    }
  }

  @Test func timesHaveAUnit() throws {
    let times: [(String, Nanoseconds)] = [
      ("1ns", 1), ("20us", 20_000), ("20ms", .milliseconds(20)), ("5s", .seconds(5)),
      ("2m", .seconds(120)), ("1.5h", .seconds(5400)), ("1d", .seconds(86_400)),
      ("366d", .seconds(366 * 86_400)), ("0.5us", 500),
    ]

    for (text, time) in times { #expect(try value(text).value.time() == time, "\(text)") }
    for text in [
      "5", "0s", "-1s", "367d", "1 y", "s", "nans", "infs", "1e300d", "5 sec", "[5s]", "\"\"",
      "0.1ns",
    ] {
      let (value, bench) = try value(text)
      #expect(value.time() == nil && bench.list.problems.count == 1, "\(text)")
    }
  }

  @Test func aTimeThatCannotBeIsToldWhy() throws {
    let told = [
      ("5", "a time such as 20ms, 5s, 2m, 1.5h or 1d"), ("0s", "a time of at least 1ns"),
      ("-1s", "a time of at least 1ns"), ("367d", "a time of at most 366d"),
      ("1e300d", "a time of at most 366d"),
    ]
    for (text, expected) in told {
      let (value, bench) = try value(text)
      #expect(value.time() == nil)
      #expect(bench.problems == ["1:6 expected \(expected), found \"\(text)\""])
    }
  }

  @Test func aFlagIsToldOnce() throws {
    let (value, bench) = try value("yes")
    #expect(value.flag() == nil)
    #expect(bench.problems == ["1:6 expected true or false, found \"yes\""])
  }

  @Test func whatStandsUnderAMisspelledKeyIsReadToo() throws {
    let (value, bench) = try value("{nmae: [], other: 1}")
    let members = try #require(value.members("a rule", keys: ["name", "why"], required: ["name"]))
    #expect(members["name"]?.text("a name") == nil)
    #expect(
      bench.problems == [
        "1:7 expected a key of a rule, found \"nmae\"; did you mean \"name\"?",
        "1:17 expected a key of a rule, found \"other\"; known: name, why",
        "1:13 expected a name, found a list",
      ])
  }

  @Test func aCharacterOfATextHasItsPlaceInTheFile() throws {
    let bench = YAMLBench("a: |\n    one\n      two\nb: 'three'\nc: four\n")
    let pairs = try #require(bench.value?.mapping("a mapping"))
    let places = [
      pairs[0].value.place(line: 0, column: 1), pairs[0].value.place(line: 1, column: 3),
      pairs[1].value.place(line: 0, column: 2), pairs[2].value.place(line: 0, column: 2),
    ]
    #expect(places.map { "\($0.line):\($0.column)" } == ["2:5", "3:7", "4:6", "5:5"])
  }

  @Test func whatIsEmptyIsNothingOrNull() throws {
    for text in ["", "~", "null"] { #expect(try value(text).value.isEmpty, "\(text)") }
    for text in ["\"\"", "'~'", "\"null\"", "0", "[]", "{}", "Null"] {
      #expect(try !value(text).value.isEmpty, "\(text)")
    }
  }

  @Test func oneValueStandsForAListOfOne() throws {
    #expect(try value("a").value.items.compactMap(\.scalar) == ["a"])
    #expect(try value("[a, b]").value.items.compactMap(\.scalar) == ["a", "b"])
    #expect(try value("[a, b]").value.list("words")?.count == 2)
    let (single, bench) = try value("a")
    #expect(single.list("a list of words") == nil)
    #expect(bench.problems == ["1:6 expected a list of words, found \"a\""])
    #expect(try value("{a: 1}").value.text("a text") == nil)
    #expect(try value("text").value.text("a text") == "text")
  }

  @Test func membersAreReadAndStrangersTold() throws {
    let (value, bench) = try value("{name: a, nmae: b, 7: c}")
    let members = try #require(
      value.members("a rule", keys: ["name", "why", "hooks"], required: ["name", "why"]))
    #expect(members["name"]?.scalar == "a" && members["why"] == nil)
    #expect(members.owner.isMapping)
    #expect(
      bench.problems == [
        "1:16 expected a key of a rule, found \"nmae\"; did you mean \"name\"?",
        "1:25 expected a key of a rule, found \"7\"; known: name, why, hooks",
        "1:6 expected the key \"why\" in a rule",
      ])

    let (list, other) = try self.value("[a]")
    #expect(list.members("a rule", keys: ["name", "why"]) == nil)
    #expect(other.problems == ["1:6 expected a rule, as {name: …, why: …}, found a list"])
  }

  @Test func nobodyReadsMoreThanFiveHundredProblems() throws {
    let list = ProblemList()
    for line in 1...700 {
      list.add(.warning, YAMLPlace(file: "a.yml", line: line, column: 1), "wrong")
    }
    #expect(list.problems.count == 501 && list.isFull)
    #expect(list.problems.last?.kind == .error)
    #expect(list.problems.dropLast().allSatisfy { $0.kind == .warning })
  }
}
