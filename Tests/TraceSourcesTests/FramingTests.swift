import LifecycleModel
import Testing

@testable import TraceSources

struct FramingTests {
  private let short = """
    10:00:00 Notes -5 32>0
    10:00:04 Notes +0 0>1
    10:00:05 Notes +11 1>2049
    """

  private let told = """
    0s        -     profile       hooks=tasks,system clock=wall
    0s        -     gap           source-hole -1 line=1
    0s        -     state         inactive->active app line=1
    4s        -     state         active->inactive app line=2
    5s        -     state         inactive->background app line=3
    """

  @Test func aConsoleAppCopyIsRead() throws {
    #expect(try notation(of: ConsoleText.consoleApp(short)) == told)
  }

  @Test func anOldMacPutsABlankBeforeTheZone() throws {
    #expect(try notation(of: ConsoleText.consoleApp(short, zone: " +0900")) == told)
  }

  @Test func theLevelMayBeLocalized() throws {
    let german = ConsoleText.consoleApp(short).replacing("default\t", with: "Standard\t")
    #expect(try notation(of: german) == told)
  }

  @Test func aSubsystemColumnIsNoPartOfTheMessage() throws {
    let wide = ConsoleText.consoleApp(short).replacing("\tNotes\t", with: "\tNotes\tUIKitCore\t")
    #expect(try notation(of: wide) == told)
  }

  @Test func ndjsonOfLogIsRead() throws {
    let header = "Filtering the log data using \"process == \\\"Notes\\\"\"\n"
    let footer = "{\"count\":3,\"finished\":1}\n"
    let shifted = told.replacing("line=3", with: "line=4").replacing("line=2", with: "line=3")
      .replacing("line=1", with: "line=2")
    #expect(try notation(of: header + ConsoleText.ndjson(short) + footer) == shifted)
  }

  @Test func activitiesOfLogAreNoMessages() throws {
    let activity = ConsoleText.ndjson("10:00:06 Notes -11 2049>1")
      .replacing("\"logEvent\"", with: "\"activityCreateEvent\"")
    #expect(try notation(of: ConsoleText.ndjson(short) + activity) == told)
  }

  @Test func aBrokenObjectOfLogIsAHole() throws {
    let text = ConsoleText.ndjson(short) + "{\"eventMessage\":\"cut off\n"
    #expect(
      try notation(of: text).hasSuffix("\n5s        -     gap           source-hole 1 line=4"))
  }

  @Test func compactLogIsRead() throws {
    #expect(try notation(of: ConsoleText.compact(short)) == told)
  }

  @Test(arguments: ["Marias-iPhone ", ""])
  func syslogOfADeviceIsRead(device: String) throws {
    #expect(try notation(of: ConsoleText.syslog(short, device: device)) == told)
  }

  @Test func newerSyslogHasPartsOfASecond() throws {
    let text = """
      Mar  1 10:00:00.250000 Notes(UIKitCore)[412] <Notice>: \
      Deactivation reason added: 0; deactivation reasons: 0 -> 1; animating
      Mar  1 10:00:00.750000 Notes[412] <Notice>: \
      Deactivation reason removed: 0; deactivation reasons: 1 -> 0; animating
      """

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     state         active->inactive app line=1
        500ms     -     state         inactive->active app line=2
        """)
  }

  @Test func recordsKeepWhatTheFramingSays() throws {
    let line = "2026-10-06 00:18:48.912 Df Notes Lite[80966:a1da12] [com.example:ui] hello"
    guard case .record(let record) = CompactFraming().read(ArraySlice(line.utf8), number: 7) else {
      Issue.record("no record")
      return
    }

    #expect(record.line == 7)
    #expect(record.process == "Notes Lite")
    #expect(record.pid == 80966)
    #expect(record.thread == 0xa1da12)
    #expect(record.subsystem == "com.example")
    #expect(record.level == "Df")
    #expect(record.message.elementsEqual("hello".utf8))
  }

  @Test func theProcessInABracketIsNoSubsystem() throws {
    let line = "2026-10-06 00:18:48.912 Df SpringBoard[66:a] [app<com.example.notes>:412] Boo"
    guard case .record(let record) = CompactFraming().read(ArraySlice(line.utf8), number: 1) else {
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
}
