import Testing
import TraceSources

/// Reports as text, from iOS 4 to today.
@Suite struct CrashTextTests {
  @Test func textSaysWhatJSONSays() throws {
    let json = try reported(ReportText.ips)
    let text = try reported(ReportText.crash)
    // The ticks are not in the text: the age is that of the wall clock.
    #expect(text.last == json.last?.replacing("22.7322s", with: "22.7326s"))
    #expect(text[0] == json[0].replacing("monotonic", with: "wall"))
    #expect(text.count == json.count)
    let (first, second) = (try reports(in: ReportText.ips)[0], try reports(in: ReportText.crash)[0])
    #expect(first.isSame(as: second))
  }

  /// Of a process that was killed for a lock, the thread that was in a file or a database is named.
  @Test(arguments: [
    """
    Exception Type:  EXC_CRASH (SIGKILL)
    Termination Reason: RUNNINGBOARD 0xdead10cc
    Triggered by Thread:  0

    Thread 0:
    0   libsystem_kernel.dylib  0x1d0 mach_msg2_trap + 8

    Thread 7:
    0   libsystem_kernel.dylib  0x1d4 __workq_kernreturn + 8

    Thread 8 name:
    Thread 8:
    0   libsystem_kernel.dylib  0x1d8 flock + 8
    1   libsqlite3.dylib  0x2d4 sqlite3_step + 4
    """,
    """
    {"termination" : {"code":3735883980,"namespace":"RUNNINGBOARD"}, "threads" : [
    {"frames":[{"symbol":"mach_msg2_trap"}]}, {"frames":[{"symbol":"__workq_kernreturn"}]},
    {}, {}, {}, {}, {}, {}, {"frames":[{"symbol":"flock"},{"symbol":"sqlite3_step"}]}]}
    """,
  ]) func theThreadThatHoldsALockIsNamed(_ text: String) throws {
    let words = "thread 8 was in a file or a database: flock, called by sqlite3_step"
    let lines = try reported(text)
    #expect(lines.contains { $0.contains(words) }, "\(lines)")
    #expect(!lines.contains { $0.contains("__workq_kernreturn") })
  }

  @Test func everyLineMayBeMissing() throws {
    let lines = ReportText.crash.split(separator: "\n", omittingEmptySubsequences: false)
    for index in lines.indices where !lines[index].hasPrefix("Termination Reason") {
      var rest = lines
      rest.remove(at: index)
      let end = try ending(rest.joined(separator: "\n"))
      #expect(end?.contains("kill app code=0x8badf00d") == true, "without \(lines[index])")
    }
  }

