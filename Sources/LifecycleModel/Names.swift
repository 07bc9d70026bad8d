/// The delegate callbacks, by UIKit's method names.
public enum Callback: String, WellKnown {
  case applicationWillFinishLaunching
  case applicationDidFinishLaunching
  case applicationDidBecomeActive
  case applicationWillResignActive
  case applicationDidEnterBackground
  case applicationWillEnterForeground
  case applicationWillTerminate
  case applicationDidReceiveMemoryWarning
  case applicationSignificantTimeChange
  case applicationProtectedDataWillBecomeUnavailable
  case applicationProtectedDataDidBecomeAvailable
  case applicationConfigurationForConnecting
  case applicationDidDiscardSceneSessions
  case applicationOpenURL
  case applicationContinueUserActivity
  case applicationDidReceiveRemoteNotification
  case applicationHandleEventsForBackgroundURLSession
  case applicationPerformFetch
  case applicationPerformActionForShortcutItem
  case sceneWillConnect
  case sceneDidDisconnect
  case sceneWillEnterForeground
  case sceneDidBecomeActive
  case sceneWillResignActive
  case sceneDidEnterBackground
  case sceneOpenURLContexts
  case sceneContinueUserActivity
  case sceneStateRestorationActivity
  case windowScenePerformActionForShortcutItem

  /// The hook that records this callback.
  public var hook: Hook {
    switch self {
    case .sceneWillConnect, .sceneDidDisconnect, .sceneWillEnterForeground, .sceneDidBecomeActive,
      .sceneWillResignActive, .sceneDidEnterBackground, .sceneOpenURLContexts,
      .sceneContinueUserActivity, .sceneStateRestorationActivity,
      .windowScenePerformActionForShortcutItem:
      .sceneDelegate
    default: .appDelegate
    }
  }

  /// The notification of the same thing; `nil` when UIKit posts none.
  package var notification: LifecycleNotification? {
    switch self {
    case .applicationDidFinishLaunching: .applicationDidFinishLaunching
    case .applicationDidBecomeActive: .applicationDidBecomeActive
    case .applicationWillResignActive: .applicationWillResignActive
    case .applicationDidEnterBackground: .applicationDidEnterBackground
    case .applicationWillEnterForeground: .applicationWillEnterForeground
    case .applicationWillTerminate: .applicationWillTerminate
    case .applicationDidReceiveMemoryWarning: .applicationDidReceiveMemoryWarning
    case .applicationSignificantTimeChange: .applicationSignificantTimeChange
    case .applicationProtectedDataWillBecomeUnavailable:
      .applicationProtectedDataWillBecomeUnavailable
    case .applicationProtectedDataDidBecomeAvailable: .applicationProtectedDataDidBecomeAvailable
    case .sceneWillConnect: .sceneWillConnect
    case .sceneDidDisconnect: .sceneDidDisconnect
    case .sceneWillEnterForeground: .sceneWillEnterForeground
    case .sceneDidBecomeActive: .sceneDidActivate
    case .sceneWillResignActive: .sceneWillDeactivate
    case .sceneDidEnterBackground: .sceneDidEnterBackground
    default: nil
    }
  }
}

/// The notifications of UIApplication and UIScene, by UIKit's names.
public enum LifecycleNotification: String, WellKnown {
  case applicationDidFinishLaunching = "UIApplication.didFinishLaunchingNotification"
  case applicationDidBecomeActive = "UIApplication.didBecomeActiveNotification"
  case applicationWillResignActive = "UIApplication.willResignActiveNotification"
  case applicationDidEnterBackground = "UIApplication.didEnterBackgroundNotification"
  case applicationWillEnterForeground = "UIApplication.willEnterForegroundNotification"
  case applicationWillTerminate = "UIApplication.willTerminateNotification"
  case applicationDidReceiveMemoryWarning = "UIApplication.didReceiveMemoryWarningNotification"
  case applicationSignificantTimeChange = "UIApplication.significantTimeChangeNotification"
  case applicationProtectedDataWillBecomeUnavailable =
    "UIApplication.protectedDataWillBecomeUnavailableNotification"
  case applicationProtectedDataDidBecomeAvailable =
    "UIApplication.protectedDataDidBecomeAvailableNotification"
  case applicationBackgroundRefreshStatusDidChange =
    "UIApplication.backgroundRefreshStatusDidChangeNotification"
  case sceneWillConnect = "UIScene.willConnectNotification"
  case sceneDidDisconnect = "UIScene.didDisconnectNotification"
  case sceneWillEnterForeground = "UIScene.willEnterForegroundNotification"
  case sceneDidActivate = "UIScene.didActivateNotification"
  case sceneWillDeactivate = "UIScene.willDeactivateNotification"
  case sceneDidEnterBackground = "UIScene.didEnterBackgroundNotification"

  /// The hook that records this notification.
  public var hook: Hook {
    switch self {
    case .sceneWillConnect, .sceneDidDisconnect, .sceneWillEnterForeground, .sceneDidActivate,
      .sceneWillDeactivate, .sceneDidEnterBackground:
      .sceneNotifications
    default: .appNotifications
    }
  }
}

extension Event {
  /// Whose transition it reports: a notification of UIApplication that of the app, whatever its object
  /// is; `nil` for one of UIScene that names no scene.
  package var turner: Subject? {
    guard verb == .notify || verb == .observe || verb == .observed,
      let notification = LifecycleNotification(name)
    else { return subject }
    if notification.hook == .appNotifications { return .app }
    return subjectKind == .scene ? subject : nil
  }
}

