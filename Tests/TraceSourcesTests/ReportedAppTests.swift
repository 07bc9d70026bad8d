import LifecycleModel
import Testing
import TraceSources
import TraceText

/// Which release of the app a report names, and which device: what it says, and nothing else.
@Suite struct ReportedAppTests {
  /// `4.2.1 812 iPhone16,2` of the profile that a report becomes; what is not said is `-`.
  private func release(_ text: String) throws -> String {
    let first = try #require(try reported(text).first)
    let trace = try TraceNotation.parse(first)
    let profile = Profile(trace.vocabulary.attributes(trace.events[0].attributes))
    return [profile.app, profile.version, profile.build, profile.device].map { $0 ?? "-" }
      .joined(separator: " ")
  }

  @Test func anIPSNamesThemInHeaderOrBody() throws {
    #expect(try release(ReportText.ips) == "com.example.notes - - -")
    let header = ReportText.ips.replacing(
      "\"platform\":2", with: #""app_version":"4.2.1","build_version":"812","platform":2"#)
    #expect(try release(header) == "com.example.notes 4.2.1 812 -")
    let body = ReportText.ips.replacing(
      "\"bundleInfo\" : {",
      with: #""modelCode" : "iPhone16,2", "bundleInfo" : {"CFBundleVersion":"812","#
        + #""CFBundleShortVersionString":"4.2.1","#)
    #expect(try release(body) == "com.example.notes 4.2.1 812 iPhone16,2")
    let empty = ReportText.ips.replacing("\"platform\":2", with: #""app_version":"","platform":2"#)
    #expect(try release(empty) == "com.example.notes - - -")
  }

  /// The build stood first before the reports of iOS 15 were made from JSON.
  @Test(arguments: [
    ("4.2.1 (812)", "iPhone OS 18.2 (22C150)", "4.2.1 812"),
    ("4.2.1 (812)", "iPhone OS 15.0 (19A346)", "4.2.1 812"),
    ("812 (4.2.1)", "iPhone OS 14.8 (18H17)", "4.2.1 812"),
    ("812 (4.2.1)", "iOS 8.2 (12D508)", "4.2.1 812"), ("4.2 (4.2)", "", "4.2 4.2"),
    ("4.2.1 (812)", "", "- -"), ("??? (???)", "iPhone OS 18.2 (22C150)", "- -"),
    ("812", "iPhone OS 18.2 (22C150)", "- -"),
  ])
  func inTextTheSystemSaysWhichIsTheBuild(words: String, system: String, told: String) throws {
    let text = ReportText.crash
      .replacing("Role:  ", with: "Version:             \(words)\nRole:  ")
      .replacing(
        "OS Version:          iPhone OS 18.2 (22C150)\n",
        with: system.isEmpty ? "" : "OS Version: \(system)\n"
      )
      .replacing("Process:   ", with: "Hardware Model:      iPhone16,2\nProcess:   ")
    #expect(try release(text) == "com.example.notes \(told) iPhone16,2")
  }

  @Test func metricKitNamesThemForEachCrash() throws {
    let crashes = ["4.2.0", "4.2.1"].map { version in
      """
      {"diagnosticMetaData":{"signal":11,"bundleIdentifier":"com.example.notes","appVersion":"\(version)",
      "appBuildVersion":"812","deviceType":"iPhone16,2","pid":7}}
      """
    }
    let text = "{\"crashDiagnostics\":[\(crashes.joined(separator: ","))]}"
    let profiles = try reported(text).filter { $0.contains(" profile ") }
    #expect(profiles.count == 2)
    for (profile, version) in zip(profiles, ["4.2.0", "4.2.1"]) {
      #expect(
        profile.contains(
          "app=com.example.notes version=\(version) build=812 device=iPhone16,2"))
    }
  }

  @Test func aJetsamEventNamesTheDeviceAlone() throws {
    let notes = ReportText.entry("Notes", "frontmost", reason: "per-process-limit")
    let text = ReportText.jetsam(notes).replacing(
      "\"largestProcess\"", with: #""product" : "iPhone16,2", "largestProcess""#)
    #expect(try release(text) == "- - - iPhone16,2")
    let table = ReportText.jetsamTable().replacing(
      "OS Version:  ", with: "Hardware Model:      iPhone6,2\nOS Version:  ")
    #expect(try release(table) == "- - - iPhone6,2")
  }

  @Test(arguments: [
    #""contexts":{"app":{"app_identifier":"com.example.notes","app_version":"4.2.1","app_build":"812"},"#
      + #""device":{"model":"iPhone16,2","model_id":"D84AP"},"os":{"version":"18.2"}}"#,
    #""app":{"id":"com.example.notes","version":"4.2.1","bundleVersion":"812"},"#
      + #""device":{"id":"f00d","model":"iPhone16,2","modelNumber":"D84AP","osVersion":"18.2"}"#,
  ])
  func breadcrumbsNameThem(members: String) throws {
    let crumb = #"{"timestamp":"2026-11-21T10:00:00Z","name":"Bugsnag loaded","type":"state"}"#
    let text = "{\(members),\"breadcrumbs\":[\(crumb)]}"
    #expect(try release(text) == "com.example.notes 4.2.1 812 iPhone16,2")
    #expect(try reported(text)[0].contains(" os=18.2 "))
    // The SDKs' numbers of a device or a user are theirs.
    #expect(try !reported(text)[0].contains("install="))
  }

  @Test func measureNamesThemInEachEvent() throws {
    let text = """
      {"events":[{"timestamp":"2026-11-21T10:00:00Z","session_id":"5b7e","type":"lifecycle_app",
      "lifecycle_app":{"type":"foreground"},"attribute":{"app_unique_id":"com.example.notes",
      "app_version":"4.2.1","app_build":"812","device_model":"Simulator iPhone16,2","os_version":"18.2",
      "installation_id":"5c26","device_is_physical":false}}]}
      """
    #expect(try release(text) == "com.example.notes 4.2.1 812 iPhone16,2")
    #expect(try !reported(text)[0].contains("5c26"))
  }
}
