import Foundation

/// UIKit's protocol.
///
/// Its methods are optional there. Here one method stands for all that have no result, and what a class
/// implements is what ``StubRuntime`` is told.
@MainActor package protocol UIApplicationDelegate: NSObjectProtocol {
  /// Any method without a result; the selector says which one.
  func called(_ selector: String, _ application: UIApplication)
  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration
  /// Any method with a completion handler.
  func called(
    _ selector: String, _ application: UIApplication,
    completionHandler: @escaping @MainActor @Sendable () -> Void)
}

/// UIKit's protocol, as ``UIApplicationDelegate`` is.
@MainActor package protocol UISceneDelegate: NSObjectProtocol {
  /// Any method without a result.
  func called(_ selector: String, _ scene: UIScene)
  /// Any method with a completion handler.
  func called(
    _ selector: String, _ scene: UIScene,
    completionHandler: @escaping @MainActor @Sendable () -> Void)
}

/// A class that the system can make an object of, as it can of every class of Apple's.
@MainActor package protocol StubMakeable: UISceneDelegate { init() }
