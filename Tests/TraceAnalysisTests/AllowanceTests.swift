import LifecycleModel
import Testing

@testable import LifecycleRules
@testable import TraceAnalysis

@Suite struct AllowanceTests {
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
    #expect(Allowances.didEnterBackground == .seconds(5))
    #expect(Allowances.willTerminate == .seconds(5))
    #expect(Allowances.launchToFirstFrame == .milliseconds(19_600))
    #expect(Allowances.processExit == .seconds(5))
    #expect(Allowances.pushHandling == .seconds(30))
    #expect(Allowances.Background.liveTasks == 1000)
    #expect(
      Allowances.mainBusy.map(\.time) == [.milliseconds(250), .seconds(1), .seconds(9)])
    #expect(Allowances.mainBusy.map(\.severity) == [.info, .warning, .error])
  }

  @Test func warningsComeBeforeLimits() {
    #expect(Allowances.didEnterBackgroundWarning < Allowances.didEnterBackground)
    #expect(Allowances.willTerminateWarning < Allowances.willTerminate)
  }
}
