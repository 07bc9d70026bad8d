#if canImport(UIKit) && !os(watchOS)
  import LifecycleModel
  import UIKit

  #if canImport(os)
    import os
  #endif

  /// The delegates' calls as intervals in Instruments, beside the log.
  ///
  /// Nothing is done while no tool records signposts.
  @MainActor
  final class Signposts {
    private let signposter = OSSignposter(subsystem: "dev.tracectl", category: "lifecycle")
    private var open: [UInt64: OSSignpostIntervalState] = [:]

    /// A call is entered.
    func begin(_ callback: Callback, _ number: UInt64) {
      guard signposter.isEnabled else { return }
      open[number] = signposter.beginInterval(
        callback.signpost, id: signposter.makeSignpostID())
    }

    /// It has returned.
    func end(_ callback: Callback, _ number: UInt64) {
      guard let state = open.removeValue(forKey: number) else { return }
      signposter.endInterval(callback.signpost, state)
    }
  }

  extension Callback {
    /// The callback's name, as an interval has it: in the binary, and not made at run time.
    var signpost: StaticString {
      switch self {
      case .applicationWillFinishLaunching: "applicationWillFinishLaunching"
      case .applicationDidFinishLaunching: "applicationDidFinishLaunching"
      case .applicationDidBecomeActive: "applicationDidBecomeActive"
      case .applicationWillResignActive: "applicationWillResignActive"
      case .applicationDidEnterBackground: "applicationDidEnterBackground"
      case .applicationWillEnterForeground: "applicationWillEnterForeground"
      case .applicationWillTerminate: "applicationWillTerminate"
      case .applicationDidReceiveMemoryWarning: "applicationDidReceiveMemoryWarning"
      case .applicationSignificantTimeChange: "applicationSignificantTimeChange"
      case .applicationProtectedDataWillBecomeUnavailable:
        "applicationProtectedDataWillBecomeUnavailable"
      case .applicationProtectedDataDidBecomeAvailable:
        "applicationProtectedDataDidBecomeAvailable"
      case .applicationConfigurationForConnecting: "applicationConfigurationForConnecting"
      case .applicationDidDiscardSceneSessions: "applicationDidDiscardSceneSessions"
      case .applicationOpenURL: "applicationOpenURL"
      case .applicationContinueUserActivity: "applicationContinueUserActivity"
      case .applicationDidReceiveRemoteNotification: "applicationDidReceiveRemoteNotification"
      case .applicationHandleEventsForBackgroundURLSession:
        "applicationHandleEventsForBackgroundURLSession"
      case .applicationPerformFetch: "applicationPerformFetch"
      case .applicationPerformActionForShortcutItem: "applicationPerformActionForShortcutItem"
      case .sceneWillConnect: "sceneWillConnect"
      case .sceneDidDisconnect: "sceneDidDisconnect"
      case .sceneWillEnterForeground: "sceneWillEnterForeground"
      case .sceneDidBecomeActive: "sceneDidBecomeActive"
      case .sceneWillResignActive: "sceneWillResignActive"
      case .sceneDidEnterBackground: "sceneDidEnterBackground"
      case .sceneOpenURLContexts: "sceneOpenURLContexts"
      case .sceneContinueUserActivity: "sceneContinueUserActivity"
      case .sceneStateRestorationActivity: "sceneStateRestorationActivity"
      case .windowScenePerformActionForShortcutItem: "windowScenePerformActionForShortcutItem"
      }
    }
  }
#endif
