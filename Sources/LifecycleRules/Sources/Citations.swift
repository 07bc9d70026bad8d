import TraceAnalysis

// The documents that the rules, the limits and the causes of death rest on, by publisher.

/// Apple's reference and articles about UIKit, scenes and background tasks.
extension Citation {
  static let s0 = Citation("S0", "UIApplicationDelegate: applicationWillResignActive(_:)")
  static let s1 = Citation("S1", "UISceneDelegate: sceneWillResignActive(_:)")
  static let s2 = Citation("S2", "UIScene: willDeactivateNotification")
  static let s3 = Citation("S3", "UIKit: About the background execution sequence")
  static let s4 = Citation("S4", "UIApplicationDelegate: applicationDidEnterBackground(_:)")
  static let appLifeCycle = Citation(
    "D-life", "Managing your app's life cycle", page: "uikit/managing-your-app-s-life-cycle")
  static let backgroundPreparation = Citation(
    "D-bgprep", "Preparing your UI to run in the background")
  static let extendingBackgroundTime = Citation(
    "D-ext", "Extending your app's background execution time",
    page: "uikit/extending-your-app-s-background-execution-time")
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
  static let sceneDidBecomeActive = Citation("D-sdba", "UISceneDelegate: sceneDidBecomeActive(_:)")
  static let sceneDidDisconnect = Citation("D-sdisc", "UISceneDelegate: sceneDidDisconnect(_:)")
  static let sceneWillConnectNotification = Citation("D-nconn", "UIScene: willConnectNotification")
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
  static let launchSequence = Citation("D-launch", "About the app launch sequence")
  static let finishLaunchingNotification = Citation(
    "D-nfin", "UIApplication: didFinishLaunchingNotification")
  static let registerBackgroundTask = Citation(
    "D-bgreg", "BGTaskScheduler: register(forTaskWithIdentifier:using:launchHandler:)")
  static let sceneMigration = Citation(
    "D-tn3187", "TN3187: Migrating to the UIKit scene-based life cycle",
    page: "technotes/tn3187-migrating-to-the-uikit-scene-based-life-cycle")
  static let applicationState = Citation("D-appstate", "UIApplication: applicationState")
  static let discardedSessions = Citation(
    "D-discard", "UIApplicationDelegate: application(_:didDiscardSceneSessions:)")
  static let sceneDidEnterBackground = Citation(
    "D-sdeb", "UISceneDelegate: sceneDidEnterBackground(_:)")
  static let appWillEnterForegroundNotification = Citation(
    "D-nappwef", "UIApplication: willEnterForegroundNotification")
  static let protectedData = Citation(
    "D-prot", "UIApplicationDelegate: applicationProtectedDataWillBecomeUnavailable(_:)")
  static let keychainAccess = Citation(
    "D-keychain", "Restricting keychain item accessibility",
    page: "security/restricting-keychain-item-accessibility")
  static let backgroundModes = Citation(
    "X-bgmodes", "Configuring background execution modes",
    page: "xcode/configuring-background-execution-modes")
  static let backgroundTimeRemaining = Citation("D-btr", "UIApplication: backgroundTimeRemaining")
  static let remoteNotification = Citation(
    "D-push30",
    "UIApplicationDelegate: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)")
  static let backgroundStrategies = Citation(
    "D-bgstrat", "Choosing Background Strategies for Your App",
    page: "backgroundtasks/choosing-background-strategies-for-your-app")
  static let backgroundTransfers = Citation(
    "D-bgurl", "Downloading files in the background",
    page: "foundation/downloading-files-in-the-background")
  static let requestTimeout = Citation(
    "D-urltimeout", "URLSessionConfiguration: timeoutIntervalForRequest, 60 s by default")
}

/// Apple's articles about crashes, hangs and launches.
extension Citation {
  static let killCodes = Citation("X-kill", "EXC_CRASH (SIGKILL)", page: "xcode/sigkill")
  static let watchdog = Citation(
    "X-wd", "Addressing watchdog terminations", page: "xcode/addressing-watchdog-terminations")
  static let reducingTerminations = Citation(
    "X-red", "Reducing terminations in your app", page: "xcode/reducing-terminations-in-your-app")
  static let launchTime = Citation(
    "X-launch", "Reducing your app's launch time", page: "xcode/reducing-your-app-s-launch-time")
  static let hangs = Citation(
    "X-hang", "Understanding hangs in your app", page: "xcode/understanding-hangs-in-your-app")
  static let responsiveness = Citation(
    "X-hang2", "Analyzing responsiveness issues in your shipping app",
    page: "xcode/analyzing-responsiveness-issues-in-your-shipping-app")
  static let resourceLimits = Citation("X-res", "EXC_RESOURCE")
  static let jetsamReports = Citation(
    "X-jet", "Identifying high-memory use with jetsam event reports",
    page: "xcode/identifying-high-memory-use-with-jetsam-event-reports")
}

