import LifecycleModel
import Testing

@testable import TraceSources

struct TerminationTests {
  /// What one report of the system becomes.
  private func told(_ message: String) throws -> String {
    let text = ConsoleText.consoleApp(
      "10:00:00 Notes -5 32>0\n10:00:01 runningboardd [app<com.example.Notes(7D)>:412] " + message)
    let all = try notation(of: text)
    return all.split(separator: "\n").dropFirst(3).joined(separator: "\n")
  }

  @Test(arguments: [
    ("(0, 0, 0)", "exit          app status=0 pid=412 line=2"),
    ("(0, 0, 65280)", "exit          app status=255 pid=412 line=2"),
    ("(0, 0, 9)", "kill          app code=0x9 namespace=SIGNAL pid=412 line=2"),
    ("(2, 6, 6)", "kill          app code=0x6 namespace=SIGNAL pid=412 line=2"),
    (
      "(1, 7, 9)",
      "kill          app code=0x7 namespace=JETSAM reason=per-process-limit pid=412 line=2"
    ),
    (
      "(15, 3735883980, 9)",
      "kill          app code=0xdead10cc namespace=RUNNINGBOARD pid=412 line=2"
    ),
  ])
  func launchdReportsAnEnd(triple: String, event: String) throws {
    #expect(try told("termination reported by launchd \(triple)") == "1s        -     \(event)")
  }

  @Test(arguments: [
    "termination reported by launchd",
    "Termination Reason: x", "<RBSTerminateContext| domain:10 code:many",
  ])
  func whatIsNoReportIsNoEnd(message: String) throws {
    #expect(try told(message) == "")
  }

  @Test(arguments: [
    (
      "Termination Reason: Namespace SPRINGBOARD, Code 0x8badf00d",
      "kill          app code=0x8badf00d namespace=SPRINGBOARD pid=412 line=2"
    ),
    (
      "Termination Reason: RUNNINGBOARD 3735883980",
      "kill          app code=0xdead10cc namespace=RUNNINGBOARD pid=412 line=2"
    ),
    (
      "Terminating: <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:too slow "
        + "ProcessVisibility: Background",
      "kill          app code=0x8badf00d namespace=FRONTBOARD reason=\"too slow\" "
        + "visibility=background pid=412 line=2"
    ),
    (
      "Termination Reason: FRONTBOARD 2343432205 <RBSTerminateContext| domain:10 "
        + "code:0x8BADF00D explanation:too slow",
      "kill          app code=0x8badf00d namespace=FRONTBOARD reason=\"too slow\" pid=412 line=2"
    ),
    (
      "SPRINGBOARD, process-launch watchdog transgression: x exhausted time | Visibility",
      "kill          app code=0x8badf00d namespace=SPRINGBOARD "
        + "reason=\"process-launch watchdog transgression: x exhausted time\" pid=412 line=2"
    ),
  ])
  func theWatchdogSaysWhy(message: String, event: String) throws {
    #expect(try told(message) == "1s        -     \(event)")
  }

