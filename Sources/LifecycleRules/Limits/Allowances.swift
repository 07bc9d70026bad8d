import LifecycleModel
import TraceAnalysis

/// A row of the table of limits: how much of something there may be, and who says so.
struct Allowance: Hashable, Sendable {
  /// What the limit is about.
  enum Topic: String, CaseIterable, Sendable {
    case didEnterBackground, willTerminate, willResignActive
    case backgroundTasks, earlyExpiry, watchTask
    case expirationHandler, expirationHandlers, liveTasks
    case launchToFirstFrame, sceneUpdate, processExit
    case pushHandling, backgroundRefresh, pendingRefreshRequests, pendingProcessingRequests
    case memoryAtSuspension, requestTimeout
    case noticeableHang, reportedHang, sampledHang, sentryHang, bugsnagHang, launchMeasurement
    case oldLaunch, oldResume, oldSuspend, oldQuit
  }

  /// How much is allowed.
  enum Bound: Hashable, Sendable {
    case time(Nanoseconds)
    case count(Int)
  }

  /// What kind of knowledge it is.
  enum Evidence: String, CaseIterable, Sendable {
    /// A page of the documentation says it.
    case documented
    /// An engineer of Apple wrote it.
    case engineer
    /// Somebody measured it.
    case observed
    /// A library has it as its default.
    case library
    /// A threshold of the rules; no document has a number.
    case chosen
  }

  let topic: Topic
  let bound: Bound
  /// The major versions of the system for which it holds.
  let systems: ClosedRange<Int>
  let evidence: Evidence
  let sources: [Citation]

  init(
    _ topic: Topic, _ bound: Bound, on systems: ClosedRange<Int> = 0...Int.max,
    _ evidence: Evidence, _ sources: Citation...
  ) {
    self.topic = topic
    self.bound = bound
    self.systems = systems
    self.evidence = evidence
    self.sources = sources
  }
}

