import LifecycleModel

/// The time limits that are documented or measured, in one place; each with its source.
enum Allowances {
  /// From here on `didEnterBackground` is worth a warning: three fifths of the limit.
  static let didEnterBackgroundWarning: Nanoseconds = .seconds(3)

  /// `didEnterBackground` has about five seconds to return: S4, D-deb, D-ext.
  static let didEnterBackground: Nanoseconds = .seconds(5)

  /// The background time that all background tasks of a process have together.
  ///
  /// About 30 s from iOS 13 (Q-bg), 180 s from iOS 7, 600 s before; the longest when the profile does
  /// not name the version, so that what it does not say never makes a finding.
  static func backgroundTasks(_ profile: Profile) -> Nanoseconds {
    switch profile.osMajor {
    case .some(13...): .seconds(30)
    case .some(7...12): .seconds(180)
    default: .seconds(600)
    }
  }
}
