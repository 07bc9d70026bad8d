import LifecycleModel
import Testing

@testable import TraceSources

/// How lines become records, beside the cases of `Tests/Inputs/console/framing.txt`.
struct FramingTests {
  private let short = """
    10:00:00 Notes -5 32>0
    10:00:04 Notes +0 0>1
    10:00:05 Notes +11 1>2049
    """

  @Test func recordsKeepWhatTheFramingSays() throws {
    let line = "2026-10-06 00:18:48.912 Df Notes Lite[80966:a1da12] [com.example:ui] hello"
    guard case .record(let record) = LineFraming.compact.read(ArraySlice(line.utf8), number: 7)
    else {
      Issue.record("no record")
      return
    }

    #expect(record.line == 7)
    #expect(record.process == "Notes Lite")
    #expect(record.pid == 80966)
    #expect(record.message.elementsEqual("hello".utf8))
  }

  @Test func theProcessInABracketIsNoSubsystem() throws {
    let line = "2026-10-06 00:18:48.912 Df SpringBoard[66:a] [app<com.example.notes>:412] Boo"
    guard case .record(let record) = LineFraming.compact.read(ArraySlice(line.utf8), number: 1)
    else {
      Issue.record("no record")
      return
    }
    #expect(record.message.elementsEqual("[app<com.example.notes>:412] Boo".utf8))
  }

  @Test func anUnknownFormIsAnErrorThatNamesTheKnownOnes() {
    let text = "\nroses are \u{1b}]red\nviolets are blue\n"
    #expect {
      _ = try notation(of: text)
    } throws: {
      "\($0)" == """
        expected console text in one of these formats: log --style ndjson or json, log show, \
        log --style syslog, log --style compact, pymobiledevice3, Xcode's debug console, \
        Console.app copy, idevicesyslog, Console.app copy with spaces, \
        found "roses are \\u001b]red"; save the console \
        text unchanged, or use --source trace or ndjson for a trace
        """
    }
  }

  @Test func anEmptyInputIsAnError() {
    #expect(throws: SourceError.self) { _ = try notation(of: "") }
  }

  @Test func anEndlessInputOfNoKnownFormIsGivenUp() {
    var source = ConsoleSource()
    var events: [Event] = []
    let junk = Array(String(repeating: "junk\n", count: FramingDetector.maximumLines).utf8)
    #expect(throws: SourceError.self) { try source.take(junk[...], into: &events) }
  }

  @Test func whatTheDebuggerSaysHasTheTimeOfTheRecordBefore() throws {
    let framing = LineFraming.xcode
    let line = "Message from debugger: Terminated due to signal 9"
    guard case .unstamped(let record) = framing.read(ArraySlice(line.utf8), number: 4) else {
      Issue.record("no record")
      return
    }

    let assembler = RecordAssembler()
    var seen: [ConsoleRecord] = []
    let first = ArraySlice("2026-03-01 10:00:00.5 Notes[412:1] hello".utf8)
    guard case .record(let before) = framing.read(first, number: 3) else {
      Issue.record("no record")
      return
    }

    assembler.begin(before) { seen.append($0) }
    assembler.beginUnstamped(record) { seen.append($0) }
    assembler.handOut { seen.append($0) }
    #expect(seen.map(\.process) == ["Notes", "Notes"])
    #expect(seen.map(\.stamp) == [before.stamp, before.stamp])
    #expect(seen[1].message.text == line)
  }

  @Test func columnsWithoutAProcessAreOneApps() throws {
    var framing = ColumnFraming.tabbed
    let line = ArraySlice("10:00:00.5+0200\tUIKitCore\tApp\thello\tworld".utf8)
    // One line alone would not show that the message has a tab.
    framing.learn(from: [line, ArraySlice("10:00:01.5+0200\tUIKitCore\tApp\thello".utf8)])
    guard case .record(let record) = framing.read(line, number: 1) else {
      Issue.record("no record")
      return
    }
    #expect(record.process == "")
    #expect(record.message.text == "hello\tworld")
  }

  @Test func coloursAreCut() throws {
    for text in [ConsoleText.syslog(short), ConsoleText.pyMobileDevice(short)] {
      let colored = text.replacing("Notes", with: "\u{1b}[0m\u{1b}[0;35mNotes\u{1b}[m")
        .split(separator: "\n").map { "\u{1b}[32m" + $0 + "\u{1b}[0m" }.joined(separator: "\n")
      #expect(try notation(of: colored) == notation(of: text))
    }
  }

  @Test func aPastedTextMayBeginAndEndAnywhere() throws {
    let text = ConsoleText.consoleApp(short)
    let pasted = "What I see:\n\n```\nanimating\n" + text + "default\t10:0"
    #expect(try withoutLines(pasted) == withoutLines(text))
  }

  private func withoutLines(_ text: String) throws -> String {
    try notation(of: text).replacing(#/ line=\d+/#, with: "")
  }
}
