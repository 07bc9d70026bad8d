import LifecycleModel
import TraceRecorder

/// Time and the recording: virtual both, or real both.
@MainActor
final class Host {
  private enum Kind {
    case virtual(VirtualRecording)
    case real(RealTime)
  }

  private let kind: Kind
  /// What the app states its facts to.
  let recorder: Recorder
  private let system: SystemRecorder

  /// With `isSilent` nobody says what happens but the app, by the recorder of `recording`.
  init(_ recording: VirtualRecording, isSilent: Bool = false) {
    kind = .virtual(recording)
    recorder = isSilent ? .off : recording.recorder
    system = isSilent ? SystemRecorder(.off) : recording.system
  }

  init(_ real: RealTime) {
    kind = .real(real)
    recorder = real.recorder
    system = real.system
  }

  var isVirtual: Bool { if case .virtual = kind { true } else { false } }

  /// Nanoseconds since the driver was made.
  var now: Nanoseconds {
    switch kind {
    case .virtual(let recording): recording.clock.nanoseconds
    case .real(let real): real.now
    }
  }

  /// Lets time pass while the main thread is busy or idle.
  func wait(until due: Nanoseconds) {
    switch kind {
    case .virtual(let recording): recording.clock.advance(to: due)
    case .real(let real): real.sleep(until: due)
    }
  }

  /// Goes on to the next tenth of a millisecond: what the system does takes time, and round instants
  /// are easier to read.
  func pace() {
    guard case .virtual(let recording) = kind else { return }
    let step: Nanoseconds = 100_000
    recording.clock.advance(to: (recording.clock.nanoseconds / step + 1) * step)
  }

  /// Runs `body` as the app's main thread.
  func asApp(_ body: () -> Void) {
    switch kind {
    case .virtual(let recording): recording.asApp(body)
    case .real: body()
    }
  }

  /// States a fact of the system.
  func say(
    _ verb: Verb, name: String = "", _ subject: Subject = .none, label: String = "",
    value: Int64? = nil, attributes: [Attribute] = []
  ) {
    system.record(
      verb, name: name, subject: subject, label: label, value: value, attributes: attributes)
  }

  /// Ends the process: in real time it is this one, and `signal` ends it.
  func die(_ signal: Int32) {
    switch kind {
    case .virtual(let recording): recording.mute(true)
    case .real(let real): real.die(signal)
    }
  }

  /// Drops what the app states from now on, or no longer, for a new process.
  func mute(_ isMuted: Bool) {
    if case .virtual(let recording) = kind { recording.mute(isMuted) }
  }

  /// Has a thread of its own look at `deadline` in real time; virtual time looks by itself.
  func guardReal(_ deadline: Nanoseconds?, _ attributes: [Attribute]) {
    if case .real(let real) = kind { real.watch(deadline, attributes) }
  }

  /// Moves what was recorded into the log when there is much of it.
  func drain() {
    if case .virtual(let recording) = kind { recording.drainIfUrgent() }
  }
}
