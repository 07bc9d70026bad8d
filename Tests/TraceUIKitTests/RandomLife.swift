import AppLifecycle
import Foundation
import LifecycleModel
import Traces

/// Some hours of an app's life, by a seed: what the user and the system do.
@MainActor
struct RandomLife {
  private var chance: SeededGenerator
  private let driver: LifecycleDriver

  init(_ driver: LifecycleDriver, seed: UInt64) {
    self.driver = driver
    chance = SeededGenerator(seed: seed &+ 1_000_003)
  }

  /// Lets it be lived, and at the end opens the app and leaves it once.
  mutating func run(actions: Int = 30) {
    begin()
    for _ in 0..<actions {
      act()
      wait()
    }

    driver.unlock()
    driver.endInterruption()
    driver.launch()
    driver.run(for: 2)
    driver.goHome()
    driver.run(for: 60)
  }

  /// Lets a life be lived that nothing ends.
  mutating func runQuietly(actions: Int = 12) {
    driver.launch()
    for _ in 0..<actions {
      driver.run(for: Double.random(in: 1...20, using: &chance))
      switch Int.random(in: 0..<9, using: &chance) {
      case 0: driver.goHome()
      case 1, 5: driver.launch()
      case 2: driver.interrupt()
      case 3: driver.endInterruption()
      case 4: driver.openScene()
      case 6: driver.deliverPush()
      case 7: driver.launchBackgroundTask("refresh")
      default: driver.memoryWarning()
      }
    }

    driver.endInterruption()
    driver.launch()
    driver.run(for: 1)
    driver.goHome()
    driver.run(for: 30)
  }

  private mutating func begin() {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: driver.deliverPush()
    case 1: driver.prewarm()
    case 2: driver.deliverFetch()
    case 3: driver.openURL(URL(fileURLWithPath: "/a note"))
    default: driver.launch()
    }
    wait()
  }

  private mutating func wait() {
    let longest: Double = chance.oneIn(6) ? 90 : 5
    driver.run(for: Double.random(in: 0.01...longest, using: &chance))
  }

  private mutating func act() {
    let scene = driver.application?.connectedScenes.randomElement(using: &chance)?.number ?? 0
    let action = Int.random(in: 0..<38, using: &chance)
    switch action {
    case 0...4: driver.launch()
    case 5...7: driver.goHome()
    case 8: driver.interrupt()
    case 9: driver.endInterruption()
    case 10: driver.openSwitcher()
    case 11: driver.closeSwitcher()
    case 12: driver.killFromSwitcher()
    case 13, 14: driver.lock()
    case 15, 16: driver.unlock()
    case 17, 18: driver.openScene()
    case 19: driver.closeScene(scene)
    case 20: driver.reclaimScene(scene)
    case 21: driver.connectScene(.external)
    case 22: driver.disconnectScene(.external)
    default: deliver(action, scene)
    }
  }

  private mutating func deliver(_ action: Int, _ scene: UInt32) {
    switch action {
    case 23: driver.deliverPush()
    case 24: driver.deliverFetch()
    case 25: driver.deliverURLSession("transfer")
    case 26: driver.memoryWarning()
    case 27: driver.significantTimeChange()
    case 28: driver.openURL(URL(fileURLWithPath: "/a note"))
    case 29: driver.continueActivity(UserActivity(activityType: "reading"))
    case 30: driver.performShortcut(ShortcutItem(type: "new note"))
    case 31: driver.leaveScene(scene)
    case 32: driver.returnToScene(scene)
    case 33: driver.connectScene(chance.oneIn(2) ? .carplay : .other)
    case 34: driver.disconnectScene(chance.oneIn(2) ? .carplay : .other)
    case 35: driver.launchBackgroundTask("refresh")
    case 36: driver.launchBackgroundTask("cleanup")
    default: chance.oneIn(2) ? driver.crash() : driver.endForSystem()
    }
  }
}
