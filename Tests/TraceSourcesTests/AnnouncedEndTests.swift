import Testing

/// Ends that are announced before they come, or whose coming is not in the capture.
struct AnnouncedEndTests {
  private func told(_ short: String) throws -> String {
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n" + short)
    let all = try notation(of: text, app: "Notes")
    return all.split(separator: "\n").dropFirst(3).joined(separator: "\n")
  }

  private let app = "[app<com.example.Notes(7D)>:412]"
  private let request = """
    runningboardd Received termination request from [osservice<com.apple.dasd>:76] on \
    <RBSProcessPredicate <RBSProcessHandlePredicateImpl| app<com.example.Notes(7D)>:412>> with \
    context <RBSTerminateContext| explanation:too much work reportType:None \
    maxTerminationResistance:NonInteractive>
    """

  @Test func aRequestIsJoinedToTheEndThatFollows() throws {
    #expect(
      try told(
        """
        10:00:01 \(request)
        10:00:05 runningboardd \(app) termination reported by launchd (2, 9, 9)
        """) == """
          1s        -     note          app "termination requested by com.apple.dasd: too much work" line=2
          5s        -     kill          app code=0x9 namespace=SIGNAL reason="too much work" \
          by=com.apple.dasd pid=412 line=3
          """)
  }

  @Test func aRequestAtTheEndOfACaptureIsTheLastThatIsKnown() throws {
    #expect(
      try told("10:00:01 \(request)") == """
        1s        -     note          app "termination requested by com.apple.dasd: too much work" line=2
        1s        -     kill          app reason="too much work" by=com.apple.dasd pid=412 line=2
        """)
  }

  @Test func aRequestThatTheSystemRefusedIsNoEnd() throws {
    #expect(
      try told(
        """
        10:00:01 \(request)
        10:00:09 Notes +5 0>32
        """) == """
          1s        -     note          app "termination requested by com.apple.dasd: too much work" line=2
          9s        -     state         active->inactive app line=3
          """)
  }

  @Test func whatWasToBeDoneIsDone() throws {
    #expect(
      try told(
        """
        10:00:01 runningboardd \(app) Terminating with context: <RBSTerminateContext| domain:15 code:0xDEAD10CC explanation:was suspended with locked system files:
        |/private/var/mobile/notes.sqlite>
        10:00:05 runningboardd \(app) terminate_with_reason() success
        """
      ).hasSuffix(
        """
        5s        -     kill          app code=0xdead10cc namespace=RUNNINGBOARD reason="was \
        suspended with locked system files: /private/var/mobile/notes.sqlite" pid=412 line=4
        """))
  }

  @Test func anUncaughtExceptionIsTheReasonOfTheSignal() throws {
    #expect(
      try told(
        """
        10:00:01 Notes *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3 beyond bounds
        |of an empty array'
        |*** First throw call stack:
        10:00:02.5 runningboardd \(app) termination reported by launchd (2, 6, 6)
        """) == """
          1s        -     note          app "uncaught exception NSRangeException" line=2
          2.5s      -     kill          app code=0x6 namespace=SIGNAL exception=NSRangeException \
          reason="index 3 beyond bounds\\nof an empty array" pid=412 line=5
          """)
  }

  @Test func anUncaughtExceptionAloneIsAnEnd() throws {
    let text = ConsoleText.compact(
      """
      10:00:01 Notes *** Terminating app due to uncaught exception 'NSRangeException', reason: 'it's empty'
      """)
    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     note          app "uncaught exception NSRangeException" line=1
        0s        -     exit          app exception=NSRangeException reason="it's empty" pid=412 line=1
        """)
  }

  @Test(arguments: [
    ("signal 9", "kill          app code=0x9 namespace=SIGNAL line=2"),
    ("memory issue", "kill          app namespace=JETSAM reason=\"memory issue\" line=2"),
  ])
  func theDebuggerSaysHowTheAppEnded(words: String, event: String) throws {
    #expect(
      try told(
        "10:00:01 Notes went to the background\n|Message from debugger: Terminated due to \(words)")
        == "1s        -     profile       debugger=true hooks=tasks,system clock=wall\n"
        + "1s        -     \(event)")
  }

  @Test func aWatchdogThatADebuggerHoldsBackKillsNobody() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 SpringBoard [FBSystemService][0x7f7e] Received request to open "com.example.Notes" from debugserver:61.
      10:00:00.2 SpringBoard Application process state changed for com.example.Notes: <SBApplicationProcessState: 0x1; pid: 412; taskState: Running; visibility: Foreground>
      10:00:20.2 SpringBoard [application<com.example.Notes>:412] Ignoring <FBProcessWatchdog: 0x2; name: process-launch> for reason: process is being debugged
      10:00:20.3 SpringBoard [application<com.example.Notes>:412] Provision violated for watchdog process-launch: <FBSProcessResourceProvision: 0x3; violated: YES>
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       debugger=true hooks=system clock=wall
        0s        -     process.start app pid=412 launch=unknown bundle=com.example.Notes visibility=foreground line=1
        20.2s     -     note          app "Ignoring <FBProcessWatchdog: 0x2; name: process-launch> for \
        reason: process is being debugged" line=3
        20.3s     -     note          app "provision violated for watchdog process-launch: \
        <FBSProcessResourceProvision: 0x3; violated: YES>" line=4
        """)
  }
}
