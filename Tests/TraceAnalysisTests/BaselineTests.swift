import LifecycleModel
import Testing
import TraceText

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct BaselineTests {
  private let heading = "{\"schema\":\"tracectl-baseline\",\"version\":1}\n"

  private func entry(
    _ fingerprint: Int, count: Int = 1, rule: String = "lock-at-suspend"
  ) -> Baseline.Entry {
    let digits = String(fingerprint, radix: 16)
    return Baseline.Entry(
      rule: rule, fingerprint: String(repeating: "0", count: 16 - digits.count) + digits,
      count: count, severity: "error", subject: "scene", message: "held \"db\"")
  }

  // MARK: The file

  @Test func theFileIsOneLineAnEntryByRuleThenFingerprint() throws {
    let baseline = Baseline([entry(2), entry(1), entry(3, count: 2, rule: "files-open-at-resign")])
    let line =
      "\"severity\":\"error\",\"subject\":\"scene\",\"message\":\"held \\\"db\\\"\"}\n"
    #expect(
      baseline.text == heading
        + "{\"rule\":\"files-open-at-resign\",\"fingerprint\":\"0000000000000003\",\"count\":2,"
        + line
        + "{\"rule\":\"lock-at-suspend\",\"fingerprint\":\"0000000000000001\",\"count\":1," + line
        + "{\"rule\":\"lock-at-suspend\",\"fingerprint\":\"0000000000000002\",\"count\":1," + line)

    #expect(try Baseline(text: baseline.text.utf8) == baseline)
    #expect(
      Baseline([entry(3, count: 2, rule: "files-open-at-resign"), entry(1), entry(2)]).text
        == baseline.text)
  }

  @Test func blankLinesAndUnknownMembersDoNotCount() throws {
    let line =
      "{\"new\":[1,{}],\"rule\":\"r\",\"fingerprint\":\"00000000000000ff\",\"count\":3,"
      + "\"severity\":\"info\",\"subject\":\"\",\"message\":\"m\"}"
    let baseline = try Baseline(text: "\(heading)\r\n\n\(line)\r\n".utf8)
    #expect(baseline.count(of: "00000000000000ff") == 3)
    #expect(baseline.count(of: "00000000000000fe") == 0)
  }

  @Test(arguments: [
    ("", 1, "the file is empty"),
    ("{\"a\":1}\n", 1, "this is not a baseline"),
    ("{\"schema\":\"tracectl-baseline\",\"version\":2}\n", 1, "version 2 is newer"),
    ("HEAD<<<<<<< ours\n", 2, "expected a JSON object"),
    ("HEAD\nE,\"count\":0}\n", 3, "expected \"count\""),
    ("HEADE,\"count\":-1}\n", 2, "expected \"count\""),
    ("HEADE,\"count\":99999999999999999999}\n", 2, "expected \"count\""),
    (
      "HEADE,\"count\":1}\nE,\"count\":1}\n", 3,
      "line 2 already has the fingerprint 0123456789abcdef"
    ),
    ("HEADE,\"count\":1,\"sev", 2, "expected"),
    ("HEADX,\"count\":1}\n", 2, "16 hexadecimal digits"),
    ("HEADM,\"count\":1}\n", 2, "without hidden characters"),
    ("HEADE,\"number\":1}\n", 2, "the line has no \"count\": expected \"count\" with a whole"),
    ("HEAD{\"fingerprint\":\"0123456789abcdef\"}\n", 2, "the line has no \"severity\": expected"),
  ])
  func damageIsToldWithItsLine(text: String, line: Int, words: String) throws {
    func entry(_ fingerprint: String, _ message: String) -> String {
      "{\"rule\":\"r\",\"severity\":\"info\",\"subject\":\"\",\"message\":\"\(message)\","
        + "\"fingerprint\":\"\(fingerprint)\""
    }
    let file = text.replacing("HEAD", with: heading)
      .replacing("E,", with: entry("0123456789abcdef", "m") + ",")
      .replacing("X,", with: entry("0123456789ABCDEF", "m") + ",")
      .replacing("M,", with: entry("0123456789abcdef", "\\u001b[2J") + ",")
    let error = #expect(throws: BaselineError.self) { try Baseline(text: file.utf8) }
    #expect(error?.line == line)
    #expect(error?.description.contains(words) ?? false, "\(error?.description ?? "")")
  }

  /// A file that was cut or has a byte changed is read or told, and never ends the process.
  @Test func everyDamageIsReadOrTold() {
    let bytes = Array(Baseline([entry(1), entry(2)]).text.utf8)
    var told = 0
    for index in bytes.indices {
      for change in [UInt8(0), 0x22, 0x7b, 0xff] {
        var damaged = bytes
        damaged[index] = change
        if (try? Baseline(text: damaged)) == nil { told += 1 }
      }
      if (try? Baseline(text: bytes.prefix(index))) == nil { told += 1 }
    }
    #expect(told > 3 * bytes.count)
  }

  @Test func theUnionIsAssociativeAndCommutative() {
    let a = Baseline([entry(1, count: 3), entry(2)])
    let b = Baseline([entry(1, count: 2), entry(3, rule: "x")])
    let c = Baseline([entry(1, count: 3, rule: "a"), entry(3, rule: "y")])
    #expect(a.union(b) == b.union(a))
    #expect(a.union(b).union(c) == a.union(b.union(c)))
    #expect(c.union(a).union(b) == a.union(b).union(c))
    #expect(a.union(a) == a)
    #expect(a.union(b).count(of: entry(1).fingerprint) == 3)
  }

  // MARK: What is new

  @Test(
    arguments: [
      ([.error, .error], 2, 0, [true, true]), ([.error, .error], 2, 1, [true, false]),
      ([.error, .warning], 2, 1, [true, false]), ([.info, .error], 2, 1, [false, true]),
      ([.error, .error], 2, 9, [false, false]),
      // More are left out than are known: what is kept shows it.
      ([.info, .info], 9, 5, [true, true]), ([.info, .info], 9, 8, [true, false]), ([], 0, 3, []),
    ] as [([Severity], Int, Int, [Bool])])
  func theSurplusIsNew(kept: [Severity], all: Int, known: Int, expected: [Bool]) {
    #expect(Baseline.newOnes(of: kept, all: all, known: known) == expected)
  }
}
