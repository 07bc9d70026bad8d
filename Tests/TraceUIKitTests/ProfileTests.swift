import AppLifecycle
import Foundation
import LifecycleModel
import Testing
import UIKitStub

@testable import TraceUIKit

/// What the adapter says of the app and of itself.
@MainActor
@Suite(.serialized)
struct ProfileTests {
  private func reading(
    _ information: [String: Any], _ environment: [String: String] = [:]
  ) -> ProfileReading { ProfileReading(information, environment, systemVersion: nil) }

  private func words(_ reading: ProfileReading) -> [String] {
    reading.attributes.map { "\($0.key)=\($0.value)" }
  }

  @Test func anAppWithoutManifestHasNoScenes() {
    let reading = reading([:])
    #expect(
      words(reading) == [
        "mode=app", "multi-scene=false", "background-modes=none", "clock=monotonic",
        "launch=unknown",
      ])
    #expect(reading.sceneDelegateClassNames == [])
  }

  @Test func theManifestTheModesAndTheSDKAreRead() {
    let role: [[String: Any]] = [["UISceneDelegateClassName": "Notes.SceneDelegate"]]
    let manifest: [String: Any] = [
      "UIApplicationSupportsMultipleScenes": true,
      "UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": role],
    ]
    let reading = reading(
      [
        "UIApplicationSceneManifest": manifest, "UIBackgroundModes": ["audio", "fetch"],
        "DTSDKName": "iphoneos26.1",
      ], ["ActivePrewarm": "1"])

    #expect(
      words(reading) == [
        "mode=scene", "multi-scene=true", "background-modes=audio,fetch", "clock=monotonic",
        "launch=prewarm", "sdk=26.1",
      ])
    #expect(reading.sceneDelegateClassNames == ["Notes.SceneDelegate"])
  }

  @Test func thePropertyListNamesTheRelease() {
    let reading = reading([
      "CFBundleIdentifier": "com.example.notes", "CFBundleShortVersionString": "4.2.1",
      "CFBundleVersion": "812",
    ])
    #expect(
      words(reading).suffix(3) == ["app=com.example.notes", "version=4.2.1", "build=812"])
  }

  // MARK: The installation

  private func scratch() -> URL {
    FileManager.default.temporaryDirectory
      .appendingPathComponent("install-\(UUID().uuidString)", isDirectory: true)
  }

  /// What the profile says of the installation, with the log in a folder.
  private func install(_ folder: URL, isAsked: Bool = true, app: String? = "com.example.notes")
    throws -> String?
  {
    try profile { bench in
      bench.options.directory = folder
      bench.options.statesInstallation = isAsked
      bench.alter = { process, _ in process.information["CFBundleIdentifier"] = app }
    }.install
  }

  @Test func theInstallationHasANumberIfTheAppAsksForIt() throws {
    let (one, other) = (scratch(), scratch())
    defer { for folder in [one, other] { try? FileManager.default.removeItem(at: folder) } }
    #expect(try install(one, isAsked: false) == nil)
    #expect(!FileManager.default.fileExists(atPath: one.path))

    let number = try #require(try install(one))
    #expect(number.count == 16 && number.allSatisfy(\.isHexDigit))
    #expect(try install(one) == number)
    #expect(try install(one, app: "com.example.other") != number)
    #expect(try install(other) != number)
    #expect(try install(other, app: nil) == nil)
    // It is no file of the log, and is not sent as one.
    #expect(try TraceFiles(one).all() == [])
  }

  @Test func aNumberThatCannotBeReadIsNotMadeAnew() throws {
    let folder = scratch()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("installation-com.example.notes")
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    #expect(try install(folder) == nil)

    // What is no number was not written by this library.
    try FileManager.default.removeItem(at: file)
    try Data("9F2B".utf8).write(to: file)
    let number = try #require(try install(folder))
    #expect(number.count == 16 && number != "9F2B")
    #expect(try install(folder) == number)
  }

  /// The last profile of a life of an app with scenes.
  private func profile(
    _ alter: @escaping (inout LifeBench) -> Void = { _ in }
  ) throws -> Profile {
    var bench = LifeBench(.scene, seed: 0)
    alter(&bench)
    let trace = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 1)
    }
    let last = try #require(trace.events.last { $0.verb == .profile })
    return Profile(trace.vocabulary.attributes(last.attributes))
  }

  @Test func itSaysWhatIsWatchedAndWhatTheAppHas() throws {
    let profile = try profile()
    #expect(
      profile.hooks == [
        .appDelegate, .sceneDelegate, .appNotifications, .sceneNotifications, .tasks, .process,
      ])
    let implemented = TracedApp(seed: 0).implemented
    #expect(Set(profile.implements?.map(\.rawValue) ?? []) == implemented)
    #expect(profile.attributes[.missed] == nil)
  }

  /// As those of SwiftUI are, whether its delegate answers how a scene is made or names no class.
  @Test(arguments: [0, 1] as [UInt64], [true, false])
  func anAppThatUsesScenesWithoutAManifestHasScenes(seed: UInt64, watches: Bool) throws {
    var bench = LifeBench(.scene, seed: seed)
    bench.options.watchesMethods = watches
    bench.alter = { process, _ in process.information["UIApplicationSceneManifest"] = nil }
    let trace = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 1)
    }

    let last = try #require(trace.events.last { $0.verb == .profile })
    #expect(Profile(trace.vocabulary.attributes(last.attributes)).mode == .scene)
  }

  @Test func anAppOfWhichNoScenesAreSeenHasNone() throws {
    let trace = try LifeBench(.app, seed: 0).recorded { driver in
      driver.launch()
      driver.run(for: 1)
    }
    let profiles = trace.events.filter { $0.verb == .profile }
    #expect(!profiles.isEmpty)
    for event in profiles {
      #expect(Profile(trace.vocabulary.attributes(event.attributes)).mode == .app)
    }
  }

  @Test func whatIsOffIsNotAmongTheHooks() throws {
    #expect(
      try profile { $0.options.watchesMethods = false }.hooks == [
        .appNotifications, .sceneNotifications, .process,
      ])
    #expect(
      try profile { $0.options.watchesNotifications = false }.hooks == [
        .appDelegate, .sceneDelegate, .tasks, .process,
      ])

    #expect(
      try profile {
        $0.options.watchesMethods = false
        $0.options.watchesNotifications = false
        $0.options.alsoRecords = [.data]
      }.hooks == [.data, .process])
  }

  @Test func whatCannotBeWatchedIsNamed() throws {
    let profile = try profile { bench in
      bench.alter = { process, system in
        system.runtime.unwatchable = ["applicationWillTerminate:", "application:openURL:options:"]
      }
    }
    #expect(profile.attributes[.missed]?.contains("application:openURL:options:") == true)
    #expect(profile.implements?.contains(.applicationOpenURL) == false)
  }

  @Test func aTaskIsRecordedWithoutHooksToo() throws {
    var bench = LifeBench(.app, seed: 0)
    bench.options.watchesMethods = false
    let trace = try bench.recorded { driver in
      driver.launch()
      // As the app's own code.
      driver.application?.async("upload") {
        let tracing = LifecycleTracing.current
        let task = tracing?.beginBackgroundTask(withName: "upload") {}
        #expect(task != .invalid)
        if let task { tracing?.endBackgroundTask(task) }
      }
      driver.run(for: 1)
    }

    let tasks = trace.events.filter { $0.verb == .taskBegin || $0.verb == .taskEnd }
    #expect(tasks.map(\.verb) == [.taskBegin, .taskEnd])
    #expect(tasks.allSatisfy { $0.subject == .task(1) })
  }

  @Test func aTaskIsRecordedOnceWhereItsEndCannotBeWatched() throws {
    var bench = LifeBench(.app, seed: 0)
    bench.alter = { process, system in system.runtime.unwatchable = ["endBackgroundTask:"] }
    let trace = try bench.recorded { driver in
      driver.launch()
      driver.application?.async("upload") {
        let tracing = LifecycleTracing.current
        let task = tracing?.beginBackgroundTask(withName: "upload") {}
        if let task { tracing?.endBackgroundTask(task) }
      }
      driver.run(for: 1)
    }

    let tasks = trace.events.filter { $0.verb == .taskBegin || $0.verb == .taskEnd }
    #expect(tasks.map(\.verb) == [.taskBegin, .taskEnd])
    #expect(tasks.allSatisfy { $0.subject == .task(1) })
  }

  /// A URL may hold what is private.
  @Test func ofAURLTheSchemeIsRecorded() throws {
    let bench = LifeBench(.app, seed: 0)
    let url = try #require(URL(string: "notes://secret/token"))
    let trace = try bench.recorded { driver in
      driver.launch()
      driver.run(for: 1)
      driver.openURL(url)
      driver.run(for: 1)
    }
    let delivery = try #require(trace.events.first { $0.verb == .deliver })
    #expect(trace.vocabulary.text(delivery.label) == "notes:")
  }
}
