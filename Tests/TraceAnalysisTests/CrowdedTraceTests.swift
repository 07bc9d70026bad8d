import Foundation
import LifecycleModel
import TestTime
import Testing
import LifecycleRules
import TraceAnalysis
import TraceText

/// Logs that ask for more work than an app can cause: the work stays in proportion to their length, and
/// what is not looked at is said.
@Suite struct CrowdedTraceTests {
  private static let profile = """
    0s - profile mode=scene os=18.2 background-modes=none launch=user hooks=app-delegate,\
    scene-delegate,app-notifications,scene-notifications,tasks,work,resources,data,system
    0s - process.start app pid=1 launch=user

    """

  /// Things that stay open, each with what follows them many times.
  static let crowds:
    [(name: String, open: @Sendable (Int) -> String, then: @Sendable (Int) -> String)] =
      [
        ("sockets", { "main acquire socket app \"s\($0)\" kind=listening" }, { _ in "main note" }),
        (
          "scenes", { "main call sceneWillConnect scene:\($0 + 1) session=\($0 + 1)" },
          { "main return sceneWillConnect scene:\($0 + 1)" }
        ),
        ("scheduled tasks", { "- bgtask.launch id\($0) app kind=refresh" }, { _ in "main note" }),
        (
          "calls", { "w\($0 % 99) call sceneDidEnterBackground scene:\($0 + 1)" },
          { _ in "main work frame app" }
        ),
        (
          "calls of one thread", { "main call sceneDidBecomeActive scene:\($0 + 1)" },
          { _ in "main note" }
        ),
        (
          "early tasks",
          { i in
            i == 0
              ? "main call applicationDidEnterBackground app" : "main task.begin task:\(i) \"t\""
          }, { _ in "net work network app" }
        ),
        ("expirations", { "- task.expire task:\($0 + 1)" }, { _ in "main note" }),
        (
          "disconnects", { "main call sceneWillConnect scene:\($0 + 1) session=\($0 + 1)" },
          { "main call sceneDidDisconnect scene:\($0 + 1)" }
        ),
        (
          "resources", { "main acquire other app \"v\($0)\" kind=sensitive" },
          { _ in "- suspend app" }
        ),
        ("data", { "main data.dirty app \"d\($0)\"" }, { _ in "main note" }),
        ("deliveries", { "- deliver push app \"p\($0)\"" }, { _ in "- deliver event app" }),
        ("dispatched work", { "main work dispatch app \"d\($0)\"" }, { _ in "main work gpu app" }),
      ]

  private static func trace(_ index: Int, _ count: Int) throws -> Trace {
    let crowd = crowds[index]
    var text = profile
    for part in [crowd.open, crowd.then] {
      for place in 0..<count {
        text += "\(text.utf8.count)us \(part(place))\n"
      }
    }
    return try TraceNotation.parse(text + "9999s - suspend app\n")
  }

  /// Seconds that this thread works at it.
  private static func work(_ trace: Trace) -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    _ = Analyzer.analyze(trace)
    return now() - start
  }

  /// The crowds of each day: one for each way in which the analyzer holds what is open.
  private static let daily: Set<String> = ["calls", "sockets", "data", "dispatched work"]

  private static let indices = crowds.indices.filter {
    Nightly.isOn || daily.contains(crowds[$0].name)
  }

  /// Eight times as much takes some eight times as long: the quadratic takes sixty-four times.
  @Test(.tags(.nightly), arguments: indices) func workGrowsWithTheLog(_ index: Int) throws {
    let (small, large) = (try Self.trace(index, 2500), try Self.trace(index, 20_000))
    let first = min(Self.work(small), Self.work(small))
    let second = Self.work(large)
    #expect(second < 28 * first + 0.5, "\(Self.crowds[index].name): \(first) s, \(second) s")
  }

  /// A lock is found among thousands of other things.
  @Test func whatAnAppCanHoldIsLookedAtWhole() throws {
    var text = Self.profile
    for place in 0..<4000 {
      text += "1s main acquire \(place == 2000 ? "lock" : "file") app \"f\(place)\"\n"
    }
    let analysis = Analyzer.analyze(try TraceNotation.parse(text + "9s - suspend app\n"))
    #expect(analysis.allFindings.contains { $0.rule == "lock-at-suspend" })
  }

  /// A wake or a limit at the greatest instant comes once, and none before its time.
  @Test func theGreatestInstantIsTheLast() throws {
    let text = """
      0s - profile hooks=tasks,system,app-delegate os=18.2
      1s main task.begin task:1
      9223372036s main call applicationDidEnterBackground app
      9223372036.854775806s - task.expire task:1
      9223372036.854775807s main note
      9223372036.854775807s main note
      """

    let analysis = Analyzer.analyze(try TraceNotation.parse(text))
    #expect(analysis.eventCount == 6)
    #expect(!analysis.allFindings.contains { $0.rule == "budget-did-enter-background" })
  }
}
