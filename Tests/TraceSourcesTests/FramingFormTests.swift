import LifecycleModel
import Testing

@testable import TraceSources

/// The same life in every form that a tool or a person gives it.
struct FramingFormTests {
  private let short = """
    10:00:00 Notes -5 32>0
    10:00:04 Notes +0 0>1
    10:00:05 Notes +11 1>2049
    """

  /// What is told, without the lines where it stood.
  private let told = """
    0s        -     profile       hooks=tasks,system clock=wall
    0s        -     gap           source-hole -1
    0s        -     state         inactive->active app
    4s        -     state         active->inactive app
    5s        -     state         inactive->background app
    """

  private func withoutLines(_ text: String) throws -> String {
    try notation(of: text).replacing(#/ line=\d+/#, with: "")
  }

  private func form(of text: String) throws -> String? { try tally(of: text).form }

  @Test func logShowWithoutAStyle() throws {
    #expect(try withoutLines(ConsoleText.logShow(short)) == told)
    #expect(try form(of: ConsoleText.logShow(short)) == "log show")
    // Neither the header nor the trailer belongs to a record.
    let tally = try tally(of: ConsoleText.logShow(short))
    #expect((tally.records, tally.joined, tally.skipped) == (3, 0, 0))
  }

  @Test func lossOfLogShowIsAHole() throws {
    let loss = """
      2026-03-01 10:00:06.000000+0200 0x1cc15    Loss        0x0                  412    0    \
      Notes: lost >= 3 unreliable messages from 0x1-0x3
      """
    #expect(
      try withoutLines(ConsoleText.logShow(short) + loss).contains("gap           source-hole 1"))
  }

  @Test func logInStyleSyslog() throws {
    #expect(try withoutLines(ConsoleText.logSyslog(short)) == told)
    let typed = ConsoleText.logSyslog(short).replacing("]: (", with: "] <Notice>: (")
    #expect(try withoutLines(typed) == told)
    #expect(try form(of: typed) == "log --style syslog")
  }

  @Test func logInStyleJSON() throws {
    let header = "Filtering the log data using \"process == \\\"Notes\\\"\"\n"
    let pretty = ConsoleText.json(short)
    #expect(try withoutLines(header + pretty) == told)
    // A stream that was stopped has no closing bracket, and a line may hold all of an object.
    let rows = ConsoleText.ndjson(short).split(separator: "\n")
    #expect(try withoutLines("[" + rows.joined(separator: ",\n") + ",\n") == told)
    #expect(try withoutLines("[" + rows.joined(separator: ",") + "]\n") == told)
  }

  @Test func anObjectThatIsCutOffIsAHole() throws {
    let rows = ConsoleText.ndjson(short).split(separator: "\n")
    let cut = rows[0] + "\n" + rows[1].prefix(60) + "\n" + rows[1] + "\n{\"a\": 1,\n" + rows[2]
    let text = try withoutLines(cut + "\n{\"eventMessage\": \"x\",")
    #expect(text.split(separator: "\n").count(where: { $0.contains("source-hole 1") }) == 3)
    #expect(text.contains("5s        -     state         inactive->background app"))
  }

  @Test(arguments: ["Notes[412:80966]", "Notes [412:80966]", "Notes[412:1a2b]"])
  func xcodesConsole(process: String) throws {
    let text = ConsoleText.xcode(short).replacing("Notes[412:80966]", with: process)
    #expect(try withoutLines(text) == told)
    #expect(try withoutLines(text.replacing("[Lifecycle] ", with: "[] ")) == told)
    #expect(try withoutLines(text.replacing("[Lifecycle] ", with: "")) == told)
    #expect(try form(of: text) == "Xcode's debug console")
  }

