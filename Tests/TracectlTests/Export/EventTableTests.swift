import LifecycleModel
import TestTime
import Testing
import TraceText
import Traces

@testable import TraceReport

/// Events as CSV: by RFC 4180, without formulas, and with all that they say.
@Suite struct EventTableTests {
  private func csv(_ trace: Trace) -> String {
    var table = EventTable(trace.vocabulary, isNDJSON: false)
    for event in trace.events { table.add(event) }
    return String(decoding: table.takeBytes(), as: UTF8.self)
  }

  /// The cells of a table, as RFC 4180 has them.
  private func rows(_ text: String) -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = ""
    var isQuoted = false
    var rest = ArraySlice(text.unicodeScalars)

    while let character = rest.popFirst() {
      switch character {
      case "\"" where isQuoted && rest.first == "\"":
        cell.unicodeScalars.append(character)
        rest.removeFirst()
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(cell)
        cell = ""
      case "\r" where !isQuoted && rest.first == "\n":
        rest.removeFirst()
        rows.append(row + [cell])
        (row, cell) = ([], "")
      default: cell.unicodeScalars.append(character)
      }
    }
    #expect(row.isEmpty && cell.isEmpty && !isQuoted)
    return rows
  }

  /// The text of a cell, as the documentation says to read it.
  private func text(_ cell: String) -> String {
    InertText.plain(cell.hasPrefix("'") ? String(cell.dropFirst()) : cell)
  }

  @Test func anEventIsALine() throws {
    let trace = try TraceNotation.parse(
      """
      1.5s main task.begin task:1 "a,b" handler=true
      2s - gap ring-full 3
      3s db sample memory app -7
      """)
    #expect(
      csv(trace) == """
        t,writer,sequence,verb,name,subject,label,value,attributes\r
        1500000000,main,1,task.begin,,task:1,"a,b",,"{""handler"":""true""}"\r
        2000000000,-,0,gap,ring-full,,,3,\r
        3000000000,db,1,sample,memory,app,,-7,\r

        """)
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("'", "''"),
    ("＝1", "'＝1"), ("a=1", "a=1"), ("", ""), ("-", "-"),
    ("\t=1", "\"\"\"\\t=1\"\"\""), ("\r\n", "\"\"\"\\r\\n\"\"\""),
    ("\u{1b}[31m", "\"\"\"\\u001b[31m\"\"\""),
  ])
  func noTextIsAFormulaOrObeyed(label: String, cell: String) throws {
    let trace = Trace(vocabulary: Vocabulary())
    var event = Event(instant: .origin, writer: .main, verb: .note)
    event.label = trace.vocabulary.symbol(label)
    var table = EventTable(trace.vocabulary, isNDJSON: false)
    _ = table.takeBytes()
    table.add(event)
    let line = String(decoding: table.takeBytes(), as: UTF8.self)
    #expect(line == "0,main,0,note,,,\(cell),,\r\n")
    #expect(text(rows(line)[0][6]) == label)
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(20, all: 500))
  func nothingIsLostAndNothingIsAFormula(seed: UInt64) throws {
    var generator = ArbitraryTrace(seed: seed)
    let trace = generator.trace(count: 200)
    let vocabulary = trace.vocabulary
    let rows = rows(csv(trace))
    #expect(rows.count == trace.events.count + 1)

    for (event, row) in zip(trace.events, rows.dropFirst()) {
      #expect(row.count == 9)
      #expect(row[0] == "\(event.instant.nanoseconds)" && row[2] == "\(event.sequence)")
      #expect(text(row[1]) == vocabulary.name(of: event.writer))
      #expect(text(row[3]) == vocabulary.word(of: event.verb))
      #expect(text(row[4]) == vocabulary.text(event.name))
      #expect(row[5] == event.subject.description && text(row[6]) == vocabulary.text(event.label))
      #expect(row[7] == event.value.map { "\($0)" } ?? "")
      #expect(row[8].isEmpty == event.attributes.isNone)
      for index in [1, 3, 4, 5, 6, 8] where row[index] != "-" {
        #expect(row[index].first.map { !"=+-@\t\r".contains($0) } ?? true, "\(row[index])")
      }
    }
  }
}
