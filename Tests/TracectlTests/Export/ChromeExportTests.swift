import Foundation
import LifecycleModel
import Testing
import TraceText

@testable import TraceReport

/// A run as Chrome's JSON, held against what Firefox Profiler asks of it.
@Suite struct ChromeExportTests {
  /// The events, as a viewer gets them.
  static func events(_ bytes: [UInt8]) throws -> [[String: Any]] {
    let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    return try #require(json?["traceEvents"] as? [[String: Any]])
  }

  private func events(_ notation: String) throws -> [[String: Any]] {
    try Self.events(ExportBench.bytes(.chrome, try TraceNotation.parse(notation)))
  }

  private func line(_ event: [String: Any]) -> String {
    let time = (event["ts"] as? Double).map { " \($0)" } ?? ""
    let id = (event["id"] as? Int).map { " #\($0)" } ?? ""
    return "\(event["ph"] ?? "") \(event["name"] ?? "")\(time)\(id)"
  }

  @Test func barsStatesInstantsAndValuesAreEvents() throws {
    let events = try events(
      """
      0s - process.start app pid=7
      1s main call applicationDidBecomeActive app
      1.0000005s main sample memory app 512
      2s main return applicationDidBecomeActive app
      3s main task.begin task:1 "a"
      4s main work timer app "tick"
      5s - kill app
      """)
    let drawn = events.filter { $0["ph"] as? String != "M" }
    #expect(
      drawn.map(line) == [
        "b process 7 0.0 #3", "B applicationDidBecomeActive 1000000.0", "B active 1000000.0",
        "C memory 1000000.5", "E applicationDidBecomeActive 2000000.0", "b \"a\" 3000000.0 #8",
        "i timer \"tick\" 4000000.0", "e \"a\" 5000000.0 #8", "E active 5000000.0",
        "e process 7 5000000.0 #3", "i kill 5000000.0",
        "i warning: The system killed the app; the reason is not known; the app was active "
          + "5000000.0",
      ])
    let call = try #require(drawn[1]["args"] as? [String: Any])
    #expect(call["detail"] as? String == "event=main#1")
  }

  @Test func threadsAreNamedOnceAndInTheirOrder() throws {
    let events = try events(
      """
      1s main call a app
      2s db call b app
      3s main task.begin task:1 "a"
      3s main task.begin task:2 "b"
      """)
    let names = events.filter { $0["name"] as? String == "thread_name" }.compactMap {
      ($0["args"] as? [String: Any])?["name"] as? String
    }
    #expect(Set(names).isSuperset(of: ["Main thread", "Thread db", "Background tasks", "System"]))
    #expect(!names.contains("Background tasks 2") && Set(names).count == names.count)
    let tasks = events.filter { $0["ph"] as? String == "b" && $0["cat"] as? String == "task" }
    #expect(tasks.count == 2 && Set(tasks.compactMap { $0["tid"] as? Int }).count == 1)
    #expect(Set(tasks.compactMap { $0["id"] as? Int }).count == 2)
  }

  @Test func namesThatFirefoxProfilerTakesForItsOwnAreQuoted() throws {
    let events = try events(
      "1s main note \"Profile\"\n2s main note \"Screenshot\"\n3s main note \"x\"")
    let notes = events.filter { $0["cat"] as? String == "note" }
    #expect(notes.compactMap { $0["name"] as? String } == ["\"Profile\"", "\"Screenshot\"", "x"])
  }

  @Test func theLogAsAWholeIsSaidBesideTheEvents() throws {
    let bytes = ExportBench.bytes(
      .chrome, try TraceNotation.parse("0s - process.start app\n1s - kill app code=0x8badf00d"))
    let json = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let facts = try #require(json?["otherData"] as? [String: Any])
    let headline = facts["tracectl.headline"] as? String
    #expect(headline?.hasPrefix("killed by the watchdog") == true)
    #expect(facts["tracectl.events"] as? Int == 2)
  }
}
