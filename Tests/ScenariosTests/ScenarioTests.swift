import AppLifecycle
import LifecycleModel
import Scenarios
import Testing
import TraceLog

/// What a scenario may say, and what it gets told when it says something else.
@MainActor @Suite struct ScenarioTests {
  private func error(_ yaml: String) -> String {
    do {
      _ = try Scenario(yaml: yaml)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func errorsSayWhereAndWhat() {
    #expect(
      error("actions:\n  - 5s: hoem")
        == "2:9: expected an action, found \"hoem\"; did you mean \"home\"?")
    #expect(
      error("app: {mode: scen}\nactions: []")
        == "1:13: expected a mode, found \"scen\"; did you mean \"scene\"?")
    #expect(
      error("when:\n  sceneDidEnterBackgrond: []\nactions: []")
        == "2:3: expected a callback, found \"sceneDidEnterBackgrond\"; "
        + "did you mean \"sceneDidEnterBackground\"?")
    #expect(
      error("actions:\n  - 5: home")
        == "2:5: expected a time such as 20ms, 5s, 2m or 1.5h, found \"5\"")
    #expect(
      error("actions:\n  - 5s: home\n  - 4s: launch")
        == "3:5: expected a time no earlier than the action above, found \"4s\"")
    #expect(
      error("actions:\n  - 5s: push")
        == "2:9: expected {push: the subject of the push}, found \"push\"")
    #expect(
      error("actions:\n  - 5s: {home: 3}")
        == "2:16: expected no argument after \"home\", found \"3\"")
    #expect(
      error("actions:\n  - 5s: {close-scene: two}")
        == "2:23: expected the number of a scene, found \"two\"")
    #expect(
      error("app: {mode: app}\nwhen: {sceneDidBecomeActive: []}\nactions: []")
        == "2:8: expected a callback that exists with mode=app, found \"sceneDidBecomeActive\"")
    #expect(
      error("when:\n  input:\n    - begin-task: {nam: x}\nactions: []")
        == "3:20: expected a key of begin-task, found \"nam\"; did you mean \"name\"?")
    #expect(
      error("when:\n  input:\n    - perform: {category: gpu}\nactions: []")
        == "3:16: expected the key \"label\", found a mapping")

    // Where a list that never ends is noticed is the parser's affair.
    #expect(error("app: [").hasSuffix(": invalid YAML: expected a value"))
    #expect(error("") == "1:1: expected a scenario, found nothing")
    #expect(error("app: {}") == "1:1: expected the key \"actions\", found a mapping")
    #expect(
      error("actions:\n  - 5s: home\nuntil: 3s")
        == "3:8: expected a time no earlier than the last action, found \"3s\"")
  }

  @Test func theLogSaysWhichReleaseItIsOfAndWhereItRan() throws {
    let scenario = try Scenario(
      yaml: """
        app: {app: com.example.notes, version: 4.10, build: 812, device: "iPhone16,2", install: 9f2b833506aa6973}
        actions: [{0s: launch}]
        """)
    let trace = try Trace(log: scenario.run(to: .memory).bytes)
    let profile = Profile(
      try #require(trace.events.first.map { trace.vocabulary.attributes($0.attributes) }))
    #expect(profile.app == "com.example.notes" && profile.version == "4.10")
    #expect(profile.build == "812" && profile.device == "iPhone16,2")
    #expect(profile.install == "9f2b833506aa6973")
    let start = try #require(trace.events.first { $0.verb == .processStart })
    #expect(trace.vocabulary.attributes(start.attributes)[.bundle] == "com.example.notes")

    #expect(
      error("app: {verison: 4.2}\nactions: []").contains("did you mean \"version\"?"))
    #expect(
      error("app: {device: [a]}\nactions: []").contains("a model such as \"iPhone16,2\""))
  }

  @Test func equalSeedsGiveEqualLogs() throws {
    let yaml = """
      when:
        sceneDidBecomeActive:
          - timer: {label: tick, every: 2s, then: [{save: note}]}
        sceneWillResignActive: [{stop-timer: tick}]
      actions:
        - 0s: launch
        - 9s: home
        - 1m: {push: news}
        - 2m: swipe-away
      """

    func bytes(_ seed: UInt64, _ varies: Bool, days: Int = 1) throws -> [UInt8] {
      var scenario = try Scenario(yaml: yaml)
      scenario.options.seed = seed
      scenario.options.varies = varies
      return try scenario.run(to: .memory, days: days).bytes
    }

    #expect(try bytes(1, true) == bytes(1, true))
    #expect(try bytes(1, true) != bytes(2, true))
    #expect(try bytes(1, true) != bytes(1, false))
    let scenario = try Scenario(yaml: yaml)
    let once = try scenario.run(to: .memory).eventCount
    let driver = try scenario.run(to: .memory, days: 3)
    // Each day begins with a launch; the first log begins with the profile as well.
    #expect(driver.eventCount > 2 * once && driver.now >= 2 * 86_400 * 1_000_000_000)
  }

  private func trace(_ yaml: String, days: Int = 1) throws -> Trace {
    var reader = try LogReader(bytes: Scenario(yaml: yaml).run(to: .memory, days: days).bytes)
    return try reader.readAll()
  }

  /// What a scenario closes is closed each day, and nothing piles up.
  @Test func daysAreAlike() throws {
    let yaml = """
      actions:
        - 0s: launch
        - 5s: open-scene
        - 10s: connect-display
        - 20s: home
        - 2m: launch
        - 130s: {close-scene: 2}
        - 140s: disconnect-display
        - 150s: home
      """
    let counts = try [2, 3, 12].map {
      try Scenario(yaml: yaml).run(to: .memory, days: $0).eventCount
    }
    #expect(counts[2] - counts[1] == 9 * (counts[1] - counts[0]), "\(counts)")
    let closed = try trace(yaml, days: 3).events.filter {
      $0.verb == .call && $0.name == Callback.sceneDidDisconnect.symbol
    }
    #expect(closed.map(\.subjectNumber) == [2, 3, 4, 5, 6, 7])
  }

  /// UIKit has kept the configuration of a session that another process connected.
  @Test func onlyANewSessionIsAskedAConfigurationFor() throws {
    let trace = try trace(
      """
      when: {sceneWillConnect: [{note: connected}]}
      actions:
        - 0s: launch
        - 5s: home
        - 20s: purge
        - 30s: launch
      """)
    func count(_ callback: Callback) -> Int {
      trace.events.count { $0.verb == .call && $0.name == callback.symbol }
    }
    #expect(count(.sceneWillConnect) == 2 && count(.applicationConfigurationForConnecting) == 1)
    // The delegate of the second process hears of it.
    #expect(trace.events.count { $0.verb == .note } == 2)
  }

  @Test func aSceneStopsItsOwnTimer() throws {
    let trace = try trace(
      """
      when:
        sceneDidBecomeActive: [{timer: {label: poll, every: 1s}}]
        sceneDidDisconnect: [{stop-timer: poll}]
      actions:
        - 0s: launch
        - 2s: open-scene
        - 4s: {close-scene: 1}
      until: 6s
      """)
    let released = trace.events.filter { $0.verb == .release }
    #expect(released.map(\.subject) == [.scene(1)])
    let late = trace.events.filter { $0.verb == .work && $0.instant.nanoseconds > 4_500_000_000 }
    #expect(!late.isEmpty && late.allSatisfy { $0.subject == .scene(2) })
  }

  /// Behind 2^57 ns the recorder's ring knows no times.
  @Test func moreTimeThanARecordingCanStateIsAnError() throws {
    let scenario = try Scenario(yaml: "actions: [{0s: launch}, {10s: home}]")
    #expect(throws: LifecycleDriver.RangeError.self) {
      try scenario.run(to: .memory, days: 1669)
    }
    let busy = try Scenario(
      yaml: "when: {applicationDidFinishLaunching: [{take: 10s}]}\nactions: [{0s: launch}]")
    #expect(try busy.run(to: .memory).now < LifecycleDriver.latest)
    let driver = try LifecycleDriver { DelegateCall.delegate { _ in } }
    driver.launch()
    driver.run(until: LifecycleDriver.latest + 1_000_000_000)
    #expect(throws: LifecycleDriver.RangeError.self) { try driver.finish() }
  }
}
