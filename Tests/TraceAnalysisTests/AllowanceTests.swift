import LifecycleModel
import Testing

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct AllowanceTests {
  @Test func everyRowHasASourceAndALimit() {
    for row in Allowances.rows {
      #expect(!row.sources.isEmpty, "\(row.topic)")
      switch row.bound {
      case .time(let time): #expect(time > 0, "\(row.topic)")
      case .count(let count): #expect(count > 0, "\(row.topic)")
      }
    }
    #expect(Set(Allowances.rows.map(\.topic)) == Set(Allowance.Topic.allCases))
  }

  /// The eras of one topic neither overlap nor leave a version out.
  @Test(arguments: Allowance.Topic.allCases) func everySystemHasOneRow(_ topic: Allowance.Topic) {
    let rows = Allowances.rows.filter { $0.topic == topic }
    for version in 0...40 {
      #expect(rows.count { $0.systems.contains(version) } == 1, "\(topic) on \(version)")
    }
  }

  @Test func backgroundTasksGoByTheEra() {
    func allowed(_ os: String?) -> Nanoseconds {
      Allowances.backgroundTasks(Profile(os.map { [Attribute(.os, $0)] } ?? []))
    }
    #expect(allowed("6.1") == .seconds(600))
    #expect(allowed("7.0") == .seconds(180))
    #expect(allowed("12.4") == .seconds(180))
    #expect(allowed("13.0") == .seconds(30))
    #expect(allowed("26.1") == .seconds(30))
    #expect(allowed(nil) == .seconds(600))
  }

  @Test func theDocumentedTimesAreThose() {
    #expect(Allowances.time(.didEnterBackground) == .seconds(5))
    #expect(Allowances.time(.willTerminate) == .seconds(5))
    #expect(Allowances.time(.launchToFirstFrame) == .milliseconds(19_600))
    #expect(Allowances.time(.processExit) == .seconds(5))
    #expect(Allowances.time(.pushHandling) == .seconds(30))
    #expect(Allowances.time(.watchTask) == .seconds(15))
    #expect(Allowances.Background.liveTasks == 1000)
    #expect(Allowances.count(.pendingProcessingRequests) == 10)
    #expect(
      Allowances.mainBusy.map(\.time) == [.milliseconds(250), .seconds(1), .seconds(9)])
    #expect(Allowances.mainBusy.map(\.severity) == [.info, .warning, .error])
  }

  @Test func warningsComeBeforeLimits() {
    #expect(Allowances.didEnterBackgroundWarning < Allowances.time(.didEnterBackground))
    #expect(Allowances.willTerminateWarning < Allowances.time(.willTerminate))
  }
}
