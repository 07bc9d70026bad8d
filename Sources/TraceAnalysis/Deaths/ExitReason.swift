/// MetricKit's reasons for an exit, by the names of `MXBackgroundExitData` and
/// `MXForegroundExitData`, and two that MetricKit does not have.
public enum ExitReason: String, CaseIterable, Sendable {
  /// The app ended itself, or was asked to.
  case normal
  /// It ended on an error that has no reason of its own, such as an uncaught exception.
  case abnormal
  /// It used memory that is not there.
  case badAccess
  /// It came to an instruction that cannot be executed.
  case illegalInstruction
  /// It passed its own memory limit.
  case memoryResourceLimit
  /// The device needed its memory.
  case memoryPressure
  /// It passed a limit of processor time.
  case cpuResourceLimit
  /// The watchdog's time was over.
  case appWatchdog
  /// It held a file lock while it was suspended.
  case suspendedWithLockedFile
  /// A background task was not ended in time.
  case backgroundTaskAssertionTimeout
  /// A background URL session was not completed in time.
  case backgroundURLSessionCompletionTimeout
  /// A background fetch was not completed in time.
  case backgroundFetchCompletionTimeout

  /// The app was replaced by another version of it; no reason of MetricKit.
  case appUpdate
  /// The system ended it, and no source says for what; no reason of MetricKit.
  case unknown

  /// Those that come to apps in the background only (X-red).
  package static let ofBackground: Set<ExitReason> = [
    .suspendedWithLockedFile, .backgroundTaskAssertionTimeout,
    .backgroundURLSessionCompletionTimeout, .backgroundFetchCompletionTimeout,
  ]
}