/// The limits that are documented or measured, in one place; each with its source.
///
/// Apple publishes no fixed background seconds: all are thresholds that may change.
package enum Allowances {
  static let rows: [Allowance] = [
    Allowance(
      .didEnterBackground, .time(.seconds(5)), .documented, .s4, .didEnterBackground,
      .extendingBackgroundTime),
    Allowance(.willTerminate, .time(.seconds(5)), .documented, .willTerminate),
    // "Minimal work" is all that the pages say.
    Allowance(.willResignActive, .time(.seconds(1)), .chosen, .s0, .s1, .s2),
    Allowance(
      .backgroundTasks, .time(.seconds(600)), on: 0...6, .observed, .mixpanelTasks),
    Allowance(
      .backgroundTasks, .time(.seconds(180)), on: 7...12, .observed, .urbanairshipTasks,
      .geolocationTasks, .instabugTasks),
    Allowance(
      .backgroundTasks, .time(.seconds(30)), on: 13...Int.max, .engineer, .backgroundTaskNotes),
    Allowance(.earlyExpiry, .time(.seconds(15)), .observed, .backgroundTimeOnX),
    Allowance(.watchTask, .time(.seconds(15)), .documented, .watchdog),
    Allowance(.expirationHandler, .time(.seconds(1)), .engineer, .backgroundTaskNotes),
    // "A few seconds" for all handlers together.
    Allowance(.expirationHandlers, .time(.seconds(5)), .engineer, .backgroundTaskNotes),
    Allowance(.liveTasks, .count(1000), .engineer, .backgroundTaskNotes),
    Allowance(
      .launchToFirstFrame, .time(.milliseconds(19_600)), .observed, .watchdog, .launchKill),
    Allowance(.sceneUpdate, .time(.seconds(10)), .observed, .sceneUpdateKill),
    Allowance(.processExit, .time(.seconds(5)), .observed, .exitKill, .exitKillTwice),
    Allowance(.pushHandling, .time(.seconds(30)), .documented, .remoteNotification),
    Allowance(
      .backgroundRefresh, .time(.seconds(30)), .observed, .backgroundStrategies,
      .backgroundFetchExpiry),
    Allowance(.pendingRefreshRequests, .count(1), .documented, .submitBackgroundTask),
    Allowance(.pendingProcessingRequests, .count(10), .documented, .submitBackgroundTask),
    // The documents say that large apps go first, and name no size.
    Allowance(.memoryAtSuspension, .count(150_000_000), .chosen, .reducingTerminations),
    Allowance(.requestTimeout, .time(.seconds(60)), .documented, .requestTimeout),
    Allowance(
      .noticeableHang, .time(.milliseconds(50)), .documented, .interfaceResponsiveness, .hangs),
    Allowance(.reportedHang, .time(.milliseconds(250)), .documented, .hangs, .responsiveness),
    Allowance(.sampledHang, .time(.seconds(1)), .documented, .responsiveness),
    Allowance(.sentryHang, .time(.seconds(2)), .library, .appStartTracker),
    Allowance(.bugsnagHang, .time(.milliseconds(250)), .library, .bugsnagHangs),
    Allowance(.launchMeasurement, .time(.seconds(180)), .library, .appStartTracker),
    Allowance(.oldLaunch, .time(.seconds(20)), .observed, .oldWatchdogTable),
    Allowance(.oldResume, .time(.seconds(10)), .observed, .oldWatchdogTable),
    Allowance(.oldSuspend, .time(.seconds(10)), .observed, .oldWatchdogTable),
    Allowance(.oldQuit, .time(.seconds(6)), .observed, .oldWatchdogTable),
  ]

  /// From here on `didEnterBackground` is worth a warning: three fifths of the limit.
  static let didEnterBackgroundWarning: Nanoseconds = .seconds(3)
  /// From here on `willTerminate` is worth a warning: three fifths of the limit.
  static let willTerminateWarning: Nanoseconds = .seconds(3)
  /// From here on a launch is worth knowing of: the time from which on the system takes a hang for one.
  static let launchWorthKnowing: Nanoseconds = .seconds(1)
  /// From here on a launch is worth a warning: no document has a number.
  static let launchSlow: Nanoseconds = .seconds(5)
  /// The time that an app has to pause its work, as long as `didEnterBackground` may take.
  static let pausing = time(.didEnterBackground)
  /// Within this time of a resume UIKit tells of an unlocking that came before: no document has a number.
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
    BudgetLimit(.info, from: time(.reportedHang)), BudgetLimit(.warning, from: time(.sampledHang)),
    BudgetLimit(.error, from: time(.sceneUpdate) / 10 * 9),
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
    if isNewPlatform(profile) { return newest }
    guard let version = profile.osMajor else { return longest }
    return backgroundTasks.indices.contains(version)
      ? backgroundTasks[version] : time(.backgroundTasks, onSystem: version)
  }

  // Asked for at each turn of a background task: by version, on the newest one, and on any.
  private static let backgroundTasks = (0..<64).map { time(.backgroundTasks, onSystem: $0) }
  private static let newest = time(.backgroundTasks, onSystem: .max)
  private static let longest = time(.backgroundTasks)

  /// Whether the table's versions, which are those of iOS, do not count there: visionOS and Catalyst
  /// began in the era of iOS 13.
  private static func isNewPlatform(_ profile: Profile) -> Bool {
    profile.platform == "visionos" || profile.platform == "catalyst"
  }

  /// The longest time of a topic, whatever the version of the system.
  static func time(_ topic: Allowance.Topic) -> Nanoseconds { times[topic] ?? .max }

  // Rules ask at many events.
  private static let times = Dictionary(
    uniqueKeysWithValues: Allowance.Topic.allCases.map { ($0, time($0, onSystem: nil)) })

  /// The time of a topic on a version of the system; the longest of all when it is not known.
  static func time(_ topic: Allowance.Topic, onSystem version: Int?) -> Nanoseconds {
    rows(of: topic).filter { _, row in version.map(row.systems.contains) ?? true }
      .map(\.time).max() ?? .max
  }

  /// The count of a topic.
  static func count(_ topic: Allowance.Topic) -> Int {
    let counts = rows.compactMap { row -> Int? in
      guard row.topic == topic, case .count(let count) = row.bound else { return nil }
      return count
    }
    return counts.max() ?? .max
  }
}
