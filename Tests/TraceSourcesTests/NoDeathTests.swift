import LifecycleModel
import Testing
import TraceSources

/// What a report says of an end that is none, or of one that others bring, or of which it is silent.
@Suite struct NoDeathTests {
  @Test(arguments: ["\"isNonFatal\" : 1", "\"isSimulated\":true"])
  func aConditionThatIsNotFatalIsNoDeath(member: String) throws {
    let text =
      ReportText.header + "\n"
      + ReportText.body(member + ",\n\"termination\" : {\"namespace\":\"GUARD\",\"code\":123}")
    #expect(try ending(text) == nil)
    #expect(try reported(text).last?.contains("the process went on") == true)
    #expect(try ending(text.replacing(member, with: "\"isNonFatal\" : 0")) != nil)
  }

  @Test func theStopOfADebuggerIsTheDebuggers() throws {
    let kill = #""termination" : {"namespace":"SIGNAL","code":9,"byProc":"debugserver","byPid":9}"#
    let text = ReportText.header + "\n" + ReportText.body(kill)
    #expect(try ending(text)?.contains("kill app reason=debugger by=report") == true)
    // It may stand beside a crash of the app's own.
    let own = text.replacing("\"code\":9", with: "\"code\":11")
    #expect(try ending(own)?.contains("code=0xb namespace=SIGNAL") == true)

    let lines = """
      Process: Notes [412]
      Exception Type: EXC_CRASH (SIGKILL)
      Termination Reason: SIGNAL 9 Killed: 9
      Terminating Process: debugserver [300]
      """
    #expect(try ending(lines)?.contains("kill app reason=debugger by=report") == true)
    let other = lines.replacing("debugserver", with: "launchd")
    #expect(try ending(other)?.contains("code=0x9 namespace=SIGNAL") == true)
  }

  @Test func ofALimitWithoutAnActionNothingIsKnown() throws {
    let text = """
      Report Version: 40
      Process:  Notes [412]
      Event: cpu usage (fatal)
      CPU: 90 seconds cpu time over 150 seconds
      """
    #expect(try ending(text) == nil)
    let told = try reported(text)
    #expect(told.contains { $0.contains("whether the process died is not known") }, "\(told)")

    let resource = """
      Process:  Notes [412]
      Exception Type:  EXC_RESOURCE (SIGKILL)
      Exception Message: (Limit 2098 MB) Crossed High Water Mark
      """
    #expect(try ending(resource) == nil)
    let lines = try reported(resource)
    #expect(lines.contains { $0.contains("whether the process died is not known") }, "\(lines)")
    #expect(lines.last?.hasSuffix("warning=resource-limit") == true, "\(lines)")
  }

  /// The measurement has a beginning and an end: the kill comes at its end.
  @Test func aLimitEndsTheProcessAtTheEndOfTheMeasurement() throws {
    let text = """
      Date/Time: 2026-11-21 17:28:00.000 +0100
      End time: 2026-11-21 17:30:00.000 +0100
      Command: Notes
      PID: 412
      Event: cpu usage
      Action taken: Process killed
      """
    let end = try #require(try reports(in: text).first?.died)
    let begin = try reports(in: text.replacing("End time", with: "Other time")).first?.died
    #expect(begin == end - .seconds(120))
  }

  @Test func aBundleIsNoNameOfAList() throws {
    let list = ReportText.jetsam(
      ReportText.entry("Notes", "frontmost", reason: "per-process-limit"),
      ReportText.entry("Tunes", "suspended", pid: 1451))
    let told = try reported(list, app: "com.acme.notes-ios")
    #expect(told.contains { $0.contains("pass --app with the name of the process") })
    #expect(!told.contains { $0.contains("is not listed") })
    #expect(try reported(list, app: "Pages").contains { $0.contains("Pages is not listed") })
  }