/// The categories of work.
public enum WorkCategory: String, WellKnown {
  case timer
  case frame
  case gpu
  case ui
  case input
  case dispatch
  case network
  case save
  case load
  case audio
  case location
  case camera
  case protectedFile = "protected-file"
  case keychain
  /// The system asks who the user is: Face ID, Touch ID, the passcode.
  case authentication
  case mainBusy = "main-busy"
  case other
}

/// The kinds of held resource.
public enum Resource: String, WellKnown {
  case timer
  case lock
  case file
  case camera
  case contacts
  case calendar
  case audioSession = "audio-session"
  case socket
  case bonjour
  case gpuBuffer = "gpu-buffer"
  case other
}

/// What the system hands to an app.
public enum Delivery: String, WellKnown {
  case event
  case push
  case url
  case activity
  case location
  case fetch
  case urlsession
  case bgtask
  case shortcut
  case notification
}

/// When the system lets an app read a protected file or a keychain item, as `access` says it.
public enum DataAccess: String, CaseIterable, Sendable {
  /// While the device is unlocked.
  case unlocked
  /// From the first unlock after the device was started.
  case firstUnlock = "first-unlock"
  /// At any time.
  case always
}

/// The values that a `sample` reads.
public enum SampledValue: String, WellKnown {
  case applicationState
  case backgroundTimeRemaining
  case memory
  /// How many bytes the process may still take before the system ends it.
  case availableMemory
  case frameRate
}

/// The attribute keys that the article `Events` names.
public enum AttributeKey: String, WellKnown {
  case mode
  case multiScene = "multi-scene"
  case platform
  case os
  case sdk
  case launch
  case backgroundModes = "background-modes"
  case debugger
  case simulator
  case port
  case hooks
  case clock
  case pid
  case bundle
  case session
  case role
  case options
  case by
  case task
  case handler
  case holder
  case kind
  case gpu
  /// When a protected file or a keychain item can be read: one of ``DataAccess``.
  case access
  case code
  case namespace
  case reason
  /// The file and the line of the statement that recorded the event.
  case at
  case status
  case signal
  case writer
  case from
  case to
  case within
  case line
  case allowance
  case implements
  /// Methods that the app implements, and whose calls are not recorded.
  case missed
  case marks
  case exception
  case partial
  /// What Apple's software itself says: ``TaskWarning`` of a background task, ``SystemWarning`` of the app.
  case warning
  case app
  case version
  case build
  case device
  case install
  /// The name of the app's process, where an import does not know the bundle.
  case process
}

extension AttributeKey {
  /// The keys that imported events may have besides, of which no rule asks.
  package static let ofImports = [
    "visibility", "watchdog", "cpu", "limit", "memory", "elapsed", "open", "doubt", "frame",
  ]
}

/// What UIKit says of a background task, in a `note` about it.
public enum TaskWarning: String, CaseIterable, Sendable {
  /// It was begun over 30 s ago, and is open.
  case overdue
  /// It is open after its expiration handlers were called.
  case expired
  /// Its end was refused: UIKit knows no such task, or has ended it already.
  case refused
}

/// What Apple's own software says is wrong with an app, in a `note` about the app.
public enum SystemWarning: String, CaseIterable, Sendable {
  /// Metal refused work that was submitted in the background.
  case gpuInBackground = "gpu-in-background"
  /// UIKit has called the app for a push or a fetch, and its completion handler was never called.
  case handlerNotCalled = "handler-not-called"
  /// The app does not adopt scenes.
  case noScenes = "no-scenes"
  /// The scene delegate that Info.plist names could not be loaded, or none is set.
  case noSceneDelegate = "no-scene-delegate"
  /// The process of WebKit that draws a page, or that draws for it, has gone; the app lives.
  case webContentGone = "web-content-gone"
  /// The system refused to launch the app, as one that is not installed.
  case launchRefused = "launch-refused"
  /// UIKit was called on a thread that is not the main one.
  case uiOffMain = "ui-off-main"
  /// A native module of React Native has thrown an exception, which a debug build shows and goes on.
  case moduleException = "module-exception"
  /// A tool that ran the app has lost its connection: the app may have ended.
  case connectionLost = "connection-lost"
  /// The process has passed its memory limit, and a debugger holds it.
  case memoryLimit = "memory-limit"
  /// The process has passed a limit of processor time or wakeups, which ends nothing.
  case resourceLimit = "resource-limit"
  /// MetricKit counts exits of a day that are an app's fault.
  case badExits = "bad-exits"
  /// A crash report was cut off above what says how the process ended.
  case cutReport = "cut-report"
  /// MetricKit reports that the main thread did not answer.
  case hang
  /// Somebody's text cites words with which apps stop, and nothing else.
  case citedWords = "cited-words"
  /// The process was suspended while it held files locked that the system watches.
  case lockedFiles = "locked-files"
}

/// Why a process is started, as `process.start` and the profile say it.
public enum LaunchReason: String, CaseIterable, Sendable {
  /// The user opens the app.
  case user
  /// A push notification arrives.
  case push
  /// A location arrives.
  case location
  /// The user opens a URL.
  case url
  /// A background task, a fetch or a finished transfer.
  case bgtask
  /// The system expects that the user will open the app.
  case prewarm
}
