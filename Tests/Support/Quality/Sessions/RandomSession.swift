import AppLifecycle
import Foundation
import LifecycleModel
import TraceAnalysis
import Traces

/// Some hours of an app's life, by a seed: actions of the user and the system, and what the app does.
@MainActor
public struct RandomSession {
  /// A way to misbehave, with the rule that finds it.
  package struct Misbehaviour {
    /// The rule's slug.
    package let rule: String
    /// The kinds of app that can misbehave in this way.
    package let modes: [Profile.Mode]
    /// What the app does, besides all that it does well.
    package let behaviour: @MainActor (inout [Callback: HostedApp.Behaviour]) -> Void

    /// Something that an app of these modes does, and the rule that is to find it.
    package init(
      rule: String, modes: [Profile.Mode],
      behaviour: @escaping @MainActor (inout [Callback: HostedApp.Behaviour]) -> Void
    ) {
      self.rule = rule
      self.modes = modes
      self.behaviour = behaviour
    }
  }

  /// The app, with its driver.
  package let app: HostedApp
  private var generator: SeededGenerator
  private let mode: Profile.Mode
  private static let places = ["notes", "images", "index"]

  /// An app with scenes or without, whose handlers do what the documents advise.
  public init(seed: UInt64) throws { try self.init(seed: seed, nil) }

  /// The same, but for `misbehaviour`.
  package init(seed: UInt64, _ misbehaviour: Misbehaviour?) throws {
    var generator = SeededGenerator(seed: seed)
    mode =
      misbehaviour.map { $0.modes[Int(seed % UInt64($0.modes.count))] }
      ?? (generator.oneIn(2) ? .app : .scene)
    var behaviour = RandomSession.goodBehaviour(generator)
    misbehaviour?.behaviour(&behaviour)
    app = try HostedApp(mode, behaviour: behaviour) { options in
      options.seed = seed
      options.varies = true
      options.isMultiScene = true
    }
    self.generator = generator
  }

  /// Lets the user and the system do what they like, and at the end opens the app and leaves it once,
  /// so that every handler has run.
  public mutating func run(actions: Int = 24) {
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: app.driver.deliverPush()
    case 1: app.driver.deliverLocation()
    case 2: app.driver.prewarm()
    case 3: app.driver.deliverFetch()
    case 4: app.driver.openURL(URL(fileURLWithPath: "/a note"))
    default: app.driver.launch()
    }

    wait()
    for _ in 0..<actions {
      act()
      wait()
    }

