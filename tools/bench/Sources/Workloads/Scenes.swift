import AppLifecycle

/// An app of four scenes that works much: on four threads, with timers, locks and tasks.
@MainActor
enum ScenesWorkload {
  static func write(_ count: Int, _ seed: UInt64, to path: String) throws {
    try FilledLife.write(count, seed, to: path, share: 8, app: { PlayedApp($0) }) { life in
      life.driver.launch()
      life.wait(1...5)
      life.openScenes(4)
      for _ in 0..<Int.random(in: 1...4, using: &life.chance) {
        act(&life)
        life.wait(5...40)
      }
      life.driver.goHome()
      life.wait(10...200)
    }
  }

  private static func act(_ life: inout PlayedLife) {
    let driver = life.driver
    let scene = life.anyScene()
    switch Int.random(in: 0..<3, using: &life.chance) {
    case 0:
      driver.interrupt()
      life.wait(0.5...3)
      driver.endInterruption()
    case 1:
      driver.leaveScene(scene)
      life.wait(1...20)
      driver.returnToScene(scene)
    default: driver.touch(scene: scene)
    }
  }
}
