import Foundation
import Testing
import TraceSources

/// Acceptance by captures that people posted, which lie beside the package and not in it.
///
/// For each capture all events are stated, so that an event that nobody printed fails the test.
@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: Captures.field.path),
    "SKIPPED: the captures that people posted are not there: ../shared/data/field"))
struct FieldCaptureTests {
  private static let late = ["profile hooks=tasks,system clock=wall", "gap source-hole -1"]
  /// The same where the system alone speaks of the app.
  private static let ofSystem = ["profile hooks=system clock=wall", "gap source-hole -1"]

  /// The events of a capture, without instants, lines and names, and without the texts that quote
  /// the system.
  private func events(_ name: String, app: String? = nil) throws -> [String] {
    let told = try notation(
      of: Captures.bytes(name, in: Captures.field), ConsoleSource(options: .init(app: app)))
    return Captures.withoutName(told).split(separator: "\n").map { line in
      let columns = line.split(separator: " ", omittingEmptySubsequences: true).dropFirst(2)
      let words = columns.filter { !$0.hasPrefix("line=") && !$0.hasPrefix("bundle=") }
        .joined(separator: " ")
      return words.hasPrefix("note app") ? "note app" : words
    }
  }

  @Test func aTaskThatEnds() throws {
    #expect(try events("compact/bareexample-2026.log") == Self.late + ["task.end task:2"])
  }

  @Test func anExitContextWithASignal() throws {
    #expect(
      try events("compact/macos-exited-with-context.log")
        == Self.ofSystem + ["kill app code=0xd namespace=SIGNAL pid=6766"])
  }

  @Test func aTaskThatIsOpenTooLong() throws {
    let events = try events("compact/stethoscore-sim-2026.log")
    #expect(Array(events.prefix(2)) == Self.late)
    #expect(events.count == 4)
    #expect(events[2].hasPrefix("task.begin task:3 ") && events[2].hasSuffix(" elapsed=30s"))
    #expect(events[3] == "note task:3 \"created over 30s ago and still open\" warning=overdue")
  }

  @Test func aTaskThatIsOpenAfterItsHandlers() throws {
    let events = try events("xcode-console/appgetkilled-wrapped.log")
    #expect(
      events.filter { $0.hasPrefix("note") }.map { $0.split(separator: " ").last } == [
        "warning=expired", "warning=overdue",
      ])
  }

  @Test func aTunnelOverItsLimit() throws {
    #expect(
      try events("kernel-memorystatus/radiance-595-mixed.log")
        == Self.ofSystem + [
          "kill app code=0x7 namespace=JETSAM reason=per-process-limit "
            + "limit=\"ActiveHard 50 MB\" memory=51200KB pid=1879"
        ])
  }

  @Test func wordsOfTheAppAreNoEvents() throws {
    #expect(
      try events("xcode-console/cb-restore-customtime.log") == [
        "profile debugger=true hooks=system clock=wall", "gap source-hole -1",
        "kill app code=0x9 namespace=SIGNAL",
      ])
  }

  @Test func anExceptionAlone() throws {
    let last = try events("xcode-console/rct-uncaught-exception.log").last
    #expect(last?.hasPrefix("exit app exception=NSInternalInconsistencyException reason=") == true)
  }

  @Test func aCrashAndTheDeathOfAHelper() throws {
    let events = try events("console-copy/airsdk-2993-webcontent-killed.log")
    #expect(events.filter { !$0.hasPrefix("kill") } == Self.ofSystem + ["note app", "note app"])
    #expect(events.count == 5)
    #expect(events[3].hasPrefix("kill app namespace=SIGNAL reason="))
    #expect(events[3].hasSuffix(" pid=9522"))
  }

  @Test func aWatchdogThatADebuggerHoldsBack() throws {
    #expect(
      try events("console-copy/flutter-68558-debugged.log") == [
        "profile debugger=true hooks=system clock=wall",
        "process.start app pid=1462 launch=unknown visibility=foreground", "note app", "note app",
      ])
  }

  @Test func aLaunchInTheBackground() throws {
    #expect(
      try events("console-copy/flutterfire-5702-push-launch.log") == [
        "profile hooks=system clock=wall",
        "process.start app pid=1957 launch=unknown visibility=background",
      ])
  }

  @Test func aTerminationThatWasRequested() throws {
    #expect(
      try events("console-copy/forum-759754-dasd-bgkill.log")
        == Self.ofSystem + [
          "suspend app", "note app",
          "kill app reason=\"BG Kill Demo\" by=com.apple.dasd pid=2933",
        ])
  }

  @Test func linesThatSomebodyPicked() throws {
    let events = try events("console-copy/hootowl-1106-background-picked.log")
    #expect(
      events.filter { !$0.hasPrefix("task.") }
        == Self.late + [
          "state active->inactive app", "note app", "state inactive->background app",
          "notify UIApplication.didEnterBackgroundNotification app",
          // Tasks 21 to 24 were not picked.
          "gap source-hole -1",
          "snapshot.begin app", "snapshot.end app", "snapshot.begin app",
        ])
    #expect(events.filter { $0.hasPrefix("task.begin") }.count == 3)
    #expect(events.filter { $0.hasPrefix("task.end") }.count == 1)
  }

  @Test func theWatchdogsExitOfFrontBoard() throws {
    #expect(
      try events("syslog/macios-10086-watchdog-ios14.log")
        == Self.ofSystem + [
          "kill app code=0x8badf00d reason=\"watchdog provision violated\" pid=796"
        ])
  }

  @Test func assertiondTidiesUpAfterAnAppThatIsGone() throws {
    let events = try events("syslog/rnfirebase-253-ios10.log")
    #expect(Array(events.dropLast()) == Self.ofSystem)
    #expect(events.last?.hasPrefix("exit app reason=gone") == true)
    #expect(events.last?.hasSuffix(" pid=488") == true)
  }

  @Test func aKeyboardOverItsLimit() throws {
    #expect(
      try events("kernel-memorystatus/console-copy-keyboard.log")
        == Self.ofSystem + [
          "kill app code=0x7 namespace=JETSAM reason=per-process-limit "
            + "limit=\"ActiveHard 77 MB\" memory=78848KB pid=14871"
        ])
  }

  @Test(arguments: [
    "syslog/ingredicheck-2026-no-device.log", "log-json/offsider-ndjson-ios27.ndjson",
  ])
  func aCaptureWithoutLinesOfALifeIsRefused(name: String) throws {
    #expect { _ = try events(name) } throws: { ($0 as? SourceError)?.code == .appNotFound }
  }
}
