import AnalysisTestSupport
import AppLifecycle
import Foundation
import LifecycleModel
import Testing
import TraceLog

/// What virtual time promises: determinism, order, standing still while suspended, and speed.
@MainActor @Suite struct TimeTests {
  private func bytes(seed: UInt64) throws -> [UInt8] {
    var session = try RandomSession(seed: seed)
    session.run()
    try session.app.driver.finish()
    return session.app.driver.bytes
  }

  @Test func equalSeedsGiveEqualBytes() throws {
    for seed in UInt64(0)..<8 {
      #expect(try bytes(seed: seed) == bytes(seed: seed))
    }
    #expect(try bytes(seed: 1) != bytes(seed: 2))
  }

  @Test func instantsAreDistinctAndSequencesDense() throws {
    var session = try RandomSession(seed: 5)
    session.run()
    let trace = try session.app.trace()
    #expect(zip(trace.events, trace.events.dropFirst()).allSatisfy { $0.instant < $1.instant })
    for writer in [WriterID.system, .main] {
      let sequences = trace.events.filter { $0.writer == writer }.map(\.sequence)
      #expect(sequences == Array(1...UInt64(sequences.count)))
    }
    #expect(!trace.events.contains { $0.verb == .gap })
  }

  /// While the process is suspended timers wait, and work stands still.
  @Test func nothingRunsWhileSuspended() throws {
    var fired: [Nanoseconds] = []
    var done: Nanoseconds?
    var hosted: HostedApp?
    let app = try HostedApp(
      .app,
      behaviour: [
        .applicationDidEnterBackground: { application, _ in
          application.scheduledTimer(withTimeInterval: 20, repeats: false, label: "late") { _ in
            fired.append(hosted?.driver.now ?? 0)
          }
          application.perform(.network, "transfer", taking: 10) { done = hosted?.driver.now }
        }
      ])

    hosted = app
    app.driver.launch()
    app.driver.run(for: 1)
    app.driver.goHome()
    app.driver.run(until: .seconds(100))
    #expect(app.driver.isSuspended && fired == [] && done == nil)
    app.driver.launch()
    app.driver.run(for: 30)

    // The timer was due long ago: it fires at once. The transfer had about five seconds left to go.
    #expect(fired.count == 1 && 100..<100.1 ~= Double(fired[0]) / 1e9)
    #expect(104..<106 ~= Double(try #require(done)) / 1e9)
  }

  /// A timer that was late fires once, and then again when it would have without the delay; the process
  /// is suspended some five seconds after it has left the screen.
  @Test func repeatingTimersKeepTheirPhase() throws {
    var fired: [Double] = []
    var hosted: HostedApp?
    let app = try HostedApp(
      .app,
      behaviour: [
        .applicationDidFinishLaunching: { application, _ in
          application.scheduledTimer(withTimeInterval: 10, repeats: true, label: "tick") { _ in
            fired.append(Double(hosted?.driver.now ?? 0) / 1e9)
            if fired.count == 1 { application.spend(4) }
          }
        }
      ])

    hosted = app
    app.driver.launch()
    app.driver.run(for: 25)
    app.driver.goHome()
    app.driver.run(until: .seconds(96))
    app.driver.launch()
    app.driver.run(until: .seconds(121))
    #expect(fired.map { $0.rounded() } == [10, 20, 30, 96, 100, 110, 120])
  }

  /// What an app keeps for itself, a cycle say, keeps neither the driver nor its recording.
  @Test func nothingIsKeptByAnAppThatLeaks() throws {
    weak var driver: LifecycleDriver?
    do {
      let app = try HostedApp(
        .app,
        behaviour: [
          .applicationDidFinishLaunching: { application, _ in
            application.register(forTaskWithIdentifier: "refresh") { task in
              task.expirationHandler = { task.setTaskCompleted(success: false) }
            }
            application.observe(.applicationDidBecomeActive, label: "leak") { _ in
              _ = application.applicationState
            }
            application.scheduledTimer(withTimeInterval: 1, repeats: true, label: "leak") { _ in
              _ = application.applicationState
            }
          }
        ])
      app.driver.launch()
      app.driver.launchBackgroundTask("refresh")
      app.driver.run(for: 5)
      driver = app.driver
      try app.driver.finish()
    }
    #expect(driver == nil)
  }

  /// Thirty days of ordinary use: forty visits a day, pushes, fetches, nights; in this thread's own
  /// time, which a busy machine does not lengthen.
  @Test func thirtyDaysTakeLessThanTenSeconds() throws {
    let start = secondsOfThisThread()
    let session = try RandomSession(seed: 30)
    let driver = session.app.driver
    for day in 0..<30 {
      for visit in 0..<40 {
        driver.launch()
        for _ in 0..<10 {
          driver.run(for: 6)
          driver.touch()
        }
        driver.goHome()
        if visit % 4 == 0 { driver.deliverPush() }
        driver.run(until: .seconds(Int64(day * 86_400 + 28_800 + visit * 1200)))
      }
      driver.lock()
      driver.deliverFetch()
      driver.run(until: .seconds(Int64((day + 1) * 86_400)))
      driver.unlock()
    }

    #expect(driver.now >= .seconds(30 * 86_400))
    let trace = try session.app.trace()
    #expect(trace.events.count > 30_000)
    #expect(secondsOfThisThread() - start < 10)
  }

  /// How long this thread has run.
  private func secondsOfThisThread() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func notificationsHaveUIKitsObjects() throws {
    var objects: [ObjectIdentifier] = []
    var expected: [ObjectIdentifier] = []
    let app = try HostedApp(
      .scene,
      behaviour: [
        .sceneWillResignActive: { application, scene in
          guard let scene else { return }
          expected = [ObjectIdentifier(scene), ObjectIdentifier(application)]
          application.listen(.sceneWillDeactivate) {
            objects += $1.map { [ObjectIdentifier($0)] } ?? []
          }
          application.listen(.applicationWillResignActive, object: application) {
            objects += $1.map { [ObjectIdentifier($0)] } ?? []
          }
          application.listen(.applicationWillResignActive, object: scene) { _, _ in
            Issue.record("the notification is about the app")
          }
        }
      ])

    app.driver.launch()
    app.driver.goHome()
    #expect(objects == expected && objects.count == 2)
  }
}