/// Apple's developer forums.
extension Citation {
  static let backgroundTaskNotes = Citation(
    "Q-bg", "Quinn (DTS): UIApplication Background Task Notes, forums thread 85066")
  static let backgroundLimits = Citation(
    "Q-lim", "Quinn (DTS): iOS Background Execution Limits, forums thread 685525")
  static let sceneOrderThread = Citation(
    "F-732170", "Forums thread 732170: Unexpected order of scene delegate method calls")
  static let spriteKit = Citation(
    "F-678745", "Forums thread 678745: SpriteKit commits GPU work in the background")
  static let backgroundTimeOnX = Citation(
    "F-391799", "Forums message 391799: background time on iPhone X; DBL_MAX")
  static let watchCodes = Citation("F-208952", "Forums thread 208952: 0xc51bad0x on watchOS 3.1")
}

/// Issues and pull requests of apps and libraries.
extension Citation {
  static let doubleActivation = Citation(
    "G-radar21113", "lionheart/openradar-mirror#21113: didBecomeActive twice on iOS 11 and 12")
  static let sceneNotificationsWithoutScenes = Citation(
    "G-sfdc3330", "forcedotcom/SalesforceMobileSDK-iOS#3330")
  static let prewarmPauses = Citation(
    "sentry#1897", "getsentry/sentry-cocoa#1897: hours between viewDidLoad and viewWillAppear")
  static let foregroundNeverActive = Citation(
    "G-sfdc3679", "forcedotcom/SalesforceMobileSDK-iOS#3679: an AirPlay scene is never active")
  static let disconnectBeforeTerminate = Citation("G-ffx12622", "mozilla-mobile/firefox-ios#12622")
  static let sceneNotes = Citation("onmyway133#580", "onmyway133/blog#580: scene delegate notes")
  static let configurationOrder = Citation(
    "xprem#255", "xprem#255, quoting the page: called shortly before creating a new scene")
  static let doubleObservers = Citation(
    "G-ns11268", "NativeScript/NativeScript#11268: resume and suspend fire twice")
  static let resignOfEachScene = Citation(
    "G-brave8247", "brave/brave-ios#8247: the resign signal comes for every scene")
  static let uploadsCut = Citation(
    "nextcloud#2647", "nextcloud/ios#2647: large uploads fail silently in the background")
  static let uploadLost = Citation(
    "cloudinary#48", "cloudinary/cloudinary_ios#48: uploads break as the app is suspended")
  static let sessionHandlerNotCalled = Citation(
    "flutter_downloader#414",
    "fluttercommunity/flutter_downloader#414: the completion handler is never called")
  static let sessionHandlerOffMain = Citation(
    "AFNetworking#2076",
    "AFNetworking/AFNetworking#2076: the completion handler is called on the main thread")
  static let methodsWithoutCalls = Citation(
    "flutter#170178", "flutter/flutter#170178: app delegate methods that are not called with scenes"
  )
  static let methodsToMove = Citation(
    "kickstarter#2994", "kickstarter/ios-oss#2994: the life cycle moves to the scene delegate")
  static let methodsLeftBehind = Citation(
    "home-assistant#1012", "home-assistant/iOS#1012: app lifecycle methods not invoked on iOS 13")
  static let sceneCrosstalk = Citation("flutter#187987", "flutter/flutter#187987")
  static let catalystExit = Citation("home-assistant#1344", "home-assistant/iOS#1344")
  static let taskAlwaysSucceeds = Citation("noop#654", "ryanbr/noop#654")
  static let taskGuardLeaks = Citation("noop#1111", "ryanbr/noop#1111")
  static let snapshotStyle = Citation(
    "FloatingPanel#228", "scenee/FloatingPanel#228: the snapshot flips the appearance")
  static let noTerminate = Citation(
    "mixpanel#52", "mixpanel/mixpanel-iphone#52: willTerminate never comes")
  static let mixpanelTasks = Citation("mixpanel#3", "mixpanel/mixpanel-iphone#3")
  static let launchKill = Citation(
    "firebase#5463", "firebase/firebase-ios-sdk#5463: scene-create after 19.62 s")
  static let exitKill = Citation("Lockbox#63", "granoff/Lockbox#63: process-exit after 5.00 s")
  static let backgroundFetchExpiry = Citation(
    "RN-fetch#270", "transistorsoft/react-native-background-fetch#270")
  static let terminateWithoutCall = Citation(
    "WebDriverAgent#1005", "facebookarchive/WebDriverAgent#1005: terminate() calls nobody")
  static let backgroundLaunchDeaths = Citation(
    "HockeySDK#254", "bitstadium/HockeySDK-iOS#254: background launches taken for deaths")
  static let emptyKeychainBeforeUnlock = Citation(
    "luka#134", "kylebshr/luka-ios#134: signed out after a launch before the first unlock")
  static let filesBeforeUnlock = Citation(
    "RevenueCat#4623", "RevenueCat/purchases-ios#4623: a new user after a launch while locked")
  static let keychainInBackground = Citation(
    "KeychainAccess#509", "kishikawakatsumi/KeychainAccess#509: no keychain in the background")
  static let passcodeLoop = Citation(
    "DMPasscode#9", "D-32/DMPasscode#9: Touch ID in didBecomeActive asks without end")
  static let biometricLoop = Citation(
    "BiometricAuthentication#46", "rushisangani/BiometricAuthentication#46: an endless loop")
  static let faceIDResigns = Citation(
    "ledger-live#2838", "LedgerHQ/ledger-live#2838: the Face ID prompt makes the app inactive")
  static let timersInForeground = Citation(
    "iPokeGo#294", "istornz/iPokeGo#294: a timer more at each return to the foreground")
  static let audioWithoutMode = Citation(
    "Swift-Radio#134", "analogcode/Swift-Radio-Pro#134: playback stops with the app")
  static let socketsOfSuspendedApps = Citation(
    "CocoaAsyncSocket#77", "robbiehanson/CocoaAsyncSocket#77: SIGPIPE in suspended apps")
  static let socketsReclaimed = Citation(
    "SwiftyPing#15", "samiyr/SwiftyPing#15: the socket is reclaimed at the suspension")
}

