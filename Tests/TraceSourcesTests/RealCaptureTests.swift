import LifecycleModel
import Testing
import TraceSources
import TraceText

/// Acceptance by captures of real devices, which lie beside the package and not in it.
@Suite(
  .enabled(
    if: Captures.areRealOnesThere,
    "SKIPPED: the captures of real devices are not there: ../shared/data/console"))
struct RealCaptureTests {
  /// The events of a capture that are not about tasks.
  private func outline(_ name: String) throws -> [String] {
    try events(name).filter { !$0.hasPrefix("task.") }
  }

  /// The events of a capture without instants, lines and the bundles of other people's apps.
  private func events(_ name: String) throws -> [String] {
    try Captures.told(name, in: Captures.real).map { line in
      let columns = Captures.withoutName(line).split(
        separator: " ", omittingEmptySubsequences: true
      ).dropFirst(2)
      return columns.filter { !$0.hasPrefix("line=") && !$0.hasPrefix("bundle=") }
        .joined(separator: " ")
    }
  }

  /// The instant of the event that `text` is a part of, in milliseconds.
  private func milliseconds(_ name: String, _ text: String, after start: Int = 0) throws -> Int {
    let trace = try TraceNotation.parse(
      Captures.told(name, in: Captures.real).joined(separator: "\n"))
    let printer = TraceNotation.Printer(vocabulary: trace.vocabulary)
    let event = trace.events.first {
      printer.line($0).contains(text) && $0.instant.nanoseconds / 1_000_000 >= start
    }
    return Int(try #require(event).instant.nanoseconds / 1_000_000)
  }

  @Test func aCycleThroughTheBackground() throws {
    #expect(
      try outline("background-cycle.log") == [
        "profile hooks=tasks,system clock=wall",
        "gap source-hole -1",
        "state active->inactive app",
        "note app \"snapshot requested\"",
        "state inactive->background app",
        "notify UIApplication.didEnterBackgroundNotification app",
        "snapshot.begin app", "snapshot.end app", "snapshot.begin app", "snapshot.end app",
        "notify UIApplication.willEnterForegroundNotification app",
        "state background->inactive app",
        "state inactive->active app",
        "notify UIApplication.didBecomeActiveNotification app",
      ])
  }

  @Test func aSlowLaunch() throws {
    let name = "slow-launch.log"
    #expect(
      try outline(name) == [
        "profile hooks=tasks,system clock=wall",
        "process.start app launch=unknown",
        "state notRunning->inactive app", "state inactive->active app",
        "state active->inactive app", "state inactive->active app",
      ])

    let start = try milliseconds(name, "process.start")
    let active = try milliseconds(name, "inactive->active")
    let resigned = try milliseconds(name, "active->inactive")

    // UIKit began a task of the app 3 s before it printed the launch itself.
    #expect(active - start == 9405)
    #expect(try milliseconds(name, "inactive->active", after: resigned) - resigned == 17_782)
  }

  @Test func aDisconnectWithOpenTasks() throws {
    let name = "disconnect-with-open-tasks.log"
    #expect(
      try outline(name) == [
        "profile hooks=tasks,system clock=wall",
        "process.start app launch=unknown",
        "state notRunning->inactive app",
        // The begin of task 2 was not printed, and later a line of the mask.
        "gap source-hole -1", "gap source-hole -1",
        "state inactive->active app",
        "state active->inactive app", "state inactive->active app",
        "state active->inactive app",
        "note app \"snapshot requested\"",
        "state inactive->background app",
        "state background->unattached scene:1",
      ])
    let bounce = try milliseconds(name, "active->inactive")
    #expect(try milliseconds(name, "inactive->active", after: bounce) - bounce == 233)
  }

  @Test func theOpenTasksAtTheEnd() throws {
    var open: [String] = []
    for event in try events("disconnect-with-open-tasks.log") {
      let columns = event.split(separator: " ", maxSplits: 2).map(String.init)
      if columns[0] == "task.begin" { open.append("\(columns[1]) \(columns[2])") }
      if columns[0] == "task.end" { open.removeAll { $0.hasPrefix("\(columns[1]) ") } }
    }

    #expect(
      open == [
        "task:1 \"Launch Background Task for Coalescing\"",
        "task:22 \"_UIRemoteKeyboard XPC disconnection\" handler=false",
        "task:23 \"Flutter debug task\" handler=true",
        "task:34 \"Persistent SceneSession Map Update\" handler=true",
      ])
  }

  @Test func aLaunchAsTheSystemSeesIt() throws {
    #expect(
      try outline("launch-with-system.log") == [
        "profile launch=user hooks=tasks,system clock=wall",
        "process.start app pid=9964 launch=user",
        "state notRunning->inactive app",
        "profile launch=user hooks=system clock=wall",
        "work.begin other scene:1 \"Logical Activate\" 28091 allowance=19.97s",
        "work.end other scene:1 \"Logical Activate\" 28091",
        "state inactive->active app",
      ])
  }

  @Test(arguments: [
    "background-cycle.log", "slow-launch.log", "disconnect-with-open-tasks.log",
    "launch-with-system.log",
  ])
  func chunksMakeNoDifference(name: String) throws {
    let bytes = try Captures.bytes(name, in: Captures.real)
    #expect(
      try notation(of: bytes, ConsoleSource(), chunk: 1) == notation(of: bytes, ConsoleSource()))
  }
}
