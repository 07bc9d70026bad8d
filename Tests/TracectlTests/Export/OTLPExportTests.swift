import Foundation
import LifecycleModel
import LifecycleRules
import TestTime
import Testing
import TraceAnalysis
import TraceText
import Traces

@testable import TraceReport

/// What an export as OTLP shows of a run, and what holds of any.
@Suite struct OTLPExportTests {
  private func otlp(
    _ notation: String, in window: ClosedRange<Double>? = nil, clock: WallClock? = nil
  ) throws -> OTLPTrace {
    let part = window.map {
      ExportBench.instant($0.lowerBound)...ExportBench.instant($0.upperBound)
    }
    let trace = try TraceNotation.parse(notation)
    return OTLPTrace(ExportBench.bytes(trace, in: part, clock: clock, by: OTLPExport.self))
  }

  @Test func aSampleIsAsReviewed() throws {
    let sample = CommandRun.root.appendingPathComponent("samples/traces/slow-background.trace")
    let trace = try otlp(String(contentsOf: sample, encoding: .utf8))
    #expect(trace.complaints == [] && trace.requestCount == 1)
    try Snapshot.expect(
      trace.text,
      at: CommandRun.root.appendingPathComponent(
        "Tests/TracectlTests/Snapshots/slow-background.otlp.txt"))
  }

