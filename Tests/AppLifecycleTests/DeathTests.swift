import AnalysisTestSupport
import AppLifecycle
import Foundation
import LifecycleModel
import Testing
import TraceText

/// What the system ends a process for, when, and with which code: `spec/lifecycle.md` §3.
@MainActor @Suite struct DeathTests {
  /// The system's last word, and when: seconds since the log's origin.
  private func end(_ app: HostedApp) throws -> (line: String, at: Double) {
    let trace = try app.trace()
    let kill = try #require(trace.events.last { $0.verb == .kill })
    let words = TraceNotation.Printer(vocabulary: trace.vocabulary).line(kill)
      .split(separator: " ").dropFirst(4)
    return (words.joined(separator: " "), Double(kill.instant.nanoseconds) / 1e9)
  }

  private func span(_ app: HostedApp, from verb: Verb, _ name: Callback? = nil) throws -> Double {
    let trace = try app.trace()
    let start = try #require(
      trace.events.first { $0.verb == verb && (name == nil || $0.name == name?.symbol) })
    let kill = try #require(trace.events.last { $0.verb == .kill })
    return Double(kill.instant.nanoseconds - start.instant.nanoseconds) / 1e9
  }

  private func left(
    mode: Profile.Mode = .app, after seconds: Double = 120,
    _ behaviour: [Callback: HostedApp.Behaviour],
    _ change: (inout LifecycleDriver.Options) -> Void = { _ in }
  ) throws -> HostedApp {
    let app = try HostedApp(mode, behaviour: behaviour, change)
    app.driver.launch()
    app.driver.run(for: 1)
    app.driver.goHome()
    app.driver.run(for: seconds)
    return app
  }

  @Test func slowBackgroundCallsEndAfterFiveSeconds() throws {
    var wentOn: Bool?
    let app = try left([
      .applicationDidEnterBackground: { application, _ in
        application.spend(6)
        wentOn = application.isRunning
        application.recorder.note("from the grave")
        application.dirty("note")
      }
    ])

    #expect(wentOn == false)
    let end = try end(app)
    #expect(end.line == "code=0x8badf00d namespace=FRONTBOARD reason=scene-update")
    let span = try span(app, from: .call, .applicationDidEnterBackground)
    #expect(5..<5.1 ~= span)
    #expect(!app.driver.isRunning)

    // Nothing that the dead process does is recorded.
    #expect(try app.story().hasSuffix("reason=scene-update"))
    #expect(try app.findings() == ["budget-did-enter-background"])
  }

  /// The expiration handler runs at the end of the budget; what it leaves open ends the process.
  @Test func leakedTasksEndTheProcess() throws {
    var remaining: [Double] = []
    let app = try left([
      .applicationDidBecomeActive: { application, _ in
        remaining.append(application.backgroundTimeRemaining)
      },
      .applicationDidEnterBackground: { application, _ in
        _ = application.beginBackgroundTask(withName: "save") {
          remaining.append(application.backgroundTimeRemaining)
        }
        remaining.append(application.backgroundTimeRemaining)
      },
    ])

    #expect(
      try end(app).line == "code=0x8badf00d namespace=RUNNINGBOARD reason=background-task-assertion"
    )
    #expect(remaining.count == 3 && remaining[0] == .greatestFiniteMagnitude)
    #expect(29...30 ~= remaining[1] && remaining[2] == 0)
    #expect(30.9..<31.2 ~= (try span(app, from: .taskBegin)))

    // The same leak, as each of the rules on it sees it.
    #expect(
      try app.findings().sorted() == [
        "budget-assertion-total", "task-end-in-expiration", "task-leak-at-suspend", "task-one-end",
      ])
  }

  @Test func expirationHandlersHaveOneSecond() throws {
    let app = try left([
      .applicationDidEnterBackground: { application, _ in
        let held = HeldTask()
        held.task = application.beginBackgroundTask {
          application.spend(3)
          application.endBackgroundTask(held.task)
        }
      }
    ])

    #expect(try end(app).line.contains("background-task-assertion"))
    #expect(1..<1.1 ~= (try span(app, from: .taskExpire)))
    #expect(try !app.story().contains("task.expired"))
  }

  /// One budget a process: two tasks one after another share it, and the foreground makes it whole.
  @Test func tasksShareOneBudget() throws {
    var expired: [Int64] = []
    var app: HostedApp?
    func work(_ application: Application, _ seconds: Double, then next: @escaping () -> Void) {
      let held = HeldTask()
      held.task = application.beginBackgroundTask {
        expired.append(app?.driver.now ?? 0)
        application.endBackgroundTask(held.task)
        held.task = .invalid
      }
      application.perform(.network, "work", taking: seconds) {
        next()
        if held.task != .invalid { application.endBackgroundTask(held.task) }
      }
    }

    let hosted = try HostedApp(
      .app,
      behaviour: [
        .applicationDidEnterBackground: { application, _ in
          work(application, 20) { work(application, 20) {} }
        }
      ])

    app = hosted
    hosted.driver.launch()
    hosted.driver.run(for: 1)
    hosted.driver.goHome()
    hosted.driver.run(for: 60)
    #expect(expired.count == 1 && 30...32 ~= Double(expired[0]) / 1e9)
    // Each task is shorter than the budget; both together used it up.
    #expect(try hosted.findings() == ["budget-assertion-total"])
  }

  @Test func locksAtSuspensionEndTheProcess() throws {
    let app = try left([
      .applicationDidEnterBackground: { application, _ in application.acquire(.lock, "notes.db") }
    ])
    #expect(
      try end(app).line
        == "code=0xdead10cc namespace=RUNNINGBOARD reason=suspended-with-locked-file")
    #expect(try app.findings() == ["lock-at-suspend"])
  }

  @Test func launchesAndScreensAreWatched() throws {
    let launch = try left([.applicationDidFinishLaunching: { app, _ in app.spend(25) }])
    #expect(
      try end(launch).line.contains("code=0x8badf00d namespace=FRONTBOARD reason=scene-create"))
    #expect(20..<20.2 ~= (try end(launch).at))
    let hang = try left(
      [
        .sceneDidBecomeActive: { application, _ in
          application.async("parse", after: 0.5) { application.spend(11, "parse") }
        }
      ])

    #expect(hang.driver.isRunning)
    let stuck = try left(
      mode: .scene,
      [
        .sceneDidBecomeActive: { application, _ in
          application.async("parse", after: 0.5) { application.spend(11, "parse") }
        }
      ])
    #expect(try end(stuck).line.contains("reason=scene-update"))
    #expect(try stuck.story().contains("work.begin main-busy app \"parse\""))
  }

  @Test func terminationIsWatched() throws {
    let app = try HostedApp(
      .app, behaviour: [.applicationWillTerminate: { application, _ in application.spend(9) }])
    app.driver.launch()
    app.driver.killFromSwitcher()
    #expect(try end(app).line.contains("reason=process-exit"))
    #expect(5..<5.1 ~= (try span(app, from: .call, .applicationWillTerminate)))
  }

  @Test func deliveriesMustBeCompleted() throws {
    let app = try left([.applicationDidReceiveRemoteNotification: { _, _ in }])
    app.driver.deliverPush()
    app.driver.run(for: 60)
    #expect(try end(app).line == "code=0x2182bad4 namespace=RUNNINGBOARD reason=push-not-completed")
    #expect(30..<30.1 ~= (try span(app, from: .deliver)))
  }

  /// On screen nobody waits for a completion handler, and the process is suspended later all the same.
  @Test func anUncompletedPushOnScreenCostsNoLife() throws {
    let app = try HostedApp(
      .app, behaviour: [.applicationDidReceiveRemoteNotification: { _, _ in }])
    app.driver.launch()
    app.driver.deliverPush()
    app.driver.run(for: 60)
    app.driver.goHome()
    app.driver.run(for: 60)
    #expect(app.driver.isRunning && app.driver.isSuspended)
  }

  @Test(arguments: CrashSignal.allCases) func faultsRaiseSignals(_ signal: CrashSignal) throws {
    let app = try HostedApp(.scene)
    app.driver.launch()
    app.driver.run(for: 1)
    app.driver.crash(signal)
    #expect(!app.driver.isRunning)
    #expect(
      try end(app).line == "code=0x\(String(signal.rawValue, radix: 16)) namespace=SIGNAL")
  }

  @Test func appsExitAndPassTheirLimitOfMemory() throws {
    let exited = try left([
      .applicationDidEnterBackground: { application, _ in
        application.exit(3)
        application.dirty("note")
      }
    ])

    #expect(try exited.story().hasSuffix("- exit app status=3"))
    let killed = try left([:])
    killed.driver.passMemoryLimit()
    #expect(try end(killed).line == "code=0x7 namespace=JETSAM reason=per-process-limit")

    // A suspended process runs no code that could crash or exit.
    let suspended = try left([:])
    suspended.driver.crash()
    suspended.driver.exitProcess()
    #expect(suspended.driver.isSuspended)
  }

  /// UIKit throws, and nobody catches it.
  @Test func lateAndDoubleRegistrationsEndTheProcess() throws {
    let late = try left([
      .applicationDidBecomeActive: { application, _ in
        application.register(forTaskWithIdentifier: "refresh") { _ in }
      }
    ])

    let exception = "code=0x6 namespace=SIGNAL exception=NSInternalInconsistencyException"
    #expect(try end(late).line == exception + " reason=\"refresh is registered after the launch\"")
    let twice = try left([
      .applicationDidFinishLaunching: { application, _ in
        for _ in 0..<2 { application.register(forTaskWithIdentifier: "refresh") { _ in } }
      }
    ])

    #expect(try end(twice).line == exception + " reason=\"refresh is registered twice\"")
    let continued = try left([
      .applicationDidBecomeActive: { application, _ in
        application.register(forTaskWithIdentifier: "export", kind: .continued) { _ in }
      }
    ])
    #expect(continued.driver.isRunning)
  }

  /// What the user has begun goes on in the background until it is done.
  @Test func continuedTasksKeepTheProcessAwake() throws {
    let app = try left(
      after: 200,
      [
        .applicationDidBecomeActive: { application, _ in
          application.register(forTaskWithIdentifier: "export", kind: .continued) { task in
            application.perform(.save, "film", taking: 300) {
              task.setTaskCompleted(success: true)
            }
          }
          application.submit(continuedTaskWithIdentifier: "export")
        }
      ])

    #expect(app.driver.isRunning && !app.driver.isSuspended)
    app.driver.run(for: 200)
    #expect(app.driver.isSuspended)
    #expect(try app.story().contains("bgtask.launch export app kind=continued"))
    #expect(try app.findings() == [])
  }

  @Test func modesKeepTheProcessAwakeForWhatTheyAreFor() throws {
    func isAwake(
      _ mode: String?, _ start: @escaping @MainActor (Application) -> Void
    ) throws -> Bool {
      let app = try left([.applicationDidBecomeActive: { application, _ in start(application) }]) {
        $0.backgroundModes = mode.map { [$0] } ?? []
      }
      return app.driver.isRunning && !app.driver.isSuspended
    }

    #expect(try isAwake("audio") { $0.acquire(.audioSession, "music") })
    #expect(try isAwake("location") { $0.onLocation {} })
    #expect(try isAwake("voip") { $0.acquire(.socket, "call") })
    #expect(try !isAwake("location") { _ in })
    #expect(try !isAwake(nil) { $0.onLocation {} })
  }

  @Test func debuggersKeepTheProcessAwake() throws {
    let app = try left([:]) { $0.isDebugged = true }
    #expect(app.driver.isRunning && !app.driver.isSuspended)
  }

  @Test func tooManyTasksEndTheProcess() throws {
    let app = try left([
      .applicationDidBecomeActive: { application, _ in
        for _ in 0..<2000 { _ = application.beginBackgroundTask() }
      }
    ])
    #expect(try end(app).line.hasPrefix("code=0xbada5e47"))
    #expect(try app.trace().events.count { $0.verb == .taskBegin } == 1001)
  }

  @Test func debuggersKeepTheWatchdogAway() throws {
    let app = try left([
      .applicationDidEnterBackground: { application, _ in application.spend(60) }
    ]) { $0.isDebugged = true }
    #expect(app.driver.isRunning)
    #expect(try app.findings() == [])
  }

  /// The log goes on with the next process; no id comes twice.
  @Test func theNextProcessHasItsOwnIds() throws {
    var observed = 0
    let app = try left(
      mode: .scene,
      [
        .applicationDidFinishLaunching: { application, _ in
          application.observe(.sceneDidActivate, label: "counter") { _ in observed += 1 }
          application.scheduledTimer(withTimeInterval: 300, repeats: true, label: "old") { _ in }
        },
        .sceneDidEnterBackground: { application, _ in
          _ = application.beginBackgroundTask { application.spend(9) }
        },
      ])

    #expect(!app.driver.isRunning && observed == 1)
    app.driver.launch()
    app.driver.run(for: 1000)

    // The observers of the first process went with it, and so did its timer.
    #expect(observed == 2)
    let trace = try app.trace()
    let story = try app.story()
    #expect(story.components(separatedBy: "process.start").count == 3)
    #expect(story.contains("call sceneWillConnect scene:2"))
    #expect(story.components(separatedBy: "work timer app \"old\"").count == 4)
    #expect(
      trace.events.allSatisfy {
        $0.subject != .scene(1) || $0.instant < .init(nanoseconds: 40_000_000_000)
      })
  }
}

/// Where an app keeps its task.
@MainActor
private final class HeldTask {
  var task = BackgroundTaskIdentifier.invalid
}
