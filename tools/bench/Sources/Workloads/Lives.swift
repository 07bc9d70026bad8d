import AppLifecycle

/// Transitions, callbacks, notifications, background tasks, snapshots and suspensions of an app of two
/// scenes, process after process, and hardly any work.
///
/// The driver of AppLifecycle plays it, so that order and delays are those that UIKit documents.
@MainActor
enum LivesWorkload {
  static func write(_ count: Int, _ seed: UInt64, to path: String) throws {
    var life = try PlayedLife(seed, to: path) { PlayedApp($0) }
    try life.play(count) { cycle(&$0) }
  }

  /// From the home screen into the app and back, and some time asleep; one process in ten ends there.
  private static func cycle(_ life: inout PlayedLife) {
    life.driver.launch()
    life.wait(1...20)
    life.openScenes(2)
    for _ in 0..<Int.random(in: 1...5, using: &life.chance) {
      act(&life)
      life.wait(0.2...15)
    }

    life.driver.goHome()
    life.wait(1...900)
    if life.chance.oneIn(4) { life.driver.deliverPush() }
    life.wait(40...900)
    if life.chance.oneIn(10) {
      life.chance.oneIn(2) ? life.driver.killFromSwitcher() : life.driver.endForSystem()
    }
  }

  /// Something that leaves the app on screen in the end.
  private static func act(_ life: inout PlayedLife) {
    let driver = life.driver
    let scene = life.anyScene()
    switch Int.random(in: 0..<7, using: &life.chance) {
    case 0, 1:
      driver.interrupt()
      life.wait(0.5...30)
      driver.endInterruption()
    case 2:
      driver.openSwitcher()
      life.wait(0.5...5)
      driver.closeSwitcher()
    case 3:
      driver.lock()
      life.wait(1...600)
      driver.unlock()
    case 4, 5:
      driver.leaveScene(scene)
      life.wait(0.5...30)
      driver.returnToScene(scene)
    default: driver.memoryWarning()
    }
  }
}
