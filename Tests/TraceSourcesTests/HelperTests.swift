import Testing

/// Processes that help the app: web content, extensions, keyboards.
struct HelperTests {
  private let web =
    "xpcservice<com.apple.WebKit.WebContent([app<com.example.Notes(7D)>:412])>:431:431"
  private let share =
    "xpcservice<com.example.Notes.Share([app<com.example.Notes(7D)>:412])(501)>{vt: 0}[u:1]:440"

  @Test func nothingThatHappensToAHelperHappensToTheApp() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:00.1 Notes App with bundleID:com.example.Notes is active
      10:00:01 runningboardd Now tracking process: [\(web)]
      10:00:02 runningboardd [\(web)] Resuming task.
      10:00:03 runningboardd [\(web)] Suspending task.
      10:00:04 runningboardd [\(web)] Memory Limits: active 840 inactive 840
      10:00:05 SpringBoard [\(web)] Now flagged as pending exit for reason: watchdog
      10:00:06 runningboardd [\(web)] termination reported by launchd (2, 9, 9)
      10:00:06.1 runningboardd Removing process: [\(web)]
      10:00:07 runningboardd [xpcservice<com.apple.WebKit.GPU([app<org.example.chat>:9])>:10] \
      termination reported by launchd (2, 9, 9)
      10:00:08 runningboardd [daemon<com.example.Notes.helper>:11] termination reported by launchd (2, 9, 9)
      10:00:09 launchd [pid/412/com.example.Notes.Filter [450]:] exited due to SIGSEGV | sent by exc handler[450], ran for 5ms
      10:00:10 Notes +5 0>32
      """)

    #expect(
      try notation(of: text, app: "com.example.Notes") == """
        0s        -     profile       hooks=tasks,system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     state         inactive->active app line=1
        6s        -     note          app "the helper com.apple.WebKit.WebContent (process 431) \
        ended: it ended with SIGKILL" line=8
        9s        -     note          app "the helper com.example.Notes.Filter (process 450) \
        ended: it ended with SIGSEGV" line=12
        10s       -     state         active->inactive app line=13
        """)
  }

  @Test func anExtensionCanBeAskedFor() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 runningboardd Now tracking process: [\(share)]
      10:00:00.5 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]
      10:00:02 runningboardd [app<com.example.Notes(7D)>:412] Suspending task.
      10:00:03 runningboardd [\(share)] termination reported by launchd (1, 7, 9)
      """)

    #expect(
      try notation(of: text, app: "com.example.Notes.Share") == """
        0s        -     profile       hooks=system clock=wall
        0s        -     process.start app pid=440 launch=unknown bundle=com.example.Notes.Share line=1
        3s        -     kill          app code=0x7 namespace=JETSAM reason=per-process-limit line=4
        """)
  }

  @Test func theAppIsTheOneThatAHelperHelps() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 ReportCrash Formulating fatal 309 report for corpse[412] NotesApp
      10:00:00.1 runningboardd [\(web)] termination reported by launchd (2, 9, 9)
      10:00:09 osanalyticshelper Saved type '309(<private>)' report (2 of max 25) at /var/mobile/Library/Logs/NotesApp-2026-03-01-100000.ips
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     note          app "Formulating fatal 309 report for corpse[412] NotesApp" line=1
        100ms     -     note          app "the helper com.apple.WebKit.WebContent (process 431) \
        ended: it ended with SIGKILL" line=2
        9s        -     note          app "crash report: \
        /var/mobile/Library/Logs/NotesApp-2026-03-01-100000.ips" line=3
        9s        -     kill          app namespace=SIGNAL reason="crash report: \
        /var/mobile/Library/Logs/NotesApp-2026-03-01-100000.ips" line=3
        """)
  }
}
