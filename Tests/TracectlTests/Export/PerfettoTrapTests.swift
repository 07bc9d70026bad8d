import LifecycleModel
import Testing
import TraceText

@testable import TraceReport
@testable import TraceResults

/// What Perfetto's trace processor and its UI drop, merge or draw elsewhere without a word: each has a test.
@Suite struct PerfettoTrapTests {
  private static let life = """
    0s - profile mode=scene hooks=app-delegate,scene-delegate,tasks,resources,work,process os=18.2
    0s - process.start app pid=412 bundle=com.example.notes
    1s main call sceneDidBecomeActive scene:1
    1.2s main observe UIScene.didActivateNotification scene:1 "Editor"
    1.3s main observed UIScene.didActivateNotification scene:1 "Editor"
    1.5s main return sceneDidBecomeActive scene:1
    2s main task.begin task:1 "sync"
    2.5s main task.begin task:2 "sync"
    3s main call sceneDidEnterBackground scene:1
    3.1s db acquire lock app "notes.db"
    3.2s main return sceneDidEnterBackground scene:1
    3.3s main sample memory app 1048576
    4s main task.end task:1 "sync"
    5s - kill app code=0x8badf00d
    """

  @Test func nothingStandsUnderAThreadAndGroupsHoldWhatIsNested() throws {
    let trace = try ExportBench.perfetto(Self.life)
    #expect(trace.complaints == [])
    let kinds = Dictionary(uniqueKeysWithValues: trace.tracks.map { ($0.uuid, $0.kind) })
    for track in trace.tracks {
      let parent = track.parent.flatMap { kinds[$0] }
      switch track.kind {
      case "root", "process", "thread": #expect(parent == nil, "\(track)")
      case "group", "values": #expect(parent == "process", "\(track)")
      default: #expect(parent == "group", "\(track)")
      }
    }
    let lifecycle = try #require(trace.track("Lifecycle")?.uuid)
    #expect(trace.track("App")?.parent == lifecycle && trace.track("Scene 1")?.parent == lifecycle)
  }

