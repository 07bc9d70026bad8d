import Testing
import TraceSources

/// What follows MetricKit's payloads in iOS 27.
@Suite struct DiagnosticReportTests {
  @Test func aCrashNamesTheLogAndNoTime() throws {
    let text = ReportText.diagnostic(#""terminationCategory":"watchdog","signal":9"#)
    #expect(
      try reported(text) == [
        "0s - profile platform=ios os=27.0 app=com.example.notes pid=412 clock=wall",
        "0s - note app \"the app had told the system that its state was background/sceneDidEnterBackground\"",
        "0s - note app \"when it died is not said: between 2026-11-22T09:00:00Z and "
          + "2026-11-22T09:20:00Z\"",
        "0s - kill app code=0x8badf00d namespace=FRONTBOARD reason=watchdog by=report",
      ])
    #expect(try reports(in: text)[0].logID == "00112233445566778899aabbccddeeff")
  }

  @Test(arguments: [
    ("\"terminationCategory\":\"fileLock\"", "kill app code=0xdead10cc namespace=RUNNINGBOARD"),
    (
      "\"terminationCategory\":\"taskTimeout\"",
      "kill app reason=\"taskTimeout: active assertions beyond permitted time\""
    ),
    (
      "\"terminationCategory\":\"memoryLimit\"",
      "kill app code=0x7 namespace=JETSAM reason=per-process-limit"
    ),
    ("\"terminationCategory\":\"badAccess\",\"signal\":11", "kill app code=0xb namespace=SIGNAL"),
    ("\"terminationCategory\":\"normal\"", "exit app reason=normal"),
    (
      #""terminationCategory":"watchdog","terminationReason":"SPRINGBOARD 0xbad22222""#,
      "kill app code=0xbad22222 namespace=SPRINGBOARD"
    ),
  ])
  func aCategoryIsReadAsWhatItStandsFor(members: String, end: String) throws {
    for text in [
      ReportText.diagnostic(members),
      ReportText.diagnostic(members).replacing("\"crash\":{", with: "\"crash\":{\"_0\":{")
        .replacing("}}}\n", with: "}}}}\n"),
    ] {
      #expect(try ending(text)?.contains(end) == true, "\(text)")
    }
  }

  @Test func aCategoryThatIsNotKnownIsTold() throws {
    let told = try reported(ReportText.diagnostic(#""terminationCategory":"eclipse","signal":6"#))
    #expect(
      told.contains("0s - note app \"terminationCategory says eclipse, which is not understood\""))
    #expect(told.last?.contains("kill app code=0x6 namespace=SIGNAL") == true)
  }

  @Test func severalReportsOfOneFileAreSeveralProcesses() throws {
    let one = ReportText.diagnostic(#""terminationCategory":"watchdog""#)
    let two = ReportText.diagnostic(#""terminationCategory":"fileLock""#)
      .replacing("\"pid\":412", with: "\"pid\":413")
    #expect(try reports(in: "[\(one),\(two)]").map(\.pid) == [412, 413])
    #expect(try reports(in: one + two).map(\.pid) == [412, 413])
  }

  @Test func otherResultsAreNotes() throws {
    let hang = ReportText.diagnostic(#""hangDuration":"20 sec""#)
      .replacing("\"crash\"", with: "\"hang\"")
    let told = try reported(hang)
    #expect(
      told == [
        "0s - profile clock=wall",
        "0s - note app \"hang diagnostic between 2026-11-22T09:00:00Z and 2026-11-22T09:20:00Z: "
          + "hangDuration 20 sec\"",
      ])
  }

  @Test func theStateOfAnotherSDKNamesNoLog() throws {
    let text = ReportText.diagnostic(#""terminationCategory":"watchdog""#)
      .replacing("\"log\"", with: "\"build\"")
    #expect(try reports(in: text)[0].logID == nil)
    #expect(try !reported(text).contains { $0.contains("its state") })
  }
}
