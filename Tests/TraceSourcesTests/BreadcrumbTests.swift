import Testing
import TraceSources

/// What SDKs have noted: order and times, and never all of it.
@Suite struct BreadcrumbTests {
  private func sentry(_ states: [String], version: String? = nil) -> String {
    let crumbs = states.enumerated().map { index, state in
      #"{"timestamp":"2026-11-21T10:00:0\#(index).500Z","category":"app.lifecycle","data":{"state":"\#(state)"}}"#
    }
    let sdk = version.map { "\"sdk\":{\"name\":\"sentry.cocoa\",\"version\":\"\($0)\"}," } ?? ""
    return "{\(sdk)\"breadcrumbs\":{\"values\":[\(crumbs.joined(separator: ","))]}}"
  }

  @Test func theVersionDecidesWhatForegroundMeans() throws {
    let states = ["foreground", "background"]
    let old = try reported(sentry(states, version: "8.40.1"))
    let new = try reported(sentry(states, version: "9.9.0"))
    #expect(old[2] == "0s - notify UIApplication.didBecomeActiveNotification app")
    #expect(new[2] == "0s - notify UIApplication.willEnterForegroundNotification app")
    #expect(try reported(sentry(states))[2] == "0s - note app \"Sentry says: foreground\"")
    #expect(old[3] == "1s - notify UIApplication.didEnterBackgroundNotification app")
  }

  @Test func coverageIsPartialAndTheBeginningIsMissing() throws {
    let told = try reported(sentry(["background"], version: "9.9.0"))
    #expect(
      told[0] == "0s - profile hooks=app-notifications partial=app-notifications clock=wall")
    #expect(told[1] == "0s - gap source-hole -1")
  }

  @Test func aGuessOfTheSDKIsNoDeath() throws {
    let text = """
      {"exception":{"values":[{"type":"WatchdogTermination","mechanism":{"type":"watchdog_termination"}}]},
      "breadcrumbs":[{"timestamp":1795255200.25,"category":"app.lifecycle","data":{"state":"background"}}]}
      """
    let told = try reported(text)
    #expect(!told.contains { $0.contains(" kill ") })
    #expect(told.contains { $0.contains("Sentry guesses") })
  }

  @Test func bugsnagNamesScenes() throws {
    let names = [
      "Bugsnag loaded", "Scene Will Connect", "Scene Activated", "Scene Will Deactivate",
    ]
    let crumbs = names.enumerated().map { index, name in
      #"{"timestamp":"2026-11-21T10:00:0\#(index)Z","name":"\#(name)","type":"state"}"#
    }

    let text = "{\"breadcrumbs\":[\(crumbs.joined(separator: ","))]}"
    #expect(
      try reported(text).suffix(3) == [
        "1s - notify UIScene.willConnectNotification scene:1",
        "2s - notify UIScene.didActivateNotification scene:1",
        "3s - notify UIScene.willDeactivateNotification scene:1",
      ])
  }

  @Test func aSessionOfMeasureGoesOnOverProcesses() throws {
    let types = ["foreground", "background", "terminated", "foreground"]
    let events = types.enumerated().map { index, type in
      #"{"session_id":"s","timestamp":"2026-11-21T10:00:0\#(index)Z","type":"lifecycle_app","lifecycle_app":{"type":"\#(type)"},"attribute":{"os_version":"18.2","device_is_physical":false}}"#
    }

    // The order of the text is not that of time.
    let text = "{\"events\":[\(events.reversed().joined(separator: ","))]}"
    #expect(
      try reported(text) == [
        "0s - profile os=18.2 simulator=true hooks=app-notifications partial=app-notifications "
          + "clock=wall",
        "0s - gap source-hole -1",
        "0s - notify UIApplication.willEnterForegroundNotification app",
        "1s - notify UIApplication.didEnterBackgroundNotification app",
        "2s - notify UIApplication.willTerminateNotification app",
        "3s - process.start app launch=unknown",
        "3s - notify UIApplication.willEnterForegroundNotification app",
      ])
  }
}