  @Test func oneDeathIsToldOnceHoweverManyReportIt() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:01 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 9, 9)
      10:00:01.008 SpringBoard [app<com.example.Notes>:412] Process exited: <RBSProcessExitContext| \
      specific, status:<RBSProcessExitStatus| domain:frontboard(10) code:0x8BADF00D>>
      10:00:01.009 Notes Ending background task with UIBackgroundTaskIdentifier: 1
      10:00:03 ReportCrash [app<com.example.Notes>:412] Termination Reason: FRONTBOARD 2343432205
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        inactive->active app line=1
        1s        -     kill          app code=0x8badf00d namespace=FRONTBOARD pid=412 line=2
        """))
  }

  @Test func aVoluntaryExitHasItsStatus() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 Notes -5 32>0
      10:00:01 SpringBoard [app<com.example.Notes>:412] Process exited: <RBSProcessExitContext| voluntary>
      10:00:01.005 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (0, 0, 256)
      """)
    #expect(
      try notation(of: text).hasSuffix("1s        -     exit          app status=1 pid=412 line=2"))
  }

  @Test func aLifeAfterDeathHadAStartThatWasNotPrinted() throws {
    let text = ConsoleText.compact(
      """
      10:00:00 Notes -5 32>0
      10:00:01 SpringBoard [app<com.example.Notes>:412] Process exited: <RBS…| voluntary>
      """)

    let later = ConsoleText.compact(
      """
      10:00:08 Notes Created background task <_UI: 0x1>: taskID = 1, taskName = a, creationTime = 1
      10:00:09 Notes +0 0>1
      """, pid: 500)

    #expect(
      try notation(of: text + later).hasSuffix(
        """
        1s        -     exit          app reason=voluntary pid=412 line=2
        8s        -     gap           source-hole -1 line=3
        8s        -     process.start app pid=500 launch=unknown bundle=com.example.Notes line=3
        8s        -     task.begin    task:1 "a" line=3
        9s        -     state         active->inactive app line=4
        """))
  }

  @Test func theDeathOfAnEarlierProcessIsToldBeforeTheNextBegins() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]
      10:00:01 Notes +10 0>1024
      10:00:05 runningboardd Now tracking process: [app<com.example.Notes(7D)>:500]
      10:00:05.5 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 9, 9)
      10:00:06 Notes +10 0>1024
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        5s        -     kill          app code=0x9 namespace=SIGNAL line=4
        5s        -     process.start app pid=500 launch=unknown bundle=com.example.Notes line=3
        6s        -     state         notRunning->inactive app line=5
        """))
  }

  @Test func theDeathOfAnEarlierProcessThatIsToldLateIsANote() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]
      10:00:01 Notes +10 0>1024
      10:00:05 runningboardd Now tracking process: [app<com.example.Notes(7D)>:500]
      10:00:06 Notes +10 0>1024
      10:00:09 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 9, 9)
      10:00:09.1 runningboardd Removing process: [app<com.example.Notes(7D)>:412]
      10:00:09.2 runningboardd [app<com.example.Notes(7D)>:300] termination reported by launchd (0, 0, 0)
      10:00:09.3 Notes -10 1024>0
      """)

    #expect(
      try notation(of: text).hasSuffix(
        """
        6s        -     state         notRunning->inactive app line=4
        9s        -     note          app "the previous process 412 ended: it ended with SIGKILL" line=5
        9.2s      -     note          app "the previous process 300 ended: it exited with status 0" line=7
        9.3s      -     state         inactive->active app line=8
        """))
  }

  @Test func severalDeathsAreToldApartByTheirNumbers() throws {
    let text = ConsoleText.consoleApp(
      """
      10:00:00 runningboardd [app<com.example.Notes(7D)>:412] termination reported by launchd (2, 11, 11)
      10:00:00.01 SpringBoard [app<com.example.Notes>:412] Process exited: <RBSProcessExitContext| \
      specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGSEGV(11)>>.
      10:00:20 runningboardd [app<com.example.Notes(7D)>:430] termination reported by launchd (1, 2, 9)
      10:00:20.4 runningboardd Removing process: [app<com.example.Notes(7D)>:430]
      10:00:40 SpringBoard [app<com.example.Notes>:455] Process exited: <FBProcessExitContext; voluntary>.
      """)

    #expect(
      try notation(of: text) == """
        0s        -     profile       hooks=system clock=wall
        0s        -     gap           source-hole -1 line=1
        0s        -     kill          app code=0xb namespace=SIGNAL pid=412 line=1
        20s       -     gap           source-hole -1 line=3
        20s       -     process.start app pid=430 launch=unknown bundle=com.example.Notes line=3
        20s       -     kill          app code=0x2 namespace=JETSAM reason=highwater line=3
        40s       -     gap           source-hole -1 line=5
        40s       -     process.start app pid=455 launch=unknown bundle=com.example.Notes line=5
        40s       -     exit          app reason=voluntary line=5
        """)
  }
}
