import LifecycleModel

/// A method that is watched: UIKit's selector and the words of a trace.
///
/// A method that an app does not implement is not watched and never added: UIKit asks a delegate for its
/// methods when it is set, and goes another way when it has one.
struct DelegateMethod: Hashable, Sendable {
  /// Objective-C's name of the method.
  let selector: String
  let callback: Callback
  /// The argument, from 1, that is a completion handler; 0 when there is none.
  var handler: UInt32 = 0
  /// What the system hands over with the call.
  var delivery: Delivery?

  /// The methods of the app's delegate.
  static let application: [DelegateMethod] = [
    DelegateMethod(
      "application:willFinishLaunchingWithOptions:", .applicationWillFinishLaunching),
    DelegateMethod("application:didFinishLaunchingWithOptions:", .applicationDidFinishLaunching),
    DelegateMethod("applicationDidBecomeActive:", .applicationDidBecomeActive),
    DelegateMethod("applicationWillResignActive:", .applicationWillResignActive),
    DelegateMethod("applicationDidEnterBackground:", .applicationDidEnterBackground),
    DelegateMethod("applicationWillEnterForeground:", .applicationWillEnterForeground),
    DelegateMethod("applicationWillTerminate:", .applicationWillTerminate),
    DelegateMethod("applicationDidReceiveMemoryWarning:", .applicationDidReceiveMemoryWarning),
    DelegateMethod("applicationSignificantTimeChange:", .applicationSignificantTimeChange),
    DelegateMethod(
      "applicationProtectedDataWillBecomeUnavailable:",
      .applicationProtectedDataWillBecomeUnavailable),
    DelegateMethod(
      "applicationProtectedDataDidBecomeAvailable:", .applicationProtectedDataDidBecomeAvailable),
    DelegateMethod(
      "application:configurationForConnectingSceneSession:options:",
      .applicationConfigurationForConnecting),
    DelegateMethod(
      "application:didDiscardSceneSessions:", .applicationDidDiscardSceneSessions),
    DelegateMethod("application:openURL:options:", .applicationOpenURL, delivers: .url),
    DelegateMethod(
      "application:continueUserActivity:restorationHandler:", .applicationContinueUserActivity,
      delivers: .activity),
    DelegateMethod(
      "application:handleEventsForBackgroundURLSession:completionHandler:",
      .applicationHandleEventsForBackgroundURLSession, handler: 3, delivers: .urlsession),
    DelegateMethod(
      "application:performFetchWithCompletionHandler:", .applicationPerformFetch, handler: 2,
      delivers: .fetch),
    DelegateMethod(
      "application:performActionForShortcutItem:completionHandler:",
      .applicationPerformActionForShortcutItem, handler: 3, delivers: .shortcut),
    push,
  ]

  /// The App Store takes an app in which it finds this selector for one that uses push notifications: it
  /// is not written in one piece.
  private static let push = DelegateMethod(
    ["application:didReceive", "RemoteNotification:fetchCompletionHandler:"].joined(),
    .applicationDidReceiveRemoteNotification, handler: 3, delivers: .push)

  /// The methods of a scene's delegate.
  static let scene: [DelegateMethod] = [
    DelegateMethod("scene:willConnectToSession:options:", .sceneWillConnect),
    DelegateMethod("sceneDidDisconnect:", .sceneDidDisconnect),
    DelegateMethod("sceneWillEnterForeground:", .sceneWillEnterForeground),
    DelegateMethod("sceneDidBecomeActive:", .sceneDidBecomeActive),
    DelegateMethod("sceneWillResignActive:", .sceneWillResignActive),
    DelegateMethod("sceneDidEnterBackground:", .sceneDidEnterBackground),
    DelegateMethod("scene:openURLContexts:", .sceneOpenURLContexts, delivers: .url),
    DelegateMethod(
      "scene:continueUserActivity:", .sceneContinueUserActivity, delivers: .activity),
    DelegateMethod("stateRestorationActivityForScene:", .sceneStateRestorationActivity),
    DelegateMethod(
      "windowScene:performActionForShortcutItem:completionHandler:",
      .windowScenePerformActionForShortcutItem, handler: 3, delivers: .shortcut),
  ]

  /// All of them; a method's place is the token that it is watched under.
  static let all = application + scene

  /// The token of the method.
  var token: UInt32 { UInt32(DelegateMethod.all.firstIndex(of: self) ?? 0) }

  private init(
    _ selector: String, _ callback: Callback, handler: UInt32 = 0,
    delivers delivery: Delivery? = nil
  ) {
    (self.selector, self.callback) = (selector, callback)
    (self.handler, self.delivery) = (handler, delivery)
  }
}