  @Test func tracksOfOneNameStayApart() throws {
    let trace = try ExportBench.perfetto(Self.life)
    #expect(
      trace.tracks.filter { !["root", "process"].contains($0.kind) }.allSatisfy { !$0.mergesByName }
    )
    #expect(trace.events(on: "Background tasks").count(where: { $0.kind == .begin }) == 1)
    #expect(trace.events(on: "Background tasks 2").count(where: { $0.kind == .begin }) == 1)
  }

  @Test func onlyGroupsAndTheRootSayAnOrder() throws {
    let trace = try ExportBench.perfetto(Self.life)
    #expect(trace.tracks.filter(\.hasOrder).allSatisfy { $0.kind == "group" })
    let lifecycle = try #require(trace.track("Lifecycle"))
    #expect(lifecycle.hasOrder)
    let order = trace.tracks.filter { $0.parent == lifecycle.uuid }.sorted { $0.rank < $1.rank }
    #expect(order.map(\.name) == ["App", "Scene 1", "System", "Ends of processes"])
  }

  @Test func aStateIsTheNameOfItsEventAndAnEventWithoutANameEndsIt() throws {
    let trace = try ExportBench.perfetto(
      """
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      1.5s main return applicationDidBecomeActive app
      3s main call applicationWillResignActive app
      3.5s main return applicationWillResignActive app
      4s - kill app code=0xdead10cc
      """)
    #expect(trace.track("App")?.kind == "states")
    let states = trace.events(on: "App")
    #expect(states.allSatisfy { $0.kind == .state })
    #expect(states.map(\.name) == ["active", "inactive", nil])
    #expect(states.map(\.time) == [1_000_000_000, 3_500_000_000, 4_000_000_000])
  }

  @Test func threadsHaveNumbersOfTheirOwnAndTheMainThreadThatOfItsProcess() throws {
    let bytes = ExportBench.bytes(try TraceNotation.parse(Self.life + "\n"))
    let packets = try #require(ProtobufReader(bytes)).messages(1)
    let threads = packets.flatMap { $0.messages(60) }.flatMap { $0.messages(4) }
    #expect(threads.map { $0.number(1) } == [412])
    #expect(threads.map { $0.text(5) } == ["Main thread"] && threads.map { $0.number(2) } == [412])
    let held = try ExportBench.perfetto("1s db call x app\n1s net call y app")
    #expect(held.tracks.filter { $0.kind == "thread" }.map(\.name) == ["Thread db", "Thread net"])
  }

  @Test func whatOverlapsOnAThreadGoesOnBesideIt() throws {
    let trace = try ExportBench.perfetto(
      """
      1s main work.begin save app "a"
      2s main work.begin load app "b"
      3s main work.end save app "a"
      4s main work.begin other app "c"
      5s main work.end other app "c"
      6s main work.end load app "b"
      """)
    // The process goes on.
    #expect(trace.complaints == [] && trace.openBars.count == 1)
    let thread = trace.events(on: "Main thread").filter { $0.kind != .instant }
    #expect(thread.map(\.kind) == [.begin, .begin, .end, .end, .begin, .end])
    #expect(thread.map { $0.time / 1_000_000_000 } == [1, 2, 3, 3, 4, 5])
    #expect(thread[2].details["closed"] == "not yet: it goes on beside the thread")
    let beside = trace.events(on: "Main thread (overlapping)")
    #expect(beside.map(\.kind) == [.begin, .end])
    #expect(beside.map { $0.time / 1_000_000_000 } == [3, 6])
    #expect(beside[0].name == "load \"b\"" && beside[0].details["began"] == "2s")
  }

  @Test func whatDiesTogetherIsNotTakenApart() throws {
    let trace = try ExportBench.perfetto(
      """
      1s main call sceneDidEnterBackground scene:1
      2s main work.begin save app "a"
      3s - kill app
      """)
    let thread = trace.events(on: "Main thread")
    #expect(thread.map(\.kind) == [.begin, .begin, .end, .end])
    #expect(thread[2...].allSatisfy { $0.details["closed"] == "never: the process ended" })
    #expect(trace.track("Main thread (overlapping)") == nil)
  }

  @Test func anArrowLeadsThroughTheEvidenceInItsOrder() throws {
    let trace = try ExportBench.perfetto(Self.life)
    let findings = trace.events(on: "Findings")
    #expect(!findings.isEmpty)
    for finding in findings {
      let flow = try #require(finding.flows.first)
      let steps = trace.events.filter { $0.flows.contains(flow) }
      #expect(steps.count > 1, "\(finding.name ?? "")")
      #expect(steps.allSatisfy { [.begin, .instant].contains($0.kind) })
      #expect(steps.map(\.time) == steps.map(\.time).sorted())
      let rule = try #require(finding.details["rule"])
      let evidence = steps.filter { $0.track != "Findings" }
      #expect(evidence.allSatisfy { $0.details["evidence"]?.contains(rule) == true })
    }
  }

  @Test func theVerdictAndTheProfileAreFactsOfTheTrace() throws {
    let trace = try ExportBench.perfetto(Self.life)
    let facts = Dictionary(uniqueKeysWithValues: trace.facts)
    #expect(facts["tracectl.headline"]?.hasPrefix("killed by the watchdog (0x8badf00d)") == true)
    #expect(facts["tracectl.verdict"]?.contains("watchdog") == true)
    #expect(facts["tracectl.profile.os"] == "18.2" && facts["tracectl.profile.mode"] == "scene")
    #expect(facts["tracectl.log"] == "run.bin" && facts["tracectl.deaths"] == "1")
    let end = try #require(trace.events(on: "Ends of processes").first)
    #expect(end.name == "kill 0x8badf00d" && end.details["verdict"] == facts["tracectl.verdict"])
  }

  @Test func tracksAndTextsAreDeclaredBeforeTheyAreUsed() throws {
    let trace = try ExportBench.perfetto(Self.life)
    #expect(trace.complaints == [] && trace.clearings == 1)
    for track in trace.tracks {
      let first = trace.events.first { $0.trackID == track.uuid }
      #expect(first.map { $0.packet > track.packet } ?? true, "\(track.name)")
    }
  }

  @Test func moreTextsThanATableHoldsBeginANewTable() throws {
    let lines = (0..<9000).map { "\($0)ms main note \"text \($0)\"" }
    let trace = try ExportBench.perfetto(lines.joined(separator: "\n"))
    #expect(trace.complaints == [] && trace.clearings == 3)
    #expect(trace.events(on: "Notes").map(\.name) == (0..<9000).map { "text \($0)" })
  }

  @Test func theWallClockIsSaidWhereItIsKnown() throws {
    #expect(try ExportBench.perfetto(Self.life).clocks.isEmpty)
    let wall: Int64 = 1_763_800_000_000_000_000
    let dated = try ExportBench.perfetto(Self.life, clock: WallClock(origin: wall))
    #expect(dated.clocks == [6: 0, 1: UInt64(wall)])
    // A console without dates knows no more than the time of day.
    let undated = try ExportBench.perfetto(Self.life, clock: WallClock(timeOfDay: 5))
    #expect(undated.clocks.isEmpty)
    // Before the origin time is counted from the first event.
    let early = try ExportBench.perfetto(
      "-2s main note \"a\"\n1s main note \"b\"", clock: WallClock(origin: wall))
    #expect(early.clocks[1] == UInt64(wall - 2_000_000_000))
    #expect(early.events.map(\.time) == [0, 3_000_000_000])
  }
}
