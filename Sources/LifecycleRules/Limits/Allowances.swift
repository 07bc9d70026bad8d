import LifecycleModel
import TraceAnalysis

/// The limits that are documented or measured, in one place; each with who says so.
///
/// Apple publishes no fixed background seconds: all are thresholds that may change.
package enum Allowances {
  /// The time of the callback with its observers, by its pages: S4, D-deb, D-ext.
  static let didEnterBackground: Nanoseconds = .seconds(5)
  /// From here on `didEnterBackground` is worth a warning: three fifths of the limit.
  static let didEnterBackgroundWarning: Nanoseconds = .seconds(3)
  /// The time of the callback with its observers, by its page: D-term.
  static let willTerminate: Nanoseconds = .seconds(5)
  /// From here on `willTerminate` is worth a warning: three fifths of the limit.
  static let willTerminateWarning: Nanoseconds = .seconds(3)
  /// "Minimal work" is all that the pages say, S0 to S2: no document has a number.
  static let willResignActive: Nanoseconds = .seconds(1)
  /// The time after which a task was seen to expire early: F-391799.
  static let earlyExpiry: Nanoseconds = .seconds(15)
  /// The time of one expiration handler, as an Apple engineer writes: Q-bg.
  static let expirationHandler: Nanoseconds = .seconds(1)
  /// The time of all expiration handlers together, by the same engineer, who writes "a few seconds".
  static let expirationHandlers: Nanoseconds = .seconds(5)
  /// The time of a launch, measured at kills: X-wd, firebase#5463.
  static let launchToFirstFrame: Nanoseconds = .milliseconds(19_600)
  /// The time of an update of a scene, measured at a kill: P-pasteb.
  static let sceneUpdate: Nanoseconds = .seconds(10)
  /// The time of an exit, measured at kills: Lockbox#63, and firebase/firebase-ios-sdk#5707.
  static let processExit: Nanoseconds = .seconds(5)
  /// The time of a push or a fetch, by its page: D-push30.
  static let pushHandling: Nanoseconds = .seconds(30)
  /// The time of a refresh task, measured: D-bgstrat, RN-fetch#270.
  static let backgroundRefresh: Nanoseconds = .seconds(30)
  /// More bytes than this are a lot at a suspension: documents say that large apps go first, and name no size.
  static let memoryAtSuspension = 150_000_000
  /// URLSession's default timeout, by its page: D-urltimeout.
  static let requestTimeout: Nanoseconds = .seconds(60)
  /// From here on tools report a hang: X-hang, X-hang2.
  static let reportedHang: Nanoseconds = .milliseconds(250)
  /// From here on the system samples a hang: X-hang2.
  static let sampledHang: Nanoseconds = .seconds(1)
  /// From here on a library reports a hang: I-sentry.
  static let sentryHang: Nanoseconds = .seconds(2)
  /// From here on a launch is worth knowing of: the time from which on the system takes a hang for one.
  static let launchWorthKnowing: Nanoseconds = .seconds(1)
  /// From here on a launch is worth a warning: no document has a number.
  static let launchSlow: Nanoseconds = .seconds(5)
  /// The time that an app has to pause its work, as long as `didEnterBackground` may take.
  static let pausing = didEnterBackground
  /// Within this time of a resume UIKit posts an unlocking that came before: no document has a number.
  static let unlockNotice: Nanoseconds = .seconds(1)
  /// Scenes follow what the app's notification says within this time: no document has a number.
  static let following: Nanoseconds = .seconds(1)
  /// What comes within this time of an activation is code of the activation: no document has a number.
  static let wakeOfActivation: Nanoseconds = .seconds(1)

  /// From where on activations that cause each other are a loop: no document has these numbers.
  enum AuthenticationLoop {
    /// The number of authentications, each begun by an activation.
    static let prompts = 3
    /// The number of activations, whatever they begin.
    static let activations = 10
    /// The time from the first to the last.
    static let span: Nanoseconds = .seconds(30)
  }

  /// How long the main thread is busy in the foreground, from what tools report to what nearly kills: the
  /// watchdog's clock starts before the app's code, so nine tenths of its time are no time to spare.
  static let mainBusy = [
    BudgetLimit(.info, from: reportedHang), BudgetLimit(.warning, from: sampledHang),
    BudgetLimit(.error, from: sceneUpdate / 10 * 9),
  ]

  /// Whether `time` is what a limit of the watchdog allows, as far as a trace can show it.
  ///
  /// The watchdog's clock starts before the app's callback does, so that a span in the trace is a little
  /// shorter than the time that the system counts: nine tenths are enough.
  static func isUsedUp(_ allowed: Nanoseconds, by time: Nanoseconds) -> Bool {
    time >= allowed - allowed / 10
  }

  /// The background time that all background tasks of a process have together.
  ///
  /// The longest when the profile does not name the version, so that what it does not say never makes
  /// a finding.
  package static func backgroundTasks(_ profile: Profile) -> Nanoseconds {
    backgroundTasks(onIOS: isNewPlatform(profile) ? .max : profile.osMajor ?? 0)
  }

  /// Whether the platform began in the era of iOS 13, whose versions the limits follow.
  static func isNewPlatform(_ profile: Profile) -> Bool {
    profile.platform == "visionos" || profile.platform == "catalyst"
  }

  /// The same on a version of iOS: up to 12 measured (mixpanel#3; urbanairship/ios-library#61,
  /// transistorsoft/cordova-background-geolocation-lt#108, Instabug/Instabug-iOS#305), from 13 on as an Apple engineer writes.
  static func backgroundTasks(onIOS version: Int) -> Nanoseconds {
    version < 7 ? .seconds(600) : version < 13 ? .seconds(180) : .seconds(30)
  }
}
