/// A document that a rule rests on.
public struct Citation: Hashable, Sendable {
  /// The short key of the catalogue's source table, such as `S0`.
  public let key: String
  /// The page title, or where the issue or post stands.
  public let title: String

  init(_ key: String, _ title: String) {
    self.key = key
    self.title = title
  }
}

extension Citation {
  static let s0 = Citation("S0", "UIApplicationDelegate: applicationWillResignActive(_:)")
  static let s1 = Citation("S1", "UISceneDelegate: sceneWillResignActive(_:)")
  static let s2 = Citation("S2", "UIScene: willDeactivateNotification")
  static let s3 = Citation("S3", "UIKit: About the background execution sequence")
  static let s4 = Citation("S4", "UIApplicationDelegate: applicationDidEnterBackground(_:)")
  static let appLifeCycle = Citation("D-life", "Managing your app's life cycle")
  static let backgroundPreparation = Citation(
    "D-bgprep", "Preparing your UI to run in the background")
  static let extendingBackgroundTime = Citation(
    "D-ext", "Extending your app's background execution time")
  static let didEnterBackground = Citation(
    "D-deb", "UIApplicationDelegate: applicationDidEnterBackground(_:), 2026 edition")
  static let willEnterForeground = Citation(
    "D-wef", "UIApplicationDelegate: applicationWillEnterForeground(_:)")
  static let didBecomeActive = Citation(
    "D-dba", "UIApplicationDelegate: applicationDidBecomeActive(_:)")
  static let willTerminate = Citation(
    "D-term", "UIApplicationDelegate: applicationWillTerminate(_:)")
  static let sceneWillEnterForeground = Citation(
    "D-swef", "UISceneDelegate: sceneWillEnterForeground(_:)")
  static let sceneDidBecomeActive = Citation(
    "D-sdba", "UISceneDelegate: sceneDidBecomeActive(_:)")
  static let sceneDidDisconnect = Citation("D-sdisc", "UISceneDelegate: sceneDidDisconnect(_:)")
  static let sceneWillConnectNotification = Citation(
    "D-nconn", "UIScene: willConnectNotification")
  static let sceneWillEnterForegroundNotification = Citation(
    "D-nwef", "UIScene: willEnterForegroundNotification")
  static let activationState = Citation("D-actstate", "UIScene.ActivationState")
  static let beginBackgroundTask = Citation(
    "D-begin", "UIApplication: beginBackgroundTask(withName:expirationHandler:)")
  static let endBackgroundTask = Citation("D-end", "UIApplication: endBackgroundTask(_:)")
  static let metalInBackground = Citation(
    "D-metal", "Preparing your Metal app to run in the background")
  static let continuedProcessing = Citation(
    "D-bgcont", "Performing long-running tasks on iOS and iPadOS")
  static let killCodes = Citation("X-kill", "EXC_CRASH (SIGKILL)")
  static let watchdog = Citation("X-wd", "Addressing watchdog terminations")
  static let reducingTerminations = Citation("X-red", "Reducing terminations in your app")
  static let backgroundTaskNotes = Citation(
    "Q-bg", "Quinn (DTS): UIApplication Background Task Notes, forums thread 85066")
  static let backgroundLimits = Citation(
    "Q-lim", "Quinn (DTS): iOS Background Execution Limits, forums thread 685525")
  static let sceneOrderThread = Citation(
    "F-732170", "Forums thread 732170: Unexpected order of scene delegate method calls")
  static let doubleActivation = Citation(
    "G-radar21113", "lionheart/openradar-mirror#21113: didBecomeActive twice on iOS 11 and 12")
  static let sceneNotificationsWithoutScenes = Citation(
    "G-sfdc3330", "forcedotcom/SalesforceMobileSDK-iOS#3330")
  static let uikitOnWindows = Citation("I-win32", "compnerd/swift-win32, a UIKit for Windows")
  static let logFormat = Citation("format", "The log's own format: Gaps")
}
