/// Documents about launch, order, aggregation and identity.
extension Citation {
  static let launchSequence = Citation("D-launch", "About the app launch sequence")
  static let finishLaunchingNotification = Citation(
    "D-nfin", "UIApplication: didFinishLaunchingNotification")
  static let registerBackgroundTask = Citation(
    "D-bgreg", "BGTaskScheduler: register(forTaskWithIdentifier:using:launchHandler:)")
  static let launchTime = Citation("X-launch", "Reducing your app's launch time")
  static let sceneMigration = Citation(
    "D-tn3187", "TN3187: Migrating to the UIKit scene-based life cycle")
  static let applicationState = Citation("D-appstate", "UIApplication: applicationState")
  static let discardedSessions = Citation(
    "D-discard", "UIApplicationDelegate: application(_:didDiscardSceneSessions:)")
  static let sceneDidEnterBackground = Citation(
    "D-sdeb", "UISceneDelegate: sceneDidEnterBackground(_:)")
  static let appWillEnterForegroundNotification = Citation(
    "D-nappwef", "UIApplication: willEnterForegroundNotification")
  static let hangs = Citation("X-hang", "Understanding hangs in your app")
  static let responsiveness = Citation(
    "X-hang2", "Analyzing responsiveness issues in your shipping app")
  static let sceneUpdateKill = Citation(
    "P-pasteb", "pastebin dCFXi3vv: a scene-update watchdog kill after 10.00 s")
  static let appStartTracker = Citation(
    "I-sentry", "getsentry/sentry-cocoa: SessionTracker, SentryAppStartTracker")
  static let prewarmPauses = Citation(
    "sentry#1897", "getsentry/sentry-cocoa#1897: hours between viewDidLoad and viewWillAppear")
  static let delegateOrderIOS12 = Citation(
    "B-recours", "recoursive.com 2019-03-14: delegate invocation order, iOS 12.1")
  static let delegateOrderIOS10 = Citation(
    "B-jigarm", "medium.com @jigarm: delegate order with push, iOS 10")
  static let delegateConditions = Citation(
    "B-csdn8529841", "CSDN 8529841: when app callbacks come")
  static let foregroundNeverActive = Citation(
    "G-sfdc3679", "forcedotcom/SalesforceMobileSDK-iOS#3679: an AirPlay scene is never active")
  static let activationNotPosted = Citation(
    "I-bugsnag-feature", "bugsnag/bugsnag-cocoa: features/release/breadcrumbs.feature")
  static let disconnectBeforeTerminate = Citation(
    "G-ffx12622", "mozilla-mobile/firefox-ios#12622")
  static let sceneDelegateObserving = Citation("SAP", "SAP SDK: SceneDelegateObserving")
  static let sceneNotes = Citation("onmyway133#580", "onmyway133/blog#580: scene delegate notes")
  static let configurationOrder = Citation(
    "xprem#255", "xprem#255, quoting the page: called shortly before creating a new scene")
  static let doubleObservers = Citation(
    "G-ns11268", "NativeScript/NativeScript#11268: resume and suspend fire twice")
  static let resignOfEachScene = Citation(
    "G-brave8247", "brave/brave-ios#8247: the resign signal comes for every scene")
  static let sceneCrosstalk = Citation("flutter#187987", "flutter/flutter#187987")
}
