import LifecycleModel
import Testing

@testable import TraceSources

/// The forms in which the system's processes say that a process has ended.
struct EndTextTests {
  /// The last event of a capture in which the app is active and one line follows.
  private func end(_ line: String) throws -> String {
    let text = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n10:00:01 " + line)
    let last = try notation(of: text, app: "Notes").split(separator: "\n").last ?? ""
    return last.split(separator: " ").dropFirst(2).joined(separator: " ")
  }

  @Test(arguments: [
    ("voluntary", "exit app reason=voluntary"),
    (
      "watchdog (\"watchdog provision violated\")",
      "kill app code=0x8badf00d reason=\"watchdog provision violated\""
    ),
    ("watchdog", "kill app code=0x8badf00d reason=watchdog"),
    ("jetsam", "kill app namespace=JETSAM reason=jetsam"),
    ("crash (\"bad access\")", "kill app namespace=SIGNAL reason=\"bad access\""),
    ("signal", "kill app namespace=SIGNAL reason=signal"),
    ("exec failure (\"no image\")", "kill app reason=\"exec: no image\""),
  ])
  func onlyAVoluntaryExitOfFrontBoardIsNormal(words: String, event: String) throws {
    let line = "SpringBoard [application<com.example.Notes>:412] Process exited: "
    #expect(
      try end(line + "<FBProcessExitContext; \(words)>.") == event + " pid=412 line=2")
  }

  @Test(arguments: [
    ("voluntary", "exit app reason=voluntary"),
    ("voluntary, status:<RBSProcessExitStatus| domain:none(0) code:0>", "exit app status=0"),
    ("specific, status:<RBSProcessExitStatus| domain:none(0) code:256>", "exit app status=1"),
    (
      "status:<RBSProcessExitStatus| domain:signal(2) code:SIGPIPE(13)>",
      "kill app code=0xd namespace=SIGNAL"
    ),
    (
      "specific, status:<RBSProcessExitStatus| domain:jetsam(1) code:7>",
      "kill app code=0x7 namespace=JETSAM reason=per-process-limit"
    ),
    (
      "specific, status:<RBSProcessExitStatus| domain:tcc(11) code:0>",
      "kill app code=0x0 namespace=TCC"
    ),
    ("odd", "exit app reason=gone"),
  ])
  func theContextOfRunningBoardIsRead(words: String, event: String) throws {
    let line = "runningboardd [app<com.example.Notes(7D)>:412] exited with context "
    #expect(
      try end(line + "<RBSProcessExitContext| \(words)>") == event + " pid=412 line=2")
  }

  @Test(arguments: [
    ("1, 1, 9", "jettisoned"), ("1, 2, 9", "highwater"), ("1, 3, 9", "vnode-limit"),
    ("1, 4, 9", "vm-pageshortage"), ("1, 5, 9", "proc-thrashing"), ("1, 6, 9", "fc-thrashing"),
    ("1, 7, 9", "per-process-limit"), ("1, 8, 9", "disk-space-shortage"), ("1, 9, 9", "idle-exit"),
    ("1, 10, 9", "zone-map-exhaustion"), ("1, 11, 9", "vm-compressor-thrashing"),
    ("1, 12, 9", "vm-compressor-space-shortage"), ("1, 13, 9", "low-swap"),
    ("1, 14, 9", "sustained-memory-pressure"),
  ])
  func jetsamsNumbersAreItsReasons(triple: String, reason: String) throws {
    let line = "runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd "
    let event = try end(line + "(\(triple))")
    #expect(event.hasPrefix("kill app code=0x"))
    #expect(event.hasSuffix(" namespace=JETSAM reason=\(reason) pid=412 line=2"))
  }

  @Test(arguments: [
    (
      "[system/UIKitApplication:com.example.Notes[ab12][rb-legacy] [412]:] exited due to SIGKILL "
        + "| sent by runningboardd[31], ran for 8120ms",
      "kill app code=0x9 namespace=SIGNAL by=runningboardd pid=412 line=2"
    ),
    (
      "[gui/501/application.com.example.Notes.115.116 [412]:] exited due to exit(3), ran for 8ms",
      "exit app status=3 pid=412 line=2"
    ),
    (
      "[user/501/com.example.Notes [412]:] exited with exit reason (namespace: 15 code: 0xdead10cc) "
        + "- OS_REASON_RUNNINGBOARD | <RBSTerminateContext| domain:15 code:0xDEAD10CC "
        + "explanation:held a lock>, ran for 912ms",
      "kill app code=0xdead10cc namespace=RUNNINGBOARD reason=\"held a lock\" pid=412 line=2"
    ),
    (
      "[user/501/com.example.Notes [412]:] exited with exit reason (namespace: 1 code: 0x2) "
        + "- OS_REASON_JETSAM | over its mark, ran for 912ms",
      "kill app code=0x2 namespace=JETSAM reason=\"over its mark\" pid=412 line=2"
    ),
    (
      "(UIKitApplication:com.example.Notes[0x9af1]) Exited: Killed",
      "kill app code=0x9 namespace=SIGNAL line=2"
    ),
    (
      "(UIKitApplication:com.example.Notes[0x9af1]) Job appears to have crashed: Abort trap: 6",
      "kill app code=0x6 namespace=SIGNAL line=2"
    ),
    (
      "(UIKitApplication:com.example.Notes[0x9af1]) Exited with exit code: 1",
      "exit app status=1 line=2"
    ),
  ])
  func launchdSaysHowAJobEnded(message: String, event: String) throws {
    #expect(try end("launchd \(message)") == event)
  }

  @Test(arguments: [
    (
      "SpringBoard Application 'Notes' exited abnormally with signal 9: Killed",
      "kill app code=0x9 namespace=SIGNAL line=2"
    ),
    (
      "SpringBoard Application process state changed for com.example.Notes: "
        + "<SBApplicationProcessState: 0x1; pid: 412; taskState: Not Running; visibility: Unknown>",
      "exit app reason=gone pid=412 line=2"
    ),
    (
      "SpringBoard Application process state changed for com.example.Notes: (null)",
      "exit app reason=gone line=2"
    ),
    (
      "runningboardd Removing process: [app<com.example.Notes(7D)>:412]",
      "exit app reason=gone pid=412 line=2"
    ),
    (
      "assertiond [Notes:412] Deleted launchd job with label: "
        + "UIKitApplication:com.example.Notes[0x990c][34]",
      "exit app reason=gone pid=412 line=2"
    ),
    (
      "assertiond [Notes:412] Terminating because the job-submitter has disconnected.",
      "kill app reason=\"Terminating because the job-submitter has disconnected.\" pid=412 line=2"
    ),
  ])
  func theOldFormsAreRead(line: String, event: String) throws {
    #expect(try end(line) == event)
  }

  @Test func theMostTellingWordsOfSeveralDaemonsWin() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:01 kernel memorystatus: Notes [412] exceeded mem limit: ActiveHard 2098 MB (fatal)
      10:00:01.1 kernel 917.392 memorystatus: killing_specific_process pid 412 [Notes] (per-process-limit 100 16s rf:-) 2148848KB - memorystatus_available_pages: 121472
      10:00:01.2 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (1, 7, 9)
      10:00:01.3 SpringBoard [app<com.example.Notes>:412] Process exited: <FBProcessExitContext; jetsam>.
      10:00:01.4 runningboardd Removing process: [app<com.example.Notes(7D)>:412]
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        inactive->active app line=1
        1s        -     kill          app code=0x7 namespace=JETSAM reason=per-process-limit \
        limit="ActiveHard 2098 MB" memory=2148848KB pid=412 line=2
        """))
  }

  @Test func aLimitWithoutANameIsThatOfTheProcessThatIsKilledNext() throws {
    let limit = "kernel memorystatus: exceeded mem limit: ActiveHard 50 MB (fatal)"
    let kill = "kernel killing_specific_process pid 412 [Notes] ... 51200KB"
    let text = ConsoleText.consoleApp("10:00:00 \(limit)\n10:00:00.5 \(kill)")
    #expect(
      try notation(of: text).hasSuffix(
        """
        500ms     -     kill          app code=0x7 namespace=JETSAM reason=per-process-limit \
        limit="ActiveHard 50 MB" memory=51200KB pid=412 line=2
        """))

    let later = ConsoleText.consoleApp("10:00:00 \(limit)\n10:00:05 \(kill)")
    #expect(
      try notation(of: later).hasSuffix(
        "kill          app namespace=JETSAM memory=51200KB pid=412 line=2"))
  }

  @Test(arguments: [
    "kernel memorystatus: Notes [412] exceeded mem limit: ActiveSoft 50 MB (non-fatal)",
    "kernel memorystatus: Notes [412] exceeded mem limit: ActiveHard 50 MB (non-fatal)",
    "runningboardd [app<com.example.Notes(7D)>:412] Memory Limits: active 2098 inactive 2098",
  ])
  func aLimitThatDoesNotKillIsANote(line: String) throws {
    #expect(try end(line).hasPrefix("note app \""))
  }

  @Test func theKernelCutsNames() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 NotesForEverybody -5 32>0
      10:00:01 kernel memorystatus: killing_idle_process pid 40 [NotesForEverybod] (idle-exit 0 0s rf:-) 848KB - memorystatus_available_pages: 1
      """)
    #expect(
      try notation(of: text).hasSuffix(
        "kill          app code=0x9 namespace=JETSAM reason=idle-exit memory=848KB pid=40 line=2"))
  }
}