  @Test func whatTheDebuggerSaysHasTheTimeOfTheRecordBefore() throws {
    let framing = XcodeFraming()
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

  @Test func pymobiledevice3() throws {
    #expect(try withoutLines(ConsoleText.pyMobileDevice(short)) == told)
    #expect(try form(of: ConsoleText.pyMobileDevice(short)) == "pymobiledevice3")
  }

  @Test func pymobiledevice3AsJSON() throws {
    let text = """
      {"pid":412,"timestamp":"2026-03-01T10:00:00.000000","level":"NOTICE","image_name":"/S/UIKitCore",\
      "filename":"/Applications/Notes.app/Notes","label":{"subsystem":"com.apple.UIKit","category":"A"},\
      "message":"Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating"}
      """
    #expect(try withoutLines(text).hasSuffix("state         inactive->active app"))
  }

  @Test(arguments: [
    ["type", "time", "process", "UIKitCore", "message"],
    ["UIKitCore", "type", "time", "process", "message"],
    ["time", "process", "message"],
    ["time", "process", "UIKitCore", "message"],
    ["type", "time", "process", "com.apple.UIKit", "Lifecycle", "message"],
  ])
  func columnsOfConsoleAppAreThePersonsChoice(columns: [String]) throws {
    #expect(try withoutLines(ConsoleText.consoleApp(columns: columns, short)) == told)
  }

  @Test func columnsWithoutAProcessAreOneApps() throws {
    var framing = ConsoleAppFraming()
    let line = ArraySlice("10:00:00.5+0200\tUIKitCore\tApp\thello\tworld".utf8)
    // One line alone would not show that the message has a tab.
    framing.learn(from: [line, ArraySlice("10:00:01.5+0200\tUIKitCore\tApp\thello".utf8)])
    guard case .record(let record) = framing.read(line, number: 1) else {
      Issue.record("no record")
      return
    }
    #expect(record.process == "")
    #expect(record.subsystem == "UIKitCore")
    #expect(record.message.text == "hello\tworld")

  }

  @Test func tabsMayHaveBecomeBlanks() throws {
    for blanks in [" ", "  ", "    "] {
      let text = ConsoleText.consoleApp(short).replacing("\t", with: blanks)
      #expect(try withoutLines(text) == told, "\(blanks.count) blanks")
      let wide = ConsoleText.consoleApp(
        columns: ["type", "time", "process", "UIKitCore", "message"], short)
      #expect(try withoutLines(wide.replacing("\t", with: blanks)) == told)
    }
  }

  @Test(arguments: ["Marias iPhone ", "iPhone ", ""])
  func namesOfDevicesAndProcessesHaveBlanks(device: String) throws {
    let two = """
      10:00:00 Notes_Lite -5 32>0
      10:00:01 backboardd hello
      10:00:04 Notes_Lite +0 0>1
      10:00:05 Notes_Lite +11 1>2049
      """

    let text = ConsoleText.syslog(two, device: device).replacing("_", with: " ")
    #expect(try withoutLines(text) == told)
    #expect(
      throws: Never.self, "the app is \"Notes Lite\"",
      performing: { try notation(of: text, app: "Notes Lite") })
  }

  @Test func syslogUpToIOS9() throws {
    let old = ConsoleText.syslog(short, device: "iPhone ").replacing("(UIKitCore)", with: "")
    #expect(try withoutLines(old.replacing(" <Notice>:", with: " :")) == told)
    #expect(try withoutLines(old.replacing("Mar  1", with: "Sun Mar  1")) == told)
  }

  @Test(arguments: ["[IOSSimulatorLog] [IOS_SYSLOG_ROW] ", " LOG  ", "flutter: ", "> "])
  func aPrefixOfAnotherToolIsCut(prefix: String) throws {
    for text in [ConsoleText.compact(short), ConsoleText.xcode(short), ConsoleText.syslog(short)] {
      let behind = text.split(separator: "\n").map { prefix + $0 }.joined(separator: "\n")
      #expect(try withoutLines(behind) == told, "\(behind.prefix(60))")
    }
  }

  @Test func coloursAreCut() throws {
    for text in [ConsoleText.syslog(short), ConsoleText.pyMobileDevice(short)] {
      let colored = text.replacing("Notes", with: "\u{1b}[0m\u{1b}[0;35mNotes\u{1b}[m")
        .split(separator: "\n").map { "\u{1b}[32m" + $0 + "\u{1b}[0m" }.joined(separator: "\n")
      #expect(try withoutLines(colored) == told)
    }
  }

  @Test func aPastedTextMayBeginAndEndAnywhere() throws {
    let text = ConsoleText.consoleApp(short)
    #expect(
      try withoutLines("What I see:\n\n```\nanimating\n" + text + "default\t10:0") == told)
    #expect(try withoutLines("```text\n" + text + "```\n") == told)
  }

  @Test func textWithoutAFrameIsTheLastResort() throws {
    let text = """
      Deactivation reason removed: 5; deactivation reasons: 32 -> 0; animating
      somebody's own words
      """
    #expect(try form(of: text) == "plain text")
    #expect(try withoutLines(text).hasSuffix("0s        -     state         inactive->active app"))
    #expect(throws: SourceError.self) { _ = try notation(of: "somebody's own words\n") }
  }
}