  @Test func theFiguresOfALimitAreTold() throws {
    let text =
      "Process: Notes [412]\nEvent: wakeups\nAction taken: Process killed\n"
      + "Wakeups: 45001 wakeups over the last 160 seconds\n"
    #expect(try ending(text)?.contains("kill app reason=wakeups by=report") == true)
    #expect(
      try reported(text).contains {
        $0.contains("wakeups: 45001 wakeups over the last 160 seconds")
      })
  }

  @Test func anInvalidSignatureIsUnderstood() throws {
    let text =
      "Process: Notes [412]\nException Type: EXC_CRASH (SIGKILL (Code Signature Invalid))\n"
    #expect(
      try ending(text)?.contains(
        "kill app namespace=CODESIGNING reason=\"Code Signature Invalid\" by=report") == true)
    #expect(try !reported(text).contains { $0.contains("not understood") })
  }

  // MARK: Ends without a signal, and by the words of an SDK

  @Test func aMachExceptionOfMetricKitIsACrash() throws {
    let text = """
      {"crashDiagnostics":[{"diagnosticMetaData":{"pid":731,"bundleIdentifier":"com.example.notes",
      "exceptionType":1,"exceptionCode":1,"signal":null}}]}
      """
    #expect(
      try ending(text) == "0s - kill app namespace=SIGNAL reason=EXC_BAD_ACCESS by=report")
    let signal = text.replacing("null", with: "11")
    #expect(try ending(signal)?.contains("kill app code=0xb namespace=SIGNAL") == true)
    #expect(try ending(text.replacing("\"exceptionType\":1,\"exceptionCode\":1,", with: "")) == nil)
  }

  private func sentry(_ mechanism: String, handled: Bool) -> String {
    """
    {"timestamp":"2026-11-21T10:00:05.000Z","sdk":{"version":"9.9.0"},
    "exception":{"values":[{"type":"EXC_BAD_ACCESS","value":"at 0x0","mechanism":{"type":"\(mechanism)",
    "handled":\(handled),"meta":{"signal":{"number":11,"name":"SIGSEGV"}}}}]},
    "breadcrumbs":[{"timestamp":"2026-11-21T10:00:01.000Z","category":"app.lifecycle",
    "data":{"state":"background"}}]}
    """
  }

  @Test func whatSentryHasSeenIsAnEnd() throws {
    let crash =
      "4s - kill app code=0xb namespace=SIGNAL reason=\"EXC_BAD_ACCESS: at 0x0\" by=report"
    #expect(try ending(sentry("mach", handled: false)) == crash)
    #expect(try ending(sentry("signal", handled: false)) == crash)
    #expect(
      try ending(sentry("nsexception", handled: false))?.contains("exception=EXC_BAD_ACCESS")
        == true)
    #expect(try ending(sentry("mach", handled: true)) == nil)
    #expect(try ending(sentry("AppHang", handled: false)) == nil)
  }

  @Test(arguments: [
    ("unhandledException", "true", true), ("signal", "true", true), ("signal", "false", false),
    ("outOfMemory", "true", false), ("handledException", "false", false),
  ])
  func whatBugsnagHasSeenIsAnEnd(reason: String, unhandled: String, isDeath: Bool) throws {
    let text = """
      {"events":[{"device":{"time":"2026-11-21T10:00:05Z"},"unhandled":\(unhandled),
      "severityReason":{"type":"\(reason)","attributes":{"signalType":"SIGSEGV"}},
      "exceptions":[{"errorClass":"EXC_BAD_ACCESS","message":"null pointer"}],
      "breadcrumbs":[{"timestamp":"2026-11-21T10:00:01Z","name":"App Did Enter Background"}]}]}
      """
    let end =
      isDeath
      ? "4s - kill app code=0xb namespace=SIGNAL reason=\"EXC_BAD_ACCESS: null pointer\" by=report"
      : nil
    #expect(try ending(text) == end)
    #expect(try reported(text).contains { $0.contains("Bugsnag says of the end: \(reason)") })
  }
}
