import LifecycleModel
import Platform
import TraceLog

extension Drain {
  /// What can be chosen for a recording.
  public struct Options: Sendable {
    /// How many threads can record at a time, 1…128.
    ///
    /// Memory and disk: 16 bytes a record each.
    public var threads = 16
    /// Records that a thread can be ahead of the drain, a power of two.
    public var recordsPerThread = 1 << 15
    /// Bytes for names and labels, a multiple of 4096.
    public var wordBytes = 1 << 20
    /// Where the ring's file lies, on any local file system; `nil` is beside the log.
    ///
    /// A link beside the log leads readers to another place.
    public var ringPath: String?
    /// What a power failure may take; the death of the app takes nothing under any policy.
    ///
    /// | policy | is lost at most |
    /// |---|---|
    /// | `none` | what the system had not written by itself, usually half a minute |
    /// | `interval` | what was recorded since the last interval, and the time that syncing takes |
    /// | `everyBlock` | what was recorded since the last block: see ``drainMilliseconds`` |
    ///
    /// What is synced already is not synced again. A thread that stands still in the middle of a call for a second
    /// has its fact synced three times ``drainMilliseconds`` later, or with the next one. iOS and its kin count what
    /// a process writes, and report one that writes much: there it is `none` at first, and ``Recorder/syncSoon()``
    /// is for the way to the background; elsewhere it is an interval of 100 ms.
    public var sync: SyncPolicy =
      platform_counts_writes() != 0 ? .none : .interval(.milliseconds(100))
    /// How long events may stay in the ring alone, in milliseconds; the drain waits three times as long when there
    /// are none.
    public var drainMilliseconds: Int32 = 10_000
    /// Whether a log that is there already is replaced; ``Recorder/open(log:options:)`` goes on with it
    /// otherwise, and ``Drain/init(log:options:)`` refuses.
    public var replacesLog = false
    /// Whether a new log says in which boot of the device it was recorded, and how long after it.
    ///
    /// A crash report is joined to the instant by that. The ring says it always; a log that is there already
    /// goes on as it began.
    public var statesBoot = true
    /// When the log goes on in a new part, and how much of the older ones is kept: 64 MiB at first.
    public var limits = LogLimits(keptBytes: 64 << 20)
    /// Whether the recorder states by itself that the process has started, and what the platform knows.
    package var statesOpening = true
    /// What the time of events is read from.
    public var clock = Clock.fastest
    /// Called by the draining thread when the log begins to fail, with the error, and when it has
    /// recovered, with `nil`.
    public var onFailure: (@Sendable ((any Error)?) -> Void)?

    /// Makes the options that fit most apps: 9 MiB of disk beside the log.
    public init() {}

    /// What a new log says of itself, of what is known.
    func stated(_ identity: LogIdentity) -> LogIdentity {
      statesBoot ? identity : identity.withoutBoot
    }

    var ringSize: RingMapping.Size {
      RingMapping.Size(lanes: threads, capacity: recordsPerThread, wordsCapacity: wordBytes)
    }

    var writerOptions: LogWriter.Options {
      var options = LogWriter.Options()
      // With an interval the drain says when.
      if case .interval = sync { options.sync = .interval(.max) } else { options.sync = sync }
      return options
    }
  }

  /// What the time of events is read from.
  public enum Clock: Hashable, Sendable {
    /// The time-stamp counter where it runs at one rate for ever, else the monotonic clock.
    case fastest
    /// The awake monotonic clock; a reading takes about 14 ns more.
    case monotonic
  }
}
