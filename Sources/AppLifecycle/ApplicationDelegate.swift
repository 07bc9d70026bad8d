import LifecycleModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The methods by which an app hears of its life; UIApplicationDelegate's, and each may be left out.
///
/// In an app with scenes the four methods about the foreground and being active are not called.
@MainActor
public protocol ApplicationDelegate: AnyObject {
  /// The launch has begun; false when the URL of the launch cannot be handled.
  func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool
  /// The launch is almost done; false when the URL of the launch cannot be handled.
  func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool
  /// The app has become active.
  func applicationDidBecomeActive(_ application: Application)
  /// The app is about to become inactive.
  func applicationWillResignActive(_ application: Application)
  /// The app is in the background; it has about five seconds to return.
  func applicationDidEnterBackground(_ application: Application)
  /// The app is about to enter the foreground.
  func applicationWillEnterForeground(_ application: Application)
  /// The app is about to terminate; it has about five seconds to return.
  func applicationWillTerminate(_ application: Application)
  /// The system is short of memory.
  func applicationDidReceiveMemoryWarning(_ application: Application)
  /// A new day, another time zone, or a clock that was set.
  func applicationSignificantTimeChange(_ application: Application)
  /// The protected files are about to become unavailable.
  func applicationProtectedDataWillBecomeUnavailable(_ application: Application)
  /// The protected files are available.
  func applicationProtectedDataDidBecomeAvailable(_ application: Application)
  /// How a new scene is to be made.
  func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration
  /// The user has closed scenes for good, now or while the app was not running.
  func application(_ application: Application, didDiscardSceneSessions sessions: [SceneSession])
  /// The app is asked to open a URL; false when it cannot.
  func application(_ application: Application, open url: URL) -> Bool
  /// The app is asked to continue an activity; false when it cannot.
  func application(_ application: Application, continue activity: UserActivity) -> Bool
  /// A push notification has arrived; the handler is to be called within 30 s.
  func application(
    _ application: Application, didReceiveRemoteNotification userInfo: [String: String],
    fetchCompletionHandler: @escaping @MainActor () -> Void)
  /// Transfers of a background session have ended; the handler is to be called when all is done.
  func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @MainActor () -> Void)
  /// It is time to fetch; the handler is to be called within 30 s.
  func application(
    _ application: Application, performFetchWithCompletionHandler: @escaping @MainActor () -> Void)
  /// The user has chosen a quick action; the handler is to be called when it is done.
  ///
  /// In an app with scenes the scene is called instead.
  func application(
    _ application: Application, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void)
}

extension ApplicationDelegate {
  /// Goes on.
  public func application(
    _ application: Application, willFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool { true }
  /// Goes on.
  public func application(
    _ application: Application, didFinishLaunchingWithOptions options: LaunchOptions
  ) -> Bool { true }
  /// Does nothing.
  public func applicationDidBecomeActive(_ application: Application) {}
  /// Does nothing.
  public func applicationWillResignActive(_ application: Application) {}
  /// Does nothing.
  public func applicationDidEnterBackground(_ application: Application) {}
  /// Does nothing.
  public func applicationWillEnterForeground(_ application: Application) {}
  /// Does nothing.
  public func applicationWillTerminate(_ application: Application) {}
  /// Does nothing.
  public func applicationDidReceiveMemoryWarning(_ application: Application) {}
  /// Does nothing.
  public func applicationSignificantTimeChange(_ application: Application) {}
  /// Does nothing.
  public func applicationProtectedDataWillBecomeUnavailable(_ application: Application) {}
  /// Does nothing.
  public func applicationProtectedDataDidBecomeAvailable(_ application: Application) {}
  /// Makes a scene without a delegate.
  public func application(
    _ application: Application, configurationForConnecting session: SceneSession,
    options: ConnectionOptions
  ) -> SceneConfiguration { SceneConfiguration(name: "default", role: session.role) }
  /// Does nothing.
  public func application(
    _ application: Application, didDiscardSceneSessions sessions: [SceneSession]
  ) {}
  /// Opens nothing.
  public func application(_ application: Application, open url: URL) -> Bool { false }
  /// Continues nothing.
  public func application(_ application: Application, continue activity: UserActivity) -> Bool {
    false
  }
  /// Has nothing to fetch.
  public func application(
    _ application: Application, didReceiveRemoteNotification userInfo: [String: String],
    fetchCompletionHandler: @escaping @MainActor () -> Void
  ) { fetchCompletionHandler() }
  /// Has nothing to do.
  public func application(
    _ application: Application, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping @MainActor () -> Void
  ) { completionHandler() }
  /// Has nothing to fetch.
  public func application(
    _ application: Application, performFetchWithCompletionHandler: @escaping @MainActor () -> Void
  ) { performFetchWithCompletionHandler() }
  /// Has nothing to do.
  public func application(
    _ application: Application, performActionFor shortcutItem: ShortcutItem,
    completionHandler: @escaping @MainActor () -> Void
  ) { completionHandler() }
}

/// Why the app was launched, as its delegate learns it.
public struct LaunchOptions: Sendable {
  /// The reason.
  public var reason: LaunchReason
  /// The URL that the app was launched to open; in an app with scenes the scene gets it instead.
  public var url: URL?
  /// The quick action that the app was launched for; in an app with scenes the scene gets it instead.
  public var shortcutItem: ShortcutItem?

  /// Makes options.
  public init(reason: LaunchReason, url: URL? = nil, shortcutItem: ShortcutItem? = nil) {
    self.reason = reason
    self.url = url
    self.shortcutItem = shortcutItem
  }
}

/// What a user was doing, to be continued elsewhere.
public struct UserActivity: Hashable, Sendable {
  /// The kind of activity, in reverse domain form.
  public var activityType: String

  /// Makes an activity.
  public init(activityType: String) { self.activityType = activityType }
}

/// A quick action of the home screen; UIApplicationShortcutItem.
public struct ShortcutItem: Hashable, Sendable {
  /// The kind of action, as the app names it.
  public var type: String

  /// Makes a quick action.
  public init(type: String) { self.type = type }
}

/// A notification that the user has tapped; UNNotificationResponse.
public struct NotificationResponse: Hashable, Sendable {
  /// The identifier of the notification.
  public var identifier: String

  /// Makes a response.
  public init(identifier: String) { self.identifier = identifier }
}
