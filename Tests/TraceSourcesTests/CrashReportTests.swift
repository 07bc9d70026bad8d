import LifecycleModel
import Testing

@testable import TraceSources

/// What ReportCrash says of a crash, beside the words of the system about the end.
struct CrashReportTests {
  private static let keeper = "runningboardd [app<com.example.Notes(7D)>:412]"
  private static let killed = keeper + " termination reported by launchd (2, 9, 9)"
  private static let formulating =
    "ReportCrash Formulating fatal 309 report for corpse[412] Notes"
  private static let saved =
    "ReportCrash Saved type '309(109_Notes)' report (3 of max 25) as "
    + "/var/mobile/Library/Logs/CrashReporter/Notes-2026-03-01-100002.ips"

  /// The ends that a capture becomes, in which the app is active first.
  private func ends(_ lines: String...) throws -> [String] {
    let text = ConsoleText.consoleApp(
      (["10:00:00 \(Self.keeper) Resuming task.", "10:00:00 Notes -5 32>0"] + lines)
        .joined(separator: "\n"))
    return try notation(of: text, app: "com.example.Notes").split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
      .filter { $0.contains(" kill app") || $0.contains(" exit app") }
  }

  private let crash =
    "kill app namespace=SIGNAL "
    + "reason=\"Formulating fatal 309 report for corpse[412] Notes\" pid=412 line=3"

  @Test(arguments: [
    ["10:00:01 \(formulating)", "10:00:01.1 \(killed)"],
    ["10:00:01 \(killed)", "10:00:01.1 \(formulating)"],
  ])
  func aCrashReportMakesTheSignalOfTheEndACrash(lines: [String]) throws {
    #expect(try ends(lines[0], lines[1]) == ["1s - " + crash])
  }

