// A small document app in real time, with the bugs that NOTES_BUGS names, separated by commas: timer,
// late-save, task, lock, gpu, slow.
//
//   NOTES_BUGS=task tracectl record -o log.bin -- Notes

import AppLifecycle
import Foundation
import LifecycleModel
import TraceRecorder

/// What Notes does wrong; nothing unless the environment says so.
enum Bug: String, CaseIterable {
  /// Forgets to stop the autosave timer.
  case timer
  /// Saves only when it enters the background.
  case lateSave = "late-save"
  /// Never ends the task that covers the save.
  case task
  /// Keeps the lock on its file.
  case lock
  /// Draws once more in the background.
  case gpu
  /// Takes six seconds to enter the background.
  case slow

  static let all: Set<Bug> = {
    let names = ProcessInfo.processInfo.environment["NOTES_BUGS"] ?? ""
    return Set(names.split(separator: ",").compactMap { Bug(rawValue: String($0)) })
  }()
}

@main
struct Notes {
  @MainActor
  static func main() throws {
    var options = LifecycleDriver.Options()
    // A system that is in a hurry, so that nobody has to wait.
    options.limits.suspensionDelay = .seconds(1)
    options.limits.backgroundTasks = .seconds(30)
    let driver = try LifecycleDriver(options, log: .real(.shared)) { NotesDelegate() }
    driver.launch()
    driver.run(for: 0.3)
    driver.openScene()
    for _ in 0..<3 {
      driver.touch()
      driver.run(for: 0.2)
    }
    driver.interrupt()
    driver.run(for: 0.8)
    driver.endInterruption()
    // What is saved on the way out alone shows after three rounds.
    for _ in 0..<(Bug.all.contains(.lateSave) ? 3 : 1) {
      driver.touch()
      driver.goHome()
      driver.run(for: Bug.all.contains(.task) ? 33 : 2)
      driver.launch()
      driver.run(for: 0.3)
    }
    driver.killFromSwitcher()
  }
}

@MainActor
final class NotesDelegate: ApplicationDelegate {
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool {
    application.onInput { scene in application.dirty("note", scene: scene) }
    return true
  }

  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration {
    SceneConfiguration(name: "note", role: session.role) { NoteDelegate($0) }
  }
}

@MainActor
final class NoteDelegate: SceneDelegate {
  private let application: Application
  private var autosave: AppTimer?
  private var saveTask = BackgroundTaskIdentifier.invalid

  init(_ application: Application) { self.application = application }

  func sceneDidBecomeActive(_ scene: Scene) {
    autosave = application.scheduledTimer(
      withTimeInterval: 0.25, repeats: true, label: "autosave", scene: scene
    ) { [weak self] _ in
      if !Bug.all.contains(.lateSave) { self?.save(scene) }
    }
  }

  func sceneWillResignActive(_ scene: Scene) {
    if !Bug.all.contains(.timer) { autosave?.invalidate() }
    if !Bug.all.contains(.lateSave) { save(scene) }
  }

  func sceneDidEnterBackground(_ scene: Scene) {
    saveTask = application.beginBackgroundTask(
      withName: "save", holder: "saveTask-\(scene.number)"
    ) { [weak self] in self?.endSaveTask() }
    save(scene)
    if Bug.all.contains(.slow) { application.spend(6, "index") }
    if Bug.all.contains(.gpu) {
      application.async("thumbnail", scene: scene, after: 0.1) { [application] in
        application.work(.gpu, "thumbnail", scene: scene)
      }
    }
    application.perform(.network, "upload", scene: scene, taking: 0.3) { [weak self] in
      self?.endSaveTask()
    }
  }

  private func endSaveTask() {
    guard saveTask != .invalid, !Bug.all.contains(.task) else { return }
    application.endBackgroundTask(saveTask)
    saveTask = .invalid
  }

  private func save(_ scene: Scene) {
    let file = "note-\(scene.number).db"
    application.acquire(.lock, file, scene: scene)
    application.spend(0.01, "write")
    application.saved("note", scene: scene)
    if !Bug.all.contains(.lock) { application.release(.lock, file, scene: scene) }
  }
}
