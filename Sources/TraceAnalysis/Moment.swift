import LifecycleModel

/// What is true while an event is looked at: all that a ``Moment`` shows.
struct Present {
  var state = LifecycleState()
  let vocabulary: Vocabulary
  var profile = Profile()
  /// Why the process was launched; `nil` when that is not known.
  var launch: LaunchReason?
  /// Whether the app has been active in this process.
  var wasActive = false
  /// What the main thread spent its time with since it was last idle.
  var mainThread = MainThreadWindow()
  /// When the process was resumed.
  var resumes = ResumeTimes()
  /// When the app was told that it is going to terminate.
  var termination: Fact?
  /// What shows the beginning of the process: its start, or where starts are not recorded its first
  /// launch callback.
  var beginning: Fact?
  /// The place of the last event before which the wall clock was set.
  var clockSet: UInt64 = 0

  /// Whether the time since a fact has a known length: no clock was set meanwhile.
  func isLengthKnown(since fact: Fact) -> Bool { fact.ordinal > clockSet || clockSet == 0 }

  /// The process has ended.
  mutating func endProcess() {
    wasActive = false
    mainThread = MainThreadWindow()
    resumes = ResumeTimes()
    termination = nil
  }
}

/// What a rule sees as an event happens; the state is that before the event.
///
/// It lasts as long as the call that hands it over, and is one pointer: what it shows is too large to
/// be copied for each event.
public struct Moment {
  private let present: UnsafePointer<Present>

  init(_ present: UnsafePointer<Present>) { self.present = present }

  /// What is true before the event.
  public var state: LifecycleState {
    _read { yield present.pointee.state }
  }

  /// The words that events refer to.
  public var vocabulary: Vocabulary { present.pointee.vocabulary }

  /// The profile that holds.
  public var profile: Profile {
    _read { yield present.pointee.profile }
  }

  /// Why the process was launched; `nil` when that is not known.
  var launch: LaunchReason? { present.pointee.launch }

  /// Whether the app has been active in this process.
  var wasActive: Bool { present.pointee.wasActive }

  /// What the main thread spent its time with since it was last idle.
  var mainThread: MainThreadWindow {
    _read { yield present.pointee.mainThread }
  }

  /// When the process was resumed.
  var resumes: ResumeTimes {
    _read { yield present.pointee.resumes }
  }

  /// What shows the beginning of the process: its start, or where starts are not recorded its first
  /// launch callback.
  var beginning: Fact? { present.pointee.beginning }

  /// When the app was told that it is going to terminate: the callback or its notification.
  var termination: Fact? { present.pointee.termination }

  /// Whether no gap lies between a fact and now; for `nil`, between the beginning of the log and
  /// now.
  func isCertain(_ fact: Fact?) -> Bool {
    guard let fact else { return state.lastGap == nil }
    return state.isCertain(fact)
  }

  /// Whether the time since a fact has a known length: no clock was set meanwhile.
  func isLengthKnown(since fact: Fact) -> Bool { present.pointee.isLengthKnown(since: fact) }
}
