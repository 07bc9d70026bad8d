import LifecycleModel

/// Tells by its launch callbacks where a process begins whose start is not recorded, and by profiles
/// and registrations where one may have begun.
struct LaunchWatch {
  private static let willFinishLaunching: UInt8 = 1
  private static let didFinishLaunching: UInt8 = 2
  private static let notification: UInt8 = 4

  /// At hand: a static would be asked at each event whether it is there yet.
  private let names = [
    Callback.applicationWillFinishLaunching.symbol, Callback.applicationDidFinishLaunching.symbol,
    LifecycleNotification.applicationDidFinishLaunching.symbol,
  ]
  private let last = LifecycleNotification.applicationDidFinishLaunching.symbol
  private var seen: UInt8 = 0
  /// Whether the start of this process was recorded.
  private var isBeginning = false
  /// Whether the start of a process is recorded, so that nothing else tells of one.
  var areStartsRecorded = false
  /// Whether events are missing since the process began: among them may be the start of another one.
  var mayMissStart = false
  /// Whether a launch callback may be the first event of a process.
  var mayTellStart: Bool { !areStartsRecorded || mayMissStart }

  /// Whether an event is a profile, a launch callback or its notification, or a registration.
  @inline(__always)
  func concerns(_ event: Event) -> Bool {
    if event.verb == .profile { return true }
    return event.verb == .bgtaskRegister
      || event.name.rawValue <= last.rawValue && (event.verb == .call || event.verb == .notify)
        && names.contains(event.name)
  }

  /// Whether a launch callback is that of a new process: it came already, or the app has been in a
  /// state that comes later.
  mutating func isOfNewProcess(
    _ event: Event, _ state: borrowing LifecycleState, wasActive: Bool
  ) -> Bool {
    let callback = bit(event)
    // The system's word on the first state may come before the callbacks.
    let isFirst = isBeginning && !wasActive
    let isLate =
      callback == LaunchWatch.notification || isFirst
      ? state.appState == .active : state.app != nil
    // Not in the condition, which would capture the state.
    let hasEnded = state.processEnd != nil
    let isNew = mayTellStart && (seen & callback != 0 || isLate || hasEnded)
    if isNew { isBeginning = false }
    seen = isNew ? callback : seen | callback
    return isNew
  }

  /// A process begins in another way.
  mutating func beginProcess(isRecorded: Bool) {
    (seen, isBeginning, mayMissStart) = (0, isRecorded, false)
  }

  private func bit(_ event: Event) -> UInt8 {
    event.name == names[0]
      ? LaunchWatch.willFinishLaunching
      : event.name == names[1] ? LaunchWatch.didFinishLaunching : LaunchWatch.notification
  }
}
