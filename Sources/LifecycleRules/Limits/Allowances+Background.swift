import LifecycleModel
import TraceAnalysis

extension Allowances {
  /// The limits for work and resources in the background: those of the table, and
  /// thresholds of the rules that no document has a number for.
  enum Background {
    /// From here on the background time of all tasks is worth a warning: five sixths of the limit.
    static func backgroundTasksWarning(_ profile: Profile) -> Nanoseconds {
      backgroundTasks(profile) / 6 * 5
    }

    /// From here on a push is worth a warning: two thirds of the limit.
    static let pushWarning: Nanoseconds = .seconds(20)

    /// From here on a refresh task is worth a warning: five sixths of the limit.
    static let refreshWarning: Nanoseconds = .seconds(25)

    /// The system may take minutes to suspend a process that has nothing left to do: Q-lim.
    static let suspension: Nanoseconds = .seconds(120)

    /// In minutes a session's events are processed, whatever the app has to do for them.
    static let processing: Nanoseconds = .seconds(300)

    /// What a process is resumed for is handed over by then.
    static let wake: Nanoseconds = .seconds(1)

    /// Events that were in the run loop already when the app resigned; from here on a delay is
    /// noticed (X-hang).
    static let runLoop: Nanoseconds = .milliseconds(100)

    /// A frame that was in flight as the app left may still be committed: three of them, the most that
    /// a layer has, at 60 Hz.
    static let framesInFlight: Nanoseconds = .milliseconds(50)

    /// A display link may tick a few more times after the resign, in one second.
    static let ticks = 10

    /// From here on the number of live tasks is worth a warning: a tenth of the limit.
    static let liveTasksWarning = 100

    /// About this many live tasks get the app killed, as an Apple engineer writes: Q-bg.
    static let liveTasks = 1000

    /// The time that an app has to drop its caches: as long as `didEnterBackground` may take.
    static let memory = didEnterBackground

    /// So many saves of a datum show where it is saved; fewer prove nothing.
    static let saves = 3
  }
}