/// Sources that apps and libraries are built from, and the system's own.
extension Citation {
  static let uikitOnWindows = Citation("I-win32", "compnerd/swift-win32, a UIKit for Windows")
  static let appStartTracker = Citation(
    "I-sentry", "getsentry/sentry-cocoa: SessionTracker, SentryAppStartTracker")
  static let activationNotPosted = Citation(
    "I-bugsnag-feature", "bugsnag/bugsnag-cocoa: features/release/breadcrumbs.feature")
  static let sceneDelegateObserving = Citation("SAP", "SAP SDK: SceneDelegateObserving")
  static let bugsnagHangs = Citation("I-bugsnag", "bugsnag/bugsnag-cocoa: BSGRunContext.m")
  static let watchdogLogic = Citation(
    "I-sentry-wt", "getsentry/sentry-cocoa: SentryWatchdogTerminationLogic.swift")
  static let appStateTracker = Citation("I-kscrash", "kstenerud/KSCrash: KSCrashAppStateTracker.m")
  static let runningBoardCodes = Citation(
    "X-runningboard", "RunningBoard's termination codes, as HangTracer lists them")
  static let deadlockMonitor = Citation("KSCrash", "kstenerud/KSCrash: KSCrashMonitor_Deadlock")
  static let exitReasons = Citation(
    "K-reason", "xnu: bsd/sys/reason.h and kern_memorystatus.h, namespaces and reasons")
  static let signalPage = Citation("M-signal", "Manual page signal(3)")
}

/// Posts, notes and pages elsewhere, and this project.
extension Citation {
  static let logFormat = Citation("format", "The log's own format: Gaps")
  static let sceneUpdateKill = Citation(
    "P-pasteb", "pastebin dCFXi3vv: a scene-update watchdog kill after 10.00 s")
  static let delegateOrderIOS12 = Citation(
    "B-recours", "recoursive.com 2019-03-14: delegate invocation order, iOS 12.1")
  static let delegateOrderIOS10 = Citation(
    "B-jigarm", "medium.com @jigarm: delegate order with push, iOS 10")
  static let delegateConditions = Citation("B-csdn8529841", "CSDN 8529841: when app callbacks come")
  static let oldWatchdogTable = Citation(
    "P-cn417", "cnblogs 417460188dy 3678112: an older watchdog table")
  static let legacyCodes = Citation(
    "K-codes", "Developer notes that list 0xdeadfa11 and 0xbaaaaaad")
}