    app.driver.unlock()
    app.driver.endInterruption()
    app.driver.disconnectScene(.carplay)
    app.driver.launch()
    app.driver.run(for: 5)
    app.driver.touch()
    app.driver.run(for: 5)
    app.driver.goHome()
    app.driver.run(for: 120)
  }

  /// What was recorded; nothing more can happen after it.
  public func trace() throws -> Trace { try app.trace() }

  private mutating func wait() {
    let longest: Double = generator.oneIn(4) ? 900 : 8
    app.driver.run(for: Double.random(in: 0.01...longest, using: &generator))
  }

  private mutating func act() {
    let driver = app.driver
    let scene = driver.application?.connectedScenes.randomElement(using: &generator)?.number ?? 0
    switch Int.random(in: 0..<38, using: &generator) {
    case 0...3: driver.launch()
    case 4...6: driver.goHome()
    case 7: driver.interrupt()
    case 8: driver.endInterruption()
    case 9: driver.openSwitcher()
    case 10: driver.closeSwitcher()
    case 11: if generator.oneIn(3) { driver.killFromSwitcher() }
    case 12: driver.lock()
    case 13, 14: driver.unlock()
    case 15, 16:
      // One to four scenes.
      if driver.application?.connectedScenes.count ?? 0 < 4 { driver.openScene() }
    case 17: driver.closeScene(scene)
    case 18: driver.reclaimScene(scene)
    case 19: driver.connectScene(.external)
    case 20: driver.disconnectScene(.external)
    case 21: driver.deliverPush()
    case 22: driver.deliverLocation()
    case 23: generator.oneIn(2) ? driver.deliverFetch() : driver.deliverURLSession("transfer")
    case 24: driver.memoryWarning()
    case 25: driver.significantTimeChange()
    case 26:
      // Nobody tells a reboot from a kill, so this one happens where a kill is no surprise.
      if generator.oneIn(4), driver.state == .background || driver.isSuspended {
        driver.reboot()
      } else {
        driver.endForSystem()
      }
    case 27: driver.launchBackgroundTask("refresh")
    case 28: driver.openURL(URL(fileURLWithPath: "/a note"))
    case 29, 30: driver.leaveScene(scene)
    case 31, 32: driver.returnToScene(scene)
    case 33: driver.connectScene([.carplay, .other].randomElement(using: &generator) ?? .other)
    case 34: driver.disconnectScene([.carplay, .other].randomElement(using: &generator) ?? .other)
    case 35: driver.performShortcut(ShortcutItem(type: "new note"))
    case 36: driver.openNotification(NotificationResponse(identifier: "reminder"))
    default: driver.touch()
    }
  }

  // MARK: An app that behaves

  /// What the handlers of a good app do, each some of it, by chance.
  private static func goodBehaviour(_ chance: SeededGenerator) -> [Callback: HostedApp.Behaviour] {
    let habits = Habits(chance)
    var behaviour: [Callback: HostedApp.Behaviour] = [:]
    behaviour[.applicationDidFinishLaunching] = { application, _ in
      application.register(forTaskWithIdentifier: "refresh") { task in
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        application.perform(.network, "refresh", taking: habits.seconds(2)) {
          task.setTaskCompleted(success: true)
        }
      }
      application.onInput { scene in habits.edit(application, scene) }
      application.spend(habits.seconds(0.2))
    }

    for callback in [Callback.applicationDidBecomeActive, .sceneDidBecomeActive] {
      behaviour[callback] = { habits.begin($0, $1) }
    }
    for callback in [Callback.applicationWillResignActive, .sceneWillResignActive] {
      behaviour[callback] = { habits.quiet($0, $1) }
    }

    for callback in [Callback.applicationDidEnterBackground, .sceneDidEnterBackground] {
      behaviour[callback] = { habits.tidy($0, $1) }
    }
    behaviour[.sceneDidDisconnect] = { habits.quiet($0, $1) }
    behaviour[.applicationWillTerminate] = { application, _ in
      application.spend(habits.seconds(0.2))
    }
    return behaviour
  }
}

/// The habits of a good app: what it begins when it is active it has ended when it no longer is.
@MainActor
private final class Habits {
  private var chance: SeededGenerator
  private var timers: [Subject: AppTimer] = [:]
  private var edited: Set<Subject> = []
  /// Where the last edit was left to the timer, or to leaving: the next one is saved at once.
  private var postponed: Set<Subject> = []

  init(_ chance: SeededGenerator) { self.chance = chance }

  /// Up to `most` seconds.
  func seconds(_ most: Double) -> Double { Double.random(in: 0.001...most, using: &chance) }

  private func subject(_ scene: Scene?) -> Subject { scene.map { .scene($0.number) } ?? .app }

  func begin(_ application: Application, _ scene: Scene?) {
    timers[subject(scene)]?.invalidate()
    timers[subject(scene)] = application.scheduledTimer(
      withTimeInterval: seconds(60) + 2, repeats: true, label: "autosave", scene: scene
    ) { [weak self] _ in self?.save(application, scene) }
    application.work(.frame, scene: scene)
  }

  func edit(_ application: Application, _ scene: Scene?) {
    let subject = subject(scene)
    application.dirty("note", scene: scene)
    edited.insert(subject)
    application.spend(seconds(0.05))
    if postponed.remove(subject) != nil || chance.oneIn(3) {
      save(application, scene)
    } else {
      postponed.insert(subject)
    }
  }

  private func save(_ application: Application, _ scene: Scene?) {
    guard edited.remove(subject(scene)) != nil else { return }
    application.acquire(.lock, "note.db", scene: scene)
    application.spend(seconds(0.02))
    application.saved("note", scene: scene)
    application.release(.lock, "note.db", scene: scene)
  }

  func quiet(_ application: Application, _ scene: Scene?) {
    timers.removeValue(forKey: subject(scene))?.invalidate()
    save(application, scene)
  }

  func tidy(_ application: Application, _ scene: Scene?) {
    // Time is asked for before the work, and given back when it is done.
    var task = BackgroundTaskIdentifier.invalid
    task = application.beginBackgroundTask(withName: "upload") {
      application.endBackgroundTask(task)
      task = .invalid
    }
    application.spend(seconds(0.2))
    application.async("upload") { [weak self] in
      application.perform(.network, "upload", taking: self?.seconds(1) ?? 0) {
        guard task != .invalid else { return }
        application.endBackgroundTask(task)
      }
    }
  }
}
