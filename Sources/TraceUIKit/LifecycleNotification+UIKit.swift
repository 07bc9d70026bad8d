#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel
  import UIKit

  extension LifecycleNotification {
    /// UIKit's constant.
    @MainActor var name: Notification.Name {
      switch self {
      case .applicationDidFinishLaunching: UIApplication.didFinishLaunchingNotification
      case .applicationDidBecomeActive: UIApplication.didBecomeActiveNotification
      case .applicationWillResignActive: UIApplication.willResignActiveNotification
      case .applicationDidEnterBackground: UIApplication.didEnterBackgroundNotification
      case .applicationWillEnterForeground: UIApplication.willEnterForegroundNotification
      case .applicationWillTerminate: UIApplication.willTerminateNotification
      case .applicationDidReceiveMemoryWarning: UIApplication.didReceiveMemoryWarningNotification
      case .applicationSignificantTimeChange: UIApplication.significantTimeChangeNotification
      case .applicationProtectedDataWillBecomeUnavailable:
        UIApplication.protectedDataWillBecomeUnavailableNotification
      case .applicationProtectedDataDidBecomeAvailable:
        UIApplication.protectedDataDidBecomeAvailableNotification
      case .applicationBackgroundRefreshStatusDidChange:
        UIApplication.backgroundRefreshStatusDidChangeNotification
      case .sceneWillConnect: UIScene.willConnectNotification
      case .sceneDidDisconnect: UIScene.didDisconnectNotification
      case .sceneWillEnterForeground: UIScene.willEnterForegroundNotification
      case .sceneDidActivate: UIScene.didActivateNotification
      case .sceneWillDeactivate: UIScene.willDeactivateNotification
      case .sceneDidEnterBackground: UIScene.didEnterBackgroundNotification
      }
    }
  }
#endif