  @Test func aProcessIsATraceAndItsResourceIsTheAppTheSystemAndTheDevice() throws {
    let trace = try otlp(
      """
      0s - profile mode=app platform=ios os=18.2 device=iPhone16,2 version=4.2.1 build=812
      0s - process.start app pid=7 bundle=com.example.notes
      1s main call applicationDidBecomeActive app
      2s main return applicationDidBecomeActive app
      3s - process.start app pid=8 bundle=com.example.notes
      """)

    #expect(trace.complaints == [] && trace.requestCount == 2)
    let roots = trace.spans("process")
    #expect(roots.count == 2 && roots.allSatisfy { $0.parent == nil })
    #expect(Set(roots.map(\.trace)).count == 2)

    let resource = try #require(trace.resources[roots[0].trace])
    let known = [
      "service.name": "com.example.notes", "service.version": "4.2.1", "app.build_id": "812",
      "os.type": "darwin", "os.name": "iOS", "os.version": "18.2", "device.manufacturer": "Apple",
      "device.model.identifier": "iPhone16,2", "process.pid": "7",
    ]
    for (key, value) in known { #expect(resource[key] == value, "\(key)") }
    #expect(trace.resources[roots[1].trace]?["process.pid"] == "8")
  }

  @Test func spansLieInEachOtherAsTheTablesSay() throws {
    let trace = try otlp(
      """
      1s main call applicationDidBecomeActive app
      2s main work.begin save app "a" k=v
      3s main work.end save app "a"
      4s main return applicationDidBecomeActive app
      5s main task.begin task:1 "sync"
      """)

    #expect(trace.complaints == [])
    let root = try #require(trace.spans("process").first)
    let call = try #require(trace.spans("applicationDidBecomeActive").first)
    let work = try #require(trace.spans("work save").first)
    let task = try #require(trace.spans("task").first)
    #expect(call.parent == root.id && work.parent == call.id && task.parent == root.id)
    #expect(work.attributes["thread.name"] == "main" && work.attributes["tracectl.k"] == "v")
    #expect(work.attributes["tracectl.span.label"] == "a")
    #expect(task.attributes["tracectl.span.ended"] == "end-of-log")

    let state = try #require(trace.spans("app active").first)
    #expect(state.attributes["ios.app.state"] == "active" && state.parent == root.id)
    #expect(state.events.map(\.name) == ["device.app.lifecycle"])
  }

  @Test func aCrashIsAnExceptionAndAnError() throws {
    let trace = try otlp(
      """
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      4s - kill app signal=6 exception=NSRangeException reason="index 3 beyond bounds"
      """)

    let root = try #require(trace.spans("process").first)
    let exception = try #require(root.events.first { $0.name == "exception" })
    #expect(exception.attributes["exception.message"] == "index 3 beyond bounds")
    #expect(exception.attributes["exception.type"]?.isEmpty == false)
    let end = try #require(root.events.first { $0.name == "tracectl.end" })
    #expect(end.attributes["tracectl.class"] == "fault" && root.error != nil)
    #expect(end.time == root.end)
    let call = try #require(trace.spans("applicationDidBecomeActive").first)
    #expect(call.attributes["tracectl.span.ended"] == "process-ended")
  }

  @Test func aRunThatEndsWellIsNoError() throws {
    let trace = try otlp("0s - process.start app pid=7\n4s - exit app status=0")
    let root = try #require(trace.spans("process").first)
    #expect(root.events.map(\.name) == ["tracectl.end"] && root.error == nil)
  }

  @Test func timesAreThoseOfTheWallClockOrOfADayOnWhichNoAppRan() throws {
    let life = "2s main work.begin save app\n3s main work.end save app"
    let dated = try otlp(life, clock: WallClock(origin: 1_700_000_000_000_000_000))
    #expect(dated.spans("work save").map(\.start) == [1_700_000_002_000_000_000])
    #expect(dated.resources.values.first?["tracectl.clock"]?.contains("1970") != true)

    let day: Int64 = 86_400_000_000_000
    let undated = try otlp(life)
    #expect(undated.spans("work save").map(\.start) == [day + 2_000_000_000])
    #expect(undated.resources.values.first?["tracectl.clock"]?.contains("1970-01-02") == true)
    let console = try otlp(life, clock: WallClock(timeOfDay: 3_600_000_000_000))
    #expect(console.spans("work save").map(\.start) == [day + 3_602_000_000_000])
  }

  @Test func aPartHasTheSpansThatReachIntoIt() throws {
    let trace = try otlp(
      """
      1s main work.begin early app
      2s main work.end early app
      3s main work.begin reaching app
      6s main work.end reaching app
      8s main work.begin late app
      9s main work.end late app
      """, in: 5...7)

    #expect(trace.complaints == [])
    #expect(trace.spans.map(\.name) == ["work reaching", "process"])
    #expect(trace.spans[0].end - trace.spans[0].start == 3_000_000_000)
  }

  @Test func gapsBeyondTheLimitAreCounted() throws {
    let lines = (1...200).map { "\($0)ms - gap ring-full 3\n\($0)ms main work timer app" }
    let trace = try otlp("0s - process.start app pid=7\n" + lines.joined(separator: "\n"))
    let root = try #require(trace.spans("process").first)
    let gaps = root.events.filter { $0.name == "tracectl.gap" }
    // Findings take places, too.
    #expect(gaps.count + root.dropped == 200 && (100...128).contains(gaps.count))
    #expect(gaps.first?.attributes["tracectl.cause"] == "ring-full")
    #expect(gaps.first?.attributes["tracectl.count"] == "3")
  }

  @Test func aLongLogIsSeveralRequestsOfOneTrace() throws {
    let lines = (1...1500).map { number in
      "\(number)ms main work.begin save app \"n\"\n\(number)ms main work.end save app \"n\""
    }
    let trace = try otlp(lines.joined(separator: "\n"))
    #expect(trace.complaints == [] && trace.requestCount > 1 && trace.resources.count == 1)
    #expect(trace.spans("work save").count == 1500)
  }

  @Test(.tags(.nightly), arguments: Nightly.seeds(30, all: 1000))
  func receiversHaveNothingToComplainAboutAndNothingIsLeftOut(seed: UInt64) {
    var generator = ArbitraryTrace(seed: seed)
    let trace = generator.trace(count: 250)
    let bytes = ExportBench.bytes(trace, by: OTLPExport.self)
    #expect(bytes == ExportBench.bytes(trace, by: OTLPExport.self), "not the same bytes")
    let read = OTLPTrace(bytes)
    #expect(read.complaints == [])

    var fold = LaneFold(trace.vocabulary)
    var changes: [LaneChange] = []
    for event in trace.events { changes += fold.observe(event) }
    changes += fold.finish()
    let bars = changes.compactMap { if case .begin(let bar) = $0 { bar.content } else { nil } }
    let processes = bars.count { $0 == .process }
    #expect(read.spans.count { $0.parent != nil } == bars.count - processes)
    #expect(read.spans("process").count >= processes)

    let analysis = Analyzer.analyze(trace)
    let found = read.spans.flatMap(\.events).count { $0.name == "tracectl.finding" }
    #expect(found == analysis.findings.reduce(0) { $0 + 1 + $1.dependents.count })
  }
}