  @Test func aCrashReportExplainsAnEndThatWasToldSecondsBefore() throws {
    let path = "/var/mobile/Library/Logs/CrashReporter/Notes-2026-03-01-100002.ips"
    #expect(
      try ends("10:00:01 \(Self.killed)", "10:00:04 \(Self.saved)") == [
        "1s - kill app code=0x9 namespace=SIGNAL pid=412 line=3",
        "4s - kill app namespace=SIGNAL reason=\"crash report: \(path)\" line=4",
      ])
  }

  @Test func aSavedReportOfACrashIsAnEnd() throws {
    let path = "/var/mobile/Library/Logs/CrashReporter/Notes-2026-03-01-100002.ips"
    let told = try ends("10:00:04 \(Self.saved)")
    #expect(
      told == [
        "4s - kill app namespace=SIGNAL reason=\"crash report: \(path)\" line=3"
      ])
  }

  @Test func aSavedReportOfAnotherKindIsNoEnd() throws {
    let other = Self.saved.replacing("309(109_Notes)", with: "202(<private>)")
    #expect(try ends("10:00:04 \(other)").isEmpty)
  }

  @Test func whatTheSystemSaysOfTheEndStaysBesideTheReport() throws {
    #expect(
      try ends(
        "10:00:01 \(Self.formulating)",
        "10:00:01.1 \(Self.keeper) termination reported by launchd (2, 11, 11)") == [
          "1s - kill app code=0xb namespace=SIGNAL pid=412 line=3"
        ])

    #expect(
      try ends(
        "10:00:01 \(Self.formulating)",
        "10:00:01.1 \(Self.keeper) termination reported by launchd (10, 2343432205, 9)") == [
          "1s - kill app code=0x8badf00d namespace=FRONTBOARD pid=412 line=3"
        ])
  }

  @Test func theLateReportOfAProcessIsNotTheEndOfTheNextOne() throws {
    let next = "runningboardd [app<com.example.Notes(7D)>:500]"
    #expect(
      try ends(
        "10:00:01 \(Self.killed)", "10:00:02.5 \(next) Resuming task.",
        "10:00:02.6 Notes +10 0>1024", "10:00:04 \(Self.saved)") == [
          "1s - kill app code=0x9 namespace=SIGNAL pid=412 line=3"
        ])
  }

  // MARK: The kernel, the debugger, and numbers that cannot be read

  @Test func aLimitOfProcessorTimeIsTheReasonOfTheKill() throws {
    let words = "caught burning CPU! It used more than 80% CPU over 60 seconds"
    #expect(
      try ends("10:00:01 kernel process Notes[412] \(words)", "10:00:01.1 \(Self.killed)") == [
        "1.1s - kill app code=0x9 namespace=SIGNAL reason=\"CPU limit: \(words)\" pid=412 line=4"
      ])
    #expect(try ends("10:00:01 kernel process Notes[412] \(words)").isEmpty)
  }

  @Test(arguments: ["EXC_RESOURCE -> exceeded", "memorystatus: exceeded"])
  func aLimitWithoutANameIsThatOfTheAppThatIsKilledAtOnce(words: String) throws {
    #expect(
      try ends(
        "10:00:01 kernel \(words) mem limit: ActiveHard 50 MB (fatal)", "10:00:01.1 \(Self.killed)")
        == [
          "1.1s - kill app code=0x7 namespace=JETSAM reason=per-process-limit "
            + "limit=\"ActiveHard 50 MB\" pid=412 line=4"
        ])
  }

  @Test func aKillByTheDebuggerIsTheDebuggers() throws {
    #expect(
      try ends(
        "10:00:01 launchd [UIKitApplication:com.example.Notes[5f][58]:412] exited due to SIGKILL "
          + "| sent by debugserver[300], ran for 4400ms", "10:00:01.1 \(Self.killed)") == [
          "1s - kill app reason=debugger by=debugserver pid=412 line=3"
        ])
  }

  @Test(arguments: ["-1, -5, -9", "99999999999999999999, 1, 9", "2, 9", "<private>"])
  func numbersThatCannotBeReadAreAnEndWithoutACause(triple: String) throws {
    #expect(
      try ends("10:00:01 \(Self.keeper) termination reported by launchd (\(triple))") == [
        "1s - exit app reason=gone pid=412 line=3"
      ])
  }

  @Test func anotherProcessOfTheNameIsANote() throws {
    let kill =
      "kernel memorystatus: killing_specific_process pid 3000 [Notes] (per-process-limit 100 12s) "
      + "30720KB"
    let text = ConsoleText.consoleApp(
      "10:00:00 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]\n"
        + "10:00:00.1 Notes -5 32>0\n10:00:01 \(kill)")
    let told = try notation(of: text, app: "com.example.Notes")
    #expect(
      told.hasSuffix(
        """
        1s        -     note          app \
        "another process Notes (3000) ended: it was killed with JETSAM 0x7: per-process-limit" line=3
        """))
  }

  @Test func tasksAreClaimedOnlyWhereUIKitHasPrinted() throws {
    let only = ConsoleText.consoleApp(
      "10:00:00 runningboardd Now tracking process: [app<com.example.Notes(7D)>:412]\n"
        + "10:00:01 \(Self.killed)")
    #expect(try notation(of: only).contains(" hooks=system "))
    let both = ConsoleText.consoleApp("10:00:00 Notes -5 32>0\n10:00:01 \(Self.killed)")
    #expect(try notation(of: both, app: "Notes").contains(" hooks=tasks,system "))
  }

  @Test func aTimeAndAProcessOfTheSystemAreConsoleText() throws {
    let text = """
      10:00:00 assertiond [Notes:412] Setting up BG permission check timer for 30s
      10:00:05 assertiond [Notes:412] Forcing crash report with description: Notes:412 has active \
      assertions beyond permitted time: <BKProcessAssertion: 0x1>
      """
    #expect(
      try notation(of: text, app: "Notes").contains(
        "kill          app reason=\"Notes:412 has active assertions beyond permitted time"))
  }
}