  @Test(arguments: [
    (
      """
      Exception Type:  EXC_CRASH (SIGKILL)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Termination Reason: Namespace <0xF>, Code 0xdead10cc
      """, "code=0xdead10cc namespace=RUNNINGBOARD"
    ),
    (
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Termination Signal: Segmentation fault: 11
      Termination Reason: Namespace SIGNAL, Code 0xb
      """, "code=0xb namespace=SIGNAL"
    ),
    (
      """
      Exception Type:  00000020
      Exception Codes: 0x000000008badf00d
      Highlighted Thread:  4

      Application Specific Information:
      com.example.notes failed to launch in time
      """, "code=0x8badf00d reason=\"com.example.notes failed to launch in time\""
    ),
    (
      """
      Exception Type:  EXC_CRASH (SIGABRT)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      """, "code=0x6 namespace=SIGNAL"
    ),
    (
      """
      Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d
      Termination Description: SPRINGBOARD, process-exit watchdog transgression: com.example.notes \
      exhausted real (wall clock) time allowance of 5.00 seconds | ProcessVisibility: Background | |
      """,
      "code=0x8badf00d namespace=SPRINGBOARD reason=\"process-exit watchdog transgression: "
        + "com.example.notes exhausted real (wall clock) time allowance of 5.00 seconds\""
    ),
    (
      """
      Termination Reason: FRONTBOARD 0xbaadca11\u{20}
      <RBSTerminateContext| domain:10 code:0xBAADCA11 explanation:<no explanation given> \
      reportType:CrashLog maxTerminationResistance:Interactive>
      """, "code=0xbaadca11 namespace=FRONTBOARD reason=\"<no explanation given>\""
    ),
  ])
  func formsOfManyYearsAreRead(text: String, words: String) throws {
    for text in [text, text.replacing("\n", with: "\r\n"), "```\n\(text)\n```"] {
      let end = try ending(text)
      #expect(end?.contains("kill app \(words) by=report") == true, "\(end ?? "no end")")
    }
  }

  @Test func oldReportsNameTheTasksThatWereOpen() throws {
    let text = """
      Process:         Notes [412]
      Date/Time:       2015-04-03 14:02:13.306 +0800
      Launch Time:     2015-04-03 14:01:30.127 +0800
      OS Version:      iOS 8.2 (12D508)

      Exception Type:  00000020
      Exception Codes: 0x000000008badf00d

      Application Specific Information:
      Notes[412] has active assertions beyond permitted time:
      {(
          <BKProcessAssertion: 0x1> identifier: Upload of photos process: Notes[412] \
      permittedBackgroundDuration: 180.000000 reason: finishTask owner pid:412 preventSuspend,
          <BKProcessAssertion: 0x2> id: 412-AA name: sync process: Notes[412] \
      permittedBackgroundDuration: 30.000000 reason: backgroundContentFetching owner pid:1
      )}

      Elapsed application CPU time (seconds): 0.262, 1% CPU
      """

    #expect(
      try reported(text) == [
        "0s - profile platform=ios os=8.2 process=Notes hooks=process,tasks partial=tasks clock=wall",
        "0s - process.start app pid=412 launch=unknown",
        "43.179s - gap source-hole -1",
        "43.179s - task.begin task:1 \"Upload of photos\" reason=finishTask allowance=180s",
        "43.179s - task.begin task:2 \"sync\" reason=backgroundContentFetching allowance=30s",
        "43.179s - kill app code=0x8badf00d reason=\"Notes[412] has active assertions beyond "
          + "permitted time:\" by=report cpu=\"application 0.262s 1%\"",
      ])
  }

  @Test func aHeaderMayStandAboveText() throws {
    let told = try reported(ReportText.header + "\n" + ReportText.crash)
    #expect(told.last == (try reported(ReportText.crash)).last)
  }

  @Test(arguments: [("none", false), ("Process killed", true)])
  func aLimitIsADeathOnlyIfItsActionSaysSo(action: String, isDeath: Bool) throws {
    let text = """
      {"bug_type":"202","timestamp":"2026-10-19 23:49:02.00 +0100","name":"Notes","incident_id":"05D9"}
      Date/Time:        2026-10-19 23:46:29.268 +0100
      End time:         2026-10-19 23:48:59.680 +0100
      OS Version:       iPhone OS 18.2 (Build 22C150)
      Command:          Notes
      PID:              412

      Event:            cpu usage
      Action taken:     \(action)
      CPU:              90 seconds cpu time over 150 seconds (60% cpu average)

      Heaviest stack for the target process:
        18  ??? (Notes + 14340) [0x1db258804]
      """

    let end = try ending(text)
    #expect((end != nil) == isDeath)
    if isDeath {
      #expect(end?.contains("reason=\"CPU limit: 90 seconds cpu time over 150 seconds") == true)
    } else {
      let told = try reported(text)
      #expect(told.contains { $0.contains("the report states no death") }, "\(told)")
      #expect(told.last?.hasSuffix("warning=resource-limit") == true, "\(told)")
    }
  }

  @Test func aLimitThatWasPassedIsNoDeath() throws {
    let text = """
      Process:  Notes [412]
      Exception Type:  EXC_RESOURCE
      Exception Subtype: CPU
      Exception Message: (Limit 50%) Observed 60% over 180 secs
      """

    #expect(try ending(text) == nil)
    #expect(
      try reported(text).contains(
        "0s - note app \"a limit was passed: (Limit 50%) Observed 60% over 180 secs; "
          + "the report states no death\""))
  }
}
