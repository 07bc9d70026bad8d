import AnalysisTestSupport
import AppLifecycle
import LifecycleModel
import TestTime
import Testing

/// What one handler does wrong, its rule finds, every time.
@MainActor @Suite struct MisbehaviourTests {
  static let seeds = Nightly.seeds(4, all: 100)

  private typealias Misbehaviour = RandomSession.Misbehaviour

  /// Something more that the app does when it becomes active, resigns, or enters the background.
  private static func also(
    _ rule: String, _ modes: [Profile.Mode] = [.app, .scene], on callbacks: [Callback],
    _ body: @escaping HostedApp.Behaviour
  ) -> Misbehaviour {
    Misbehaviour(rule: rule, modes: modes) { behaviour in
      for callback in callbacks {
        let good = behaviour[callback]
        behaviour[callback] = { application, scene in
          good?(application, scene)
          body(application, scene)
        }
      }
    }
  }

  private static let active: [Callback] = [.applicationDidBecomeActive, .sceneDidBecomeActive]
  private static let background: [Callback] = [
    .applicationDidEnterBackground, .sceneDidEnterBackground,
  ]

  private static let all: [Misbehaviour] = [
    also("budget-did-enter-background", on: background) { application, _ in
      application.spend(3.5)
    },
    also("budget-did-enter-background", on: background) { application, _ in
      application.spend(6)
    },
    also("work-timer-while-inactive", on: active) { application, scene in
      application.scheduledTimer(
        withTimeInterval: 1, repeats: true, label: "tick", scene: scene
      ) { _ in }
    },
    also("work-gpu-in-background", on: background) { application, scene in
      application.async("draw", after: 0.1) { application.work(.gpu, scene: scene) }
    },
    also("task-one-end", on: background) { application, _ in
      _ = application.beginBackgroundTask(withName: "leak") {}
    },
    also("task-one-end", on: background) { application, _ in
      let task = application.beginBackgroundTask(withName: "twice")
      application.endBackgroundTask(task)
      application.endBackgroundTask(task)
    },
    also("task-end-in-expiration", on: background) { application, _ in
      _ = application.beginBackgroundTask(withName: "forgets") { application.spend(0.1) }
    },
    also("lock-at-suspend", on: background) { application, _ in
      application.acquire(.lock, "shared.db")
    },
    also("ident-notification-object", [.scene], on: [.sceneDidBecomeActive]) { application, _ in
      application.post(.sceneWillDeactivate, object: nil)
    },
    also("notification-after-call", [.app], on: [.applicationDidBecomeActive]) {
      application, _ in
      application.async("by hand") {
        application.post(.applicationWillResignActive, object: application)
      }
    },
    also("active-alternates", [.app], on: [.applicationDidEnterBackground]) {
      application, _ in application.recorder.callback(.applicationWillResignActive) {}
    },
    also("active-alternates", [.app], on: [.applicationDidBecomeActive]) {
      application, _ in
      application.async("again") {
        application.recorder.callback(.applicationDidBecomeActive) {}
      }
    },
    also("excl-one-delegate", [.scene], on: [.sceneDidEnterBackground]) {
      application, _ in application.recorder.callback(.applicationDidEnterBackground) {}
    },
    also("active-alternates", [.scene], on: [.sceneWillEnterForeground]) {
      application, scene in
      guard let scene else { return }
      application.recorder.callback(.sceneDidBecomeActive, .scene(scene.number)) {}
    },
  ]

  @Test func allAreTried() {
    #expect(Self.all.count == 14)
  }

  @Test(arguments: 0..<14) func itIsFound(_ index: Int) throws {
    let misbehaviour = Self.all[index]
    for seed in Self.seeds {
      var session = try RandomSession(seed: seed, misbehaviour)
      session.run()
      let analysis = RandomSessionTests.analyze(try session.app.trace())
      let found = Set(analysis.allFindings.map(\.rule))
      #expect(found.contains(misbehaviour.rule), "\(misbehaviour.rule), seed \(seed): \(found)")
    }
  }
}
