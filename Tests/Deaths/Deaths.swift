import AppLifecycle
import Foundation
import LifecycleModel
import TraceRecorder

/// An app in real time that the system ends, for tests; its argument says what for.
///
/// The limits are short.
@main
struct Deaths {
  @MainActor
  static func main() throws {
    var options = LifecycleDriver.Options()
    options.mode = .app
    options.limits.didEnterBackground = .milliseconds(300)
    options.limits.backgroundTasks = .milliseconds(300)
    options.limits.expiration = .milliseconds(100)
    options.limits.snapshotDelay = .milliseconds(20)
    options.limits.suspensionDelay = .milliseconds(50)

    let fault = CommandLine.arguments.dropFirst().first ?? ""
    let driver = try LifecycleDriver(options, log: .real(.shared)) { Delegate(fault) }
    driver.launch()
    driver.run(for: 0.05)
    driver.goHome()
    driver.run(for: 2)
    driver.killFromSwitcher()
  }
}

@MainActor
private final class Delegate: ApplicationDelegate {
  private let fault: String

  init(_ fault: String) { self.fault = fault }

  func applicationDidEnterBackground(_ application: Application) {
    switch fault {
    case "slow": application.spend(5)
    case "stuck": while true { usleep(1000) }
    case "leak": _ = application.beginBackgroundTask(withName: "leak") {}
    case "lock": application.acquire(.lock, "shared.db")
    default: break
    }
  }
}
