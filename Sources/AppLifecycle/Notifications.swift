import Foundation
import LifecycleModel

/// The notifications of the app, under UIKit's names; the object is the application.
extension Application {
  /// The app has finished launching.
  public static nonisolated let didFinishLaunchingNotification = LifecycleNotification
    .applicationDidFinishLaunching.foundationName
  /// The app has become active.
  public static nonisolated let didBecomeActiveNotification = LifecycleNotification
    .applicationDidBecomeActive.foundationName
  /// The app is about to become inactive.
  public static nonisolated let willResignActiveNotification = LifecycleNotification
    .applicationWillResignActive.foundationName
  /// The app is in the background.
  public static nonisolated let didEnterBackgroundNotification = LifecycleNotification
    .applicationDidEnterBackground.foundationName
  /// The app is about to enter the foreground.
  public static nonisolated let willEnterForegroundNotification = LifecycleNotification
    .applicationWillEnterForeground.foundationName
  /// The app is about to terminate.
  public static nonisolated let willTerminateNotification = LifecycleNotification
    .applicationWillTerminate.foundationName
  /// The system is short of memory.
  public static nonisolated let didReceiveMemoryWarningNotification = LifecycleNotification
    .applicationDidReceiveMemoryWarning.foundationName
  /// A new day, another time zone, or a clock that was set.
  public static nonisolated let significantTimeChangeNotification = LifecycleNotification
    .applicationSignificantTimeChange.foundationName
  /// The protected files are about to become unavailable.
  public static nonisolated let protectedDataWillBecomeUnavailableNotification =
    LifecycleNotification.applicationProtectedDataWillBecomeUnavailable.foundationName
  /// The protected files are available.
  public static nonisolated let protectedDataDidBecomeAvailableNotification = LifecycleNotification
    .applicationProtectedDataDidBecomeAvailable.foundationName
}

/// The notifications of scenes, under UIKit's names; the object is the scene.
extension Scene {
  /// The scene is added to the app.
  public static nonisolated let willConnectNotification = LifecycleNotification
    .sceneWillConnect.foundationName
  /// The scene was removed from the app.
  public static nonisolated let didDisconnectNotification = LifecycleNotification
    .sceneDidDisconnect.foundationName
  /// The scene is about to be on screen.
  public static nonisolated let willEnterForegroundNotification = LifecycleNotification
    .sceneWillEnterForeground.foundationName
  /// The scene is active.
  public static nonisolated let didActivateNotification = LifecycleNotification
    .sceneDidActivate.foundationName
  /// The scene is about to resign the active state.
  public static nonisolated let willDeactivateNotification = LifecycleNotification
    .sceneWillDeactivate.foundationName
  /// The scene is no longer on screen.
  public static nonisolated let didEnterBackgroundNotification = LifecycleNotification
    .sceneDidEnterBackground.foundationName
}

extension LifecycleNotification {
  /// The name under which UIKit posts it.
  ///
  /// Its constants' raw strings are their Objective-C names: `UIApplication.didBecomeActiveNotification`
  /// is `UIApplicationDidBecomeActiveNotification`. Those of protected data end without
  /// "Notification".
  public var foundationName: Notification.Name {
    let parts = rawValue.split(separator: ".")
    let (type, name) = (parts[0], parts[1])
    var text = type + name.prefix(1).uppercased() + name.dropFirst()
    if name.hasPrefix("protectedData") { text.removeLast("Notification".count) }
    return Notification.Name(String(text))
  }
}
