#if canImport(UIKit) && !os(watchOS)
  import Foundation
  import LifecycleModel

  extension LifecycleTracing {
    /// What can be chosen.
    public struct Options: Sendable {
      /// Where the log lies; `nil` is `tracectl` in Application Support.
      public var directory: URL?
      /// Whether methods of the delegates and of UIApplication are watched.
      ///
      /// Without, calls and tasks are not recorded, and rules that need them say that they cannot tell.
      public var watchesMethods = true
      /// Whether UIKit's notifications are observed.
      public var watchesNotifications = true
      /// From when on a turn of the main run loop is recorded as `main-busy`; `nil` is never.
      public var busyThreshold: Duration? = .milliseconds(250)
      /// Whether the memory of the process is sampled at each change of the app's state, and at each memory-pressure
      /// event of the system.
      ///
      /// Without, `PreviousRun.cause` never names a lack of memory.
      public var samplesMemory = true
      /// Whether timers and display links that the app makes are recorded as `work timer` each time that they
      /// fire.
      public var watchesTimers = false
      /// Whether each observer of UIKit's notifications is recorded with its name and its time.
      ///
      /// Without, `others` stands for all of them.
      public var watchesObservers = false
      /// Whether delegate calls are intervals in Instruments, too.
      public var statesSignposts = true
      /// Whether the system is told the app's state from iOS 27 on, so that its crash report names the log that
      /// explains it.
      public var reportsStates = true
      /// Whether MetricKit's diagnostics and counts of exits are kept beside the log, where ``files(in:)`` finds them.
      public var keepsReports = true
      /// Whether a new log says in which boot of the device it was recorded, and how long after it.
      ///
      /// A crash report is joined to the instant by that; Apple forbids to send it off the device unless the user
      /// chooses to. A log that is there already goes on as it began, and the ring says it always.
      public var statesBoot = true
      /// Whether the profile has a number of this installation, `install=`, by which logs of one installation can
      /// be told from those of others.
      ///
      /// It is 64 random bits that are made once and kept beside the log; removing the app removes them. They
      /// say nothing of the device or the person. Who sends logs with it declares that in the app's own manifest.
      public var statesInstallation = false
      /// What else the app records itself and completely, so that its absence counts.
      public var alsoRecords: Set<Hook> = []

      /// Makes the options that fit most apps.
      public init() {}
    }
  }
#endif
