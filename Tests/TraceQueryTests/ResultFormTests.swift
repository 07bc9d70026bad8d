import Foundation
import Testing

@testable import TraceQuery

/// Answers in all forms, of texts that mean something to terminals, spreadsheets and parsers.
@Suite struct ResultFormTests {
  private typealias Answer = (columns: [String], rows: [[QueryValue]])

  private func print(_ form: ResultForm, _ answers: [Answer], width: Int? = nil) -> String {
    var printer = ResultPrinter(form, statementCount: answers.count, width: width)
    for answer in answers {
      printer.begin(answer.columns)
      for row in answer.rows { printer.add(row) }
      printer.end()
    }
    printer.finish()
    return String(decoding: printer.takeBytes(), as: UTF8.self)
  }

  private let plain: Answer = (
    ["name", "n", "share"],
    [["frame", 12, .real(0.25)], [.null, 3, .real(2.0 / 3)], ["", .null, .real(1234.5678)]]
  )
  private let hostile: Answer = (
    ["=a", "b|c"], [["=1+1", "a,\"b\"\n"], ["\u{1b}[31m", "<b>`|x"], ["-", "{\"a\":\"b\"}"]]
  )

  @Test func aTableHasNumbersToTheRight() {
    #expect(
      print(.table, [plain])
        == """
        name    n     share
        frame  12      0.25
                3  0.666667
                   1234.568

        """)
  }

  @Test func aTableShowsTextsInert() {
    #expect(
      print(.table, [hostile])
        == #"""
        =a          b|c
        =1+1        a,"b"\u000a
        \u001b[31m  <b>`|x
        -           {"a":"b"}

        """#)
  }

  @Test func aTableIsNoWiderThanTheTerminal() {
    let wide: Answer = (
      ["text", "number"], [[.text(String(repeating: "x", count: 90)), 123_456_789_012]]
    )
    #expect(
      print(.table, [wide], width: 40)
        == """
        text                              number
        xxxxxxxxxxxxxxxxxxxxxxxxx…  123456789012

        """)
    // Numbers are never cut: a part of one is another number.
    #expect(print(.table, [wide], width: 10).contains("123456789012"))
  }

  @Test func theWidthsOfALongTableStayTheSame() {
    let rows = (0..<3_000).map { [QueryValue.text($0 == 2_000 ? "longer" : "x"), 1] }
    let lines = print(.table, [(["a", "b"], rows)]).split(separator: "\n")
    #expect(lines.count == 3_001)
    #expect(Set(lines) == ["a  b", "x  1", "…  1"])
  }

  @Test func anEmptyTableSaysSo() {
    #expect(print(.table, [(["a"], [])]) == "a\nno rows\n")
    #expect(print(.csv, [(["a"], [])]) == "a\r\n")
    #expect(print(.json, [(["a"], [])]) == "[]\n")
    #expect(print(.ndjson, [(["a"], [])]) == "")
  }

  @Test func csvObeysRFC4180AndIsNoFormula() {
    #expect(
      print(.csv, [plain])
        == "name,n,share\r\nframe,12,0.25\r\n,3,0.6666666666666666\r\n\"\",,1234.5678\r\n")
    #expect(
      print(.csv, [hostile])
        == "'=a,b|c\r\n'=1+1,\"\"\"a,\\\"\"b\\\"\"\\n\"\"\"\r\n"
        + "\"\"\"\\u001b[31m\"\"\",<b>`|x\r\n-,\"{\"\"a\"\":\"\"b\"\"}\"\r\n")
    #expect(print(.csv, [(["a"], [[.null], [-5], ["-5"]])]) == "a\r\n\"\"\r\n-5\r\n'-5\r\n")
  }

  @Test func jsonIsAnArrayOfObjects() throws {
    let text = print(.json, [plain])
    #expect(
      text
        == """
        [
        {"name":"frame","n":12,"share":0.25},
        {"name":null,"n":3,"share":0.6666666666666666},
        {"name":"","n":null,"share":1234.5678}
        ]

        """)
    let several = try JSONSerialization.jsonObject(with: Data(print(.json, [plain, hostile]).utf8))
    #expect((several as? [[[String: Any]]])?.map(\.count) == [3, 3])
  }

  @Test func membersOfJSONHaveDifferentNames() {
    let twice: Answer = (["log", "log", "log_2", "log"], [[1, 2, 3, 4]])
    #expect(print(.ndjson, [twice]) == "{\"log\":1,\"log_3\":2,\"log_2\":3,\"log_4\":4}\n")
  }

  @Test func ndjsonIsAnObjectALine() throws {
    let lines = print(.ndjson, [hostile]).split(separator: "\n")
    #expect(lines.count == 3 && !lines.joined().contains("\u{1b}"))
    for (line, row) in zip(lines, hostile.rows) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
      #expect(object.map { [QueryValue.text($0["=a"] ?? ""), .text($0["b|c"] ?? "")] } == row)
    }
  }

  @Test func markdownIsATable() {
    #expect(
      print(.markdown, [plain])
        == """
        | name | n | share |
        |---|---|---|
        | frame | 12 | 0.25 |
        |  | 3 | 0.666667 |
        |  |  | 1234.568 |

        """)
    let lines = print(.markdown, [hostile]).split(separator: "\n")
    #expect(lines.count == 5 && lines.allSatisfy { $0.count { $0 == "|" } == 3 })
  }

  @Test func severalAnswersAreAPart() {
    let one: Answer = (["a"], [[1]])
    #expect(print(.csv, [one, one]) == "a\r\n1\r\n\na\r\n1\r\n")
    #expect(print(.table, [one, one]) == "a\n1\n\na\n1\n")
    #expect(print(.ndjson, [one, one]) == "{\"a\":1}\n\n{\"a\":1}\n")
    #expect(print(.json, [one, one]) == "[\n[\n{\"a\":1}\n],\n[\n{\"a\":1}\n]\n]\n")
  }

  @Test func numbersAndBytesThatFormsDoNotKnowAreKept() {
    let odd: Answer = (["x"], [[.real(.infinity)], [.real(-.infinity)], [.blob([0, 255])]])
    #expect(print(.ndjson, [odd]) == "{\"x\":1e999}\n{\"x\":-1e999}\n{\"x\":\"x'00ff'\"}\n")
  }
}
