import TraceUIKit
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?

  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession,
    options connectionOptions: UIScene.ConnectionOptions
  ) {
    guard let scene = scene as? UIWindowScene else { return }
    let window = UIWindow(windowScene: scene)
    window.rootViewController = ShareViewController()
    window.makeKeyAndVisible()
    self.window = window
  }

  func sceneDidEnterBackground(_ scene: UIScene) {
    // The bug: nobody ends the task.
    _ = UIApplication.shared.beginBackgroundTask(withName: "upload")
  }
}

/// A button that shares the log.
final class ShareViewController: UIViewController {
  override func viewDidLoad() {
    super.viewDidLoad()
    let action = UIAction(title: "Share the log") { [weak self] _ in self?.share() }
    let button = UIButton(configuration: .filled(), primaryAction: action)
    button.center = view.center
    button.sizeToFit()
    view.addSubview(button)
  }

  private func share() {
    let sheet = UIActivityViewController(
      activityItems: LifecycleTracing.files(), applicationActivities: nil)
    sheet.popoverPresentationController?.sourceView = view
    present(sheet, animated: true)
  }
}
