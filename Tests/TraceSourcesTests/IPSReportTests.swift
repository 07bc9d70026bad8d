import Testing
import TraceSources

/// Reports in JSON, whole and in parts.
@Suite struct IPSReportTests {
  private let watchdog = """
    kill app code=0x8badf00d namespace=FRONTBOARD reason="scene-update watchdog transgression: \
    app<com.example.notes(7D)>:412 exhausted real (wall clock) time allowance of 10.00 seconds" \
    by=report watchdog=scene-update visibility=background cpu="application 0.051s 0%, total 6.120s 10%" \
    allowance=10s
    """

  @Test func aWholeReportIsALife() throws {
    #expect(
      try reported(ReportText.ips) == [
        "0s - profile platform=ios os=18.2 app=com.example.notes hooks=process clock=monotonic",
        "0s - process.start app pid=412 bundle=com.example.notes launch=unknown",
        "22.7322s - note app \"the main thread waited for a lock (__psynch_mutexwait) in Notes + 48212\"",
        "22.7322s - note app \"the app used 0% of the processor in the watchdog's time: it waited, "
          + "as for a lock or a synchronous call, or did not get the processor\"",
        "22.7322s - " + watchdog,
      ])
  }

  @Test func chunksMakeNoDifference() throws {
    let whole = try reported(ReportText.ips)
    for chunk in [1, 7, 64] { #expect(try reported(ReportText.ips, chunk: chunk) == whole) }
  }

  @Test(arguments: [
    ("the body alone", ReportText.body()),
    ("without its braces", String(ReportText.body().dropFirst().dropLast())),
    ("in back-quotes", "```json\n\(ReportText.ips)```\n"),
    ("below a text", "# My crash\n\nIt says \"killed\":\n\n" + ReportText.ips),
    ("its first key overwritten", ReportText.ips.replacing("\"uptime\" :", with: "\"web4 :")),
    ("cut off in the threads", String(ReportText.ips.prefix(ReportText.ips.count - 150))),
    ("with CR LF", ReportText.ips.replacing("\n", with: "\r\n")),
  ])
  func partsSayTheSameOfTheEnd(what: String, text: String) throws {
    let end = try ending(text)
    #expect(end == "22.7322s - " + watchdog, "\(what)")
  }

  @Test func theTerminationAlone() throws {
    let termination = ReportText.watchdog.drop { $0 != "{" }
    #expect(
      try reported(String(termination)) == [
        "0s - profile app=com.example.notes pid=412 clock=wall",
        "0s - note app \"the app used 0% of the processor in the watchdog's time: it waited, "
          + "as for a lock or a synchronous call, or did not get the processor\"",
        "0s - " + watchdog,
      ])
  }

  @Test(arguments: [
    (ReportText.locked, "code=0xdead10cc namespace=RUNNINGBOARD"),
    (
      #""termination" : {"code":"0xbaadca11","namespace":"FRONTBOARD"}"#,
      "code=0xbaadca11 namespace=FRONTBOARD"
    ),
    (
      #""termination" : {"code":7,"namespace":"JETSAM"}"#,
      "code=0x7 namespace=JETSAM reason=per-process-limit"
    ),
    (
      #""termination" : {"code":3735883980,"namespace":"<0xF>"}"#,
      "code=0xdead10cc namespace=RUNNINGBOARD"
    ),
    (
      #""termination" : {"code":1,"namespace":"DYLD","#
        + #""reasons":["Library missing","Referenced from: A"]}"#,
      "code=0x1 namespace=DYLD reason=\"Library missing; Referenced from: A\""
    ),
  ])
  func codesAreReadAsTheyStand(termination: String, words: String) throws {
    let end = try ending(ReportText.body(termination))
    #expect(end == "22.7322s - kill app \(words) by=report visibility=background")
  }

  @Test func aCrashHasTheWordsOfItsRuntime() throws {
    let signal = #""termination" : {"flags":0,"code":5,"namespace":"SIGNAL","indicator":"Trap"}"#
    let fatal = #""asi" : {"libswiftCore.dylib":["Notes/Store.swift:12: Fatal error: no store"]}"#
    #expect(
      try ending(ReportText.body(signal, signal: "SIGTRAP", more: fatal))
        == "22.7322s - kill app code=0x5 namespace=SIGNAL "
        + "reason=\"Notes/Store.swift:12: Fatal error: no store\" by=report visibility=background")

    let thrown = #"""
      "asi" : {"CoreFoundation":["*** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds'"],"libsystem_c.dylib":["abort() called"]},
      "lastExceptionBacktrace" : [{"symbol":"__exceptionPreprocess"}]
      """#
    let abort = #""termination" : {"code":6,"namespace":"SIGNAL"}"#
    #expect(
      try ending(ReportText.body(abort, signal: "SIGABRT", more: thrown))?.contains(
        "exception=NSRangeException reason=\"index 3 beyond bounds\"") == true)
  }

  @Test func theThreadThatCrashedIsNamed() throws {
    let signal = #""termination" : {"code":11,"namespace":"SIGNAL"}"#
    let threads = #"""
      "faultingThread" : 1, "threads" : [{"frames":[{"symbol":"mach_msg2_trap"}]},{"triggered":true,"frames":[{"symbol":"memcpy"},{"symbol":"Codec.read()"}]}]
      """#
    let told = try reported(ReportText.body(signal, signal: "SIGSEGV", more: threads))
    #expect(told.contains("22.7322s - note app \"the main thread was in mach_msg2_trap\""))
    #expect(
      told.contains("22.7322s - note app \"thread 1 crashed in memcpy, called by Codec.read()\""))
  }

  @Test func timeAsleepIsNoAge() throws {
    let text = ReportText.ips.replacing("17:30:54.7126", with: "17:35:54.7126")
    let told = try reported(text)
    #expect(told.last?.hasPrefix("22.7322s ") == true)
    #expect(
      told.contains("22.7322s - note app \"the device slept for 300s of the process's life\""))
  }

  @Test func otherTicksAreNotTaken() throws {
    let text = ReportText.ips.replacing("ARM-64", with: "X86-64")
    #expect(try reported(text).last?.hasPrefix("22.7326s ") == true)
  }

  @Test func aSimulatorIsSaid() throws {
    let text = ReportText.ips.replacing("\"platform\":2", with: "\"platform\":7")
    #expect(try reported(text)[0].contains("simulator=true"))
  }

  @Test(arguments: [
    ("308", "the report is of no crash: the process went on"),
    (
      "385",
      "the report says neither a termination nor a fatal exception, so that no death is told; "
        + "was it cut off?"
    ),
  ])
  func whatIsNoDeathIsSaid(bugType: String, words: String) throws {
    let header = ReportText.header.replacing("309", with: bugType)
    let body = ReportText.body("\"x\" : 1", signal: "").replacing("EXC_CRASH", with: "")
    let told = try reported(header + "\n" + body)
    #expect(told.contains { $0.hasSuffix("note app \"\(words)\"") }, "\(told)")
    #expect(!told.contains { $0.contains(" kill ") })
  }

  @Test(arguments: [
    ReportText.header + "\n",
    String((ReportText.header + "\n" + ReportText.body("")).prefix(400)),
    "Incident Identifier: 3F6E\nProcess: Notes [412]\nIdentifier: com.example.notes\n",
  ])
  func aReportThatIsCutOffAboveItsEndSaysSo(text: String) throws {
    let told = try reported(text)
    #expect(told.contains { $0.hasSuffix(" warning=cut-report") }, "\(told)")
    #expect(!told.contains { $0.contains(" kill ") || $0.contains(" exit ") })
  }

  @Test(arguments: ["288", "210", "115", "211"])
  func otherReportsAreRefusedByTheirNames(bugType: String) throws {
    let text = ReportText.header.replacing("309", with: bugType) + "\n{ \"a\" : 1 }\n"
    #expect(ReportForm(Array(text.utf8)[...]) == nil)
    #expect(ReportForm.refused(Array(text.utf8)[...])?.contains("(bug type \(bugType))") == true)
  }

  @Test func aReportAboutAnotherAppIsRefused() throws {
    #expect(try ending(ReportText.ips, app: "com.example.notes") != nil)
    #expect(try ending(ReportText.ips, app: "Notes") != nil)
    let error = #expect(throws: SourceError.self) { try ending(ReportText.ips, app: "Tunes") }
    #expect(error?.code == .appNotFound)
    #expect(error?.found == "one about Notes, com.example.notes")
  }

  @Test func megabytesOfThreadsArePassedOver() throws {
    let frame = #"{"imageOffset":1,"symbol":"f","imageIndex":0}"#
    let frames = Array(repeating: frame, count: 200).joined(separator: ",")
    let thread = "{\"id\":1,\"threadState\":{\"x\":[{\"value\":1}]},\"frames\":[\(frames)]}"
    let threads = Array(repeating: thread, count: 100).joined(separator: ",\n")
    let text = ReportText.body(more: "\"threads\" : [\(threads)]")
    #expect(text.utf8.count > 800_000)
    #expect(try ending(text) == "22.7322s - " + watchdog)
  }
}
