import Testing
import TraceSources

/// Payloads of MetricKit: between two days, and never when.
@Suite struct MetricKitTests {
  private func payload(_ members: String) -> String {
    """
    {
      "timeStampEnd" : "2026-11-22 03:59:00 +0000",
      \(members),
      "timeStampBegin" : "2026-11-21 04:00:00 +0000"
    }
    """
  }

  private func crash(_ reason: String, pid: Int) -> String {
    #"""
    {"version":"1.0.0","callStackTree":{"callStacks":[{"callStackRootFrames":[{"signal":9}]}]},
    "diagnosticMetaData":{"signal":9,"pid":\#(pid),"bundleIdentifier":"com.example.notes",
    "osVersion":"iPhone OS 18.2 (22C150)","terminationReason":"\#(reason)"}}
    """#
  }

  @Test func aCrashHasNoTime() throws {
    let text = payload("\"crashDiagnostics\" : [\(crash("Namespace SIGNAL, Code 0xb", pid: 7))]")
    #expect(
      try reported(text) == [
        "0s - profile platform=ios os=18.2 app=com.example.notes pid=7 clock=wall",
        "0s - note app \"when it died is not said: between 2026-11-21 04:00:00 +0000 and "
          + "2026-11-22 03:59:00 +0000\"",
        "0s - kill app code=0xb namespace=SIGNAL by=report",
      ])
  }

  @Test(arguments: [
    "Namespace SPRINGBOARD, Code 0x8badf00d", "FRONTBOARD 2343432205 ",
    "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:hang>",
  ])
  func theReasonHasThreeShapes(reason: String) throws {
    let text = payload("\"crashDiagnostics\" : [\(crash(reason, pid: 7))]")
    #expect(try ending(text)?.contains("kill app code=0x8badf00d") == true)
    let alone = crash(reason, pid: 7)
    #expect(try ending(alone)?.contains("kill app code=0x8badf00d") == true)
  }

  @Test func twoCrashesAreTwoProcesses() throws {
    let list = [
      crash("Namespace SIGNAL, Code 0xb", pid: 7), crash("Namespace SIGNAL, Code 0x5", pid: 8),
    ]
    let text = payload("\"crashDiagnostics\" : [\(list.joined(separator: ","))]")
    #expect(try reports(in: text).map(\.pid) == [7, 8])
    #expect(try reported(text).filter { $0.contains(" process.start ") }.count == 2)
  }

  @Test func otherDiagnosticsAreNotes() throws {
    let hang = #"{"hangDuration":"20 secs.","diagnosticMetaData":{"osVersion":"iPhone OS 18.2"}}"#
    let text = payload("\"hangDiagnostics\" : [\(hang)]")
    #expect(
      try reported(text) == [
        "0s - profile clock=wall",
        "0s - note app \"hang diagnostic: hangDuration 20 secs.\" warning=hang",
      ])
  }

  @Test func exitsAreATableOfADay() throws {
    let text = payload(
      #"""
      "appVersion" : "2.1",
      "applicationExitMetrics" : {"foregroundExitData":{"cumulativeNormalAppExitCount":3,"cumulativeAppWatchdogExitCount":1},"backgroundExitData":{"cumulativeNormalAppExitCount":0}}
      """#)

    let period = "of version 2.1 between 2026-11-21 04:00:00 +0000 and 2026-11-22 03:59:00 +0000"
    #expect(
      try reported(text) == [
        "0s - profile clock=wall",
        "0s - note app \"exits in the foreground \(period): NormalApp 3, AppWatchdog 1\"",
        "0s - note app \"exits in the background \(period): none\"",
        "0s - note app \"1 exits \(period): 1 AppWatchdog in the foreground\" warning=bad-exits",
      ])
  }
}
