import LifecycleModel

/// What is true while an event is looked at: all that a ``Moment`` shows.
@usableFromInline
struct Present {
  @usableFromInline var state = LifecycleState()
  @usableFromInline let vocabulary: Vocabulary
  @usableFromInline var profile = Profile()
  /// Why the process was launched; `nil` when that is not known.
  @usableFromInline var launch: LaunchReason?
  /// Whether the app has been active in this process.
  @usableFromInline var wasActive = false
  /// What the main thread spent its time with since it was last idle.
  var mainThread = MainThreadWindow()
  /// The last event that the main thread wrote: its place, 0 without one, and its instant.
  var lastOnMain: (ordinal: UInt64, instant: Instant) = (0, .origin)
  /// What held the main thread during the launch.
  var launchHolds = LaunchHolds()
  /// When the process was resumed.
  var resumes = ResumeTimes()
  /// What the log states of the memory that the process used.
  var memory = MemoryUse()
  /// Whether the app has left the foreground, and was called to work since.
  var departure = Departure()
  /// When the app was told that it is going to terminate.
  @usableFromInline var termination: OpenEvent?
  /// What shows the beginning of the process: its start, or where starts are not recorded its first
  /// launch callback.
  @usableFromInline var beginning: OpenEvent?
  /// The place of the last event before which the wall clock was set.
  @usableFromInline var clockSet: UInt64 = 0

  /// Whether the time since a fact has a known length: no clock was set meanwhile.
  @usableFromInline
  func isLengthKnown(since opener: OpenEvent) -> Bool { opener.ordinal > clockSet || clockSet == 0 }

  /// The facts that are held beside the state.
  var facts: [OpenEvent] {
    mainThread.facts + launchHolds.facts + resumes.facts + memory.facts
      + [termination, beginning].compactMap(\.self)
  }

  /// The process has ended.
  mutating func endProcess() {
    wasActive = false
    mainThread = MainThreadWindow()
    lastOnMain.ordinal = 0
    memory = MemoryUse()
    launchHolds = LaunchHolds()
    resumes = ResumeTimes()
    departure = Departure()
    termination = nil
  }
}
