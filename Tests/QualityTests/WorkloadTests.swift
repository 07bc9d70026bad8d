import Foundation
import LifecycleModel
import LifecycleRules
import Testing
import TraceAnalysis
import TraceLog
import Workloads

/// What `tools/bench` measures is what it says.
@MainActor
@Suite struct WorkloadTests {
  private func trace(_ workload: Workload, count: Int, seed: UInt64) throws -> Trace {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "workload-\(UUID()).bin"
    ).path
    defer { unlink(path) }
    try workload.write(count, seed: seed, to: path)
    var reader = try LogReader(path: path)
    return try reader.readAll()
  }

  @Test(arguments: Workload.allCases) func equalSeedsGiveEqualEvents(_ workload: Workload) throws {
    let trace = try trace(workload, count: 3000, seed: 7)
    #expect(trace.events.count >= 3000)
    #expect(try self.trace(workload, count: 3000, seed: 7) == trace)
    #expect(try self.trace(workload, count: 3000, seed: 8) != trace)
  }

  @Test(arguments: [Workload.work, .scenes, .lives], [1 as UInt64, 2])
  func nothingIsFoundInAWorkload(_ workload: Workload, seed: UInt64) throws {
    let analysis = Analyzer.analyze(try trace(workload, count: 20_000, seed: seed))
    #expect(analysis.allFindings.map(\.message) == [])
  }

  @Test func aStormBreaksSeveralRulesInEachCycle() throws {
    let trace = try trace(.storm, count: 20_000, seed: 1)
    let cycles = trace.events.count { $0.verb == .suspend }
    let analysis = Analyzer.analyze(trace)
    #expect(cycles > 20)
    #expect(Set(analysis.allFindings.map(\.rule)).count >= 4)
    let leftOut = analysis.findingsLeftOut.values.reduce(0, +)
    #expect(analysis.allFindings.count + leftOut >= 4 * cycles)
  }

  @Test func theWorkloadsAreAsTheyAreDescribed() throws {
    func share(_ trace: Trace, _ isCounted: (Event) -> Bool) -> Double {
      Double(trace.events.count(where: isCounted)) / Double(trace.events.count)
    }
    let scenes = try trace(.scenes, count: 20_000, seed: 1)
    #expect(Set(scenes.events.filter { $0.subjectKind == .scene }.map(\.subject)).count >= 4)
    #expect(Set(scenes.events.map(\.writer)).count == 5)
    #expect(share(scenes) { $0.verb == .work } > 0.5)

    let lives = try trace(.lives, count: 20_000, seed: 1)
    #expect(lives.events.count { $0.verb == .processStart } > 3)
    #expect(share(lives) { $0.verb == .work } < 0.01)
  }
}
