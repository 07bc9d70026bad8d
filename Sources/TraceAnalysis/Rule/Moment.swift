import LifecycleModel
import TraceText

/// What a rule sees as an event happens; the state is that before the event.
///
/// It lasts as long as the call that hands it over, and is one pointer: what it shows is too large to
/// be copied for each event.
public struct Moment {
  // Open to inlining: rules of other modules ask event by event.
  @usableFromInline let present: UnsafePointer<Present>

  init(_ present: UnsafePointer<Present>) { self.present = present }

  /// What is true before the event.
  @inlinable public var state: LifecycleState {
    _read { yield present.pointee.state }
  }

  /// The words that events refer to.
  @inlinable public var vocabulary: Vocabulary { present.pointee.vocabulary }

  /// The profile that holds.
  @inlinable public var profile: Profile {
    _read { yield present.pointee.profile }
  }

  /// Why the process was launched; `nil` when that is not known.
  @inlinable public var launch: LaunchReason? { present.pointee.launch }

  /// Whether the app has been active in this process.
  @inlinable public var wasActive: Bool { present.pointee.wasActive }

  /// The callbacks that run by which the app, or a scene, leaves the foreground.
  package var departuresRunning: [OpenEvent] {
    if state.open.count(.call) == 0 { return [] }
    return state.open.facts(.call).filter { Turner.turn($0.event.name)?.turn.isDeparture ?? false }
  }

  /// What the main thread spent its time with since it was last idle.
  package var mainThread: MainThreadWindow {
    _read { yield present.pointee.mainThread }
  }

  /// What the main thread spent its time with up to the awake time `now`, the largest share first.
  package func mainThreadShares(at now: Nanoseconds) -> [MainThreadWindow.Share] {
    mainThread.shares(at: now, lastWritten: lastOnMain.ordinal)
  }

  /// The last event that the main thread wrote: its place, 0 without one, and its instant.
  package var lastOnMain: (ordinal: UInt64, instant: Instant) { present.pointee.lastOnMain }

  /// What the log states of the memory that the process used.
  package var memory: MemoryUse { present.pointee.memory }

  /// Whether the app has left the foreground, and was called to work since.
  package var departure: Departure { present.pointee.departure }

  /// When the process was resumed.
  package var resumes: ResumeTimes {
    _read { yield present.pointee.resumes }
  }

  /// What shows the beginning of the process: its start, or where starts are not recorded its first
  /// launch callback.
  @inlinable public var beginning: OpenEvent? { present.pointee.beginning }

  /// When the app was told that it is going to terminate: the callback or its notification.
  @inlinable public var termination: OpenEvent? { present.pointee.termination }

  /// The fact that `event`, which comes next, is going to be.
  @inlinable
  public func fact(_ event: Event) -> OpenEvent { present.pointee.state.nextFact(event) }

  /// Whether no gap lies between a fact and now; for `nil`, between the beginning of the log and
  /// now.
  @inlinable
  public func isCertain(_ opener: OpenEvent?) -> Bool {
    guard let opener else { return state.lastGap == nil }
    return state.isCertain(opener)
  }

  /// Whether the time since a fact has a known length: no clock was set meanwhile.
  @inlinable
  public func isLengthKnown(since opener: OpenEvent) -> Bool {
    present.pointee.isLengthKnown(since: opener)
  }

  /// The value of an event's attribute; `nil` when it does not have it.
  @inlinable
  public func attribute(_ key: AttributeKey, _ event: Event) -> String? {
    event.attributes.isNone ? nil : vocabulary.attributes(event.attributes)[key]
  }

  /// The awake time of the process at `event`, which comes next.
  @inlinable
  public func awake(_ event: Event) -> Nanoseconds {
    state.awake(at: max(event.instant, state.instant))
  }

  /// The awake time of the process at a fact.
  @inlinable
  public func awake(_ opener: OpenEvent) -> Nanoseconds { opener.awake }

  /// The end of what a fact began, due within `time` in which the process is awake.
  public func end(of opener: OpenEvent, within time: Nanoseconds) -> [MissingEvent] {
    end(of: opener, until: instant(opener, passing: time))
  }

  /// The end of what a fact began, due up to an instant, where there is one.
  public func end(of opener: OpenEvent, until: Instant? = nil) -> [MissingEvent] {
    MissingEvent.end(of: opener.event, in: vocabulary, until: until).map { [$0] } ?? []
  }

  /// The instant at which the process has been awake for `time` since a fact.
  public func instant(_ opener: OpenEvent, passing time: Nanoseconds) -> Instant {
    instant(atAwake: awake(opener) &+ time)
  }

  /// The instant of an awake time that is over only now, or comes yet.
  public func instant(atAwake time: Nanoseconds) -> Instant {
    Instant(nanoseconds: time &+ state.suspended(at: state.instant))
  }
}

extension OpenEvent {
  /// The awake time of the process at its event.
  @inlinable
  var awake: Nanoseconds { event.instant.nanoseconds &- suspendedBefore }
}

extension Vocabulary {
  /// The name of an event with its label, to stand in a message: `load "migrate"`.
  func words(naming event: Event) -> String {
    let name = InertText.word(text(event.name))
    let label = event.label.isNone ? "" : " " + JSONText.quoted(text(event.label))
    // A brace would be a placeholder.
    return (name + label).filter { $0 != "{" && $0 != "}" }
  }

  /// The name of an event, or else its verb.
  package func name(of event: Event) -> String {
    event.name.isNone ? word(of: event.verb) : text(event.name)
  }

  /// The label of an event, or else its name, to stand in a message.
  public func word(naming event: Event) -> String {
    let text = event.label.isNone ? self.text(event.name) : self.text(event.label)
    // A brace would be a placeholder.
    return InertText.word(text).filter { $0 != "{" && $0 != "}" }
  }
}
