import LifecycleModel
import Testing
import TraceText

@testable import TraceReport
@testable import TraceResults

/// What an export shows of a run: what is open, what is missing, what is outside of the part.
@Suite struct ExportShapeTests {
  private static let sample = CommandRun.root.appendingPathComponent(
    "samples/traces/slow-background.trace")

  @Test func aSampleIsAsReviewed() throws {
    let notation = try String(contentsOf: Self.sample, encoding: .utf8)
    let trace = try ExportBench.perfetto(notation)
    #expect(trace.complaints == [])
    try Snapshot.expect(
      trace.text,
      at: CommandRun.root.appendingPathComponent(
        "Tests/TracectlTests/Snapshots/slow-background.perfetto.txt"))
  }

  @Test func whatIsOpenAtTheEndStaysOpenAndSaysWhy() throws {
    let trace = try ExportBench.perfetto(
      """
      1s main call applicationDidBecomeActive app
      2s main task.begin task:1 "sync"
      3s main work timer app "tick"
      """)
    let tasks = trace.events(on: "Background tasks")
    #expect(tasks.map(\.kind) == [.begin, .instant])
    #expect(tasks[1].name == "open: \"sync\"" && tasks[1].time == 3_000_000_000)
    #expect(tasks[1].details["closed"] == "no: the log ends before it does")
    // The app, the call, the task and the process.
    #expect(trace.events(on: "App").map(\.name) == ["active"])
    #expect(trace.openBars.values.reduce(0, +) == 3)
  }

  /// Work on a thread and work at an instant are found by one category.
  @Test func workWhileTheAppIsNotActiveIsFoundByItsState() throws {
    let trace = try ExportBench.perfetto(
      """
      0s - process.start app pid=7
      1s main call applicationDidEnterBackground app
      2s main return applicationDidEnterBackground app
      3s main work timer app "tick"
      4s db work.begin save app "a"
      5s db work.end save app "a"
      6s - process.start app pid=8
      """)
    let work = trace.events.filter { $0.category == "work" }
    #expect(work.map(\.name) == ["timer \"tick\"", "save \"a\""])
    #expect(work.allSatisfy { $0.details["app"] == "background" })
    let processes = trace.events(on: "System")
    #expect(processes.map(\.kind) == [.begin, .end, .begin, .instant])
    #expect(processes[1].details["closed"] == "not recorded")
  }

  @Test func gapsLastAsLongAsTheySayAndOneInAnotherIsAnInstant() throws {
    let trace = try ExportBench.perfetto(
      """
      1s main work timer app
      1s - gap ring-full 3
      2s main work timer app
      2s - gap source-hole -1 within=5s
      3s main work timer app
      3s - gap ring-full 1
      4s main work timer app
      10s main work timer app
      """)
    let gaps = trace.events(on: "Missing events")
    #expect(gaps.map(\.kind) == [.begin, .end, .begin, .instant, .end])
    #expect(gaps.map { $0.time / 1_000_000_000 } == [1, 2, 2, 3, 7])
    #expect(gaps[0].name == "missing: ring-full" && gaps[0].details["value"] == "3")
    #expect(trace.complaints == [])
  }

  @Test func twoGapsInARowAreBothShown() throws {
    let trace = try ExportBench.perfetto(
      """
      1s main work timer app
      1s - gap ring-full 3
      1s - gap source-hole 5
      2s main work timer app
      """)
    let gaps = trace.events(on: "Missing events")
    #expect(gaps.map(\.kind) == [.begin, .instant, .end])
    #expect(gaps.map { $0.details["value"] } == ["3", "5", nil])
    #expect(gaps.map { $0.time / 1_000_000_000 } == [1, 1, 2])
  }

  @Test func aPartBeginsWithWhatIsOpenAndLeavesOpenWhatGoesOn() throws {
    let notation = """
      1s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      3s main task.begin task:1 "a"
      4s main task.begin task:2 "b"
      6s main task.end task:1 "a"
      7s main work timer app "tick"
      9s main call applicationDidEnterBackground app
      """
    let trace = try ExportBench.perfetto(notation, in: 5...8)
    #expect(trace.complaints == [])
    #expect(trace.events.allSatisfy { (5_000_000_000...8_000_000_000).contains($0.time) })
    #expect(trace.events(on: "App").map(\.name) == ["active"])
    let first = trace.events(on: "Background tasks")
    #expect(first.map(\.kind) == [.begin, .end] && first[0].details["began"] == "3s")
    let second = trace.events(on: "Background tasks 2")
    #expect(second.map(\.kind) == [.begin, .instant])
    #expect(second[1].details["closed"] == "no: it ends after the part that was exported")
    #expect(trace.events(on: "Work: timer").count == 1)
    // Between two events something is open, too.
    let still = try ExportBench.perfetto(notation, in: 7.2...7.4)
    #expect(still.events(on: "Background tasks 2").count == 2 && still.complaints == [])
  }

  @Test func moreBarsThanRowsAreInstants() throws {
    let lines = (1...70).map { "\($0)ms main task.begin task:\($0) \"t\($0)\"" }
    let trace = try ExportBench.perfetto(lines.joined(separator: "\n"))
    #expect(trace.complaints == [])
    let rest = trace.events(on: "Background tasks: events")
    #expect(rest.map(\.name) == (65...70).map { "\"t\($0)\"" })
    #expect(rest.allSatisfy { $0.details["no bar"] == "64 are open beside it" })
  }

  @Test func attributesNeverReplaceWhatTheExportSays() throws {
    let trace = try ExportBench.perfetto("1s main note \"x\" app=no event=7 closed=maybe")
    let note = try #require(trace.events(on: "Notes").first)
    #expect(note.details["event"] == "main#1" && note.details["event 2"] == "7")
    #expect(note.details["app"] == "no" && note.details["closed"] == "maybe")
  }

  @Test func textsAreInertAndNoLongerThanAViewerShows() throws {
    let long = String(repeating: "ü", count: 3000)
    let trace = try ExportBench.perfetto(
      "1s main note \"\\u001b[31m\(long)\" k=\"\\u0007\(long)\"")
    let note = try #require(trace.events(on: "Notes").first)
    #expect(note.name?.hasPrefix("\\u001b[31mü") == true && note.name?.hasSuffix("ü…") == true)
    #expect((note.name ?? "").utf8.count <= ExportText.longest + 3)
    #expect(note.details["k"]?.hasPrefix("\\u0007ü") == true)
    #expect((note.details["k"] ?? "").utf8.count <= ExportText.longest + 3)
  }

  @Test func aDeathThatNobodyExplainsIsNoSilence() throws {
    let trace = try ExportBench.perfetto(
      "0s - process.start app pid=7\n4s - kill app code=0xdead10cc")
    let facts = Dictionary(uniqueKeysWithValues: trace.facts)
    #expect(facts["tracectl.headline"]?.contains("nothing found") == false)
    #expect(trace.events(on: "Ends of processes").map(\.name) == ["kill 0xdead10cc"])
    #expect(trace.track("7") == nil && trace.tracks[1].name == "run.bin")
  }
}
