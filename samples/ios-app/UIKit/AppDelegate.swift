import TraceUIKit
import UIKit

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
  override init() {
    super.init()
    LifecycleTracing.start()
  }

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
}
