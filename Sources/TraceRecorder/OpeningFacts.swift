import LifecycleModel
import Platform
import TraceLog

/// What a recorder states by itself: what it runs on, that the process has started, and which hooks
/// are used.
///
/// The app's own ``Recorder/profile(_:)`` and ``Recorder/processStarts(launch:bundle:)`` say more, and
/// take their place when they come first. A hook counts as recorded from its first fact on, and a
/// further `profile` in front of that fact says so, with `partial=` where one kind of fact says nothing of
/// the others; it does not when the app has said itself which hooks it records. Only first facts come here: none of it is on the hot path.
final class OpeningFacts: Sendable {
  private struct Stated {
    /// What the app has said about itself.
    var said: [Attribute] = []
    var hooks: Set<Hook> = []
    var hasProfile = false
    var hasStart = false
    /// Whether the recorder has stated the start, so that what the app says of it comes later.
    var isStartOwn = false
    /// Whether the app has been active.
    var isActive = false
    /// What is called when it becomes active.
    var waiting: [@Sendable () -> Void] = []
  }

  private let stated = Lock(Stated())
  private let platform = PlatformFacts.now()

  /// States the profile and the start of the process, unless that has been done.
  func begin(_ recorder: Recorder, in lane: UnsafeMutablePointer<RingWriter>) {
    stated.withLock { stated in
      guard !stated.hasStart else { return }
      (stated.hasStart, stated.isStartOwn) = (true, true)
      if !stated.hasProfile { tellProfile(recorder, lane, &stated) }
      tellStart([], recorder, lane)
    }
  }

  /// What is known of the process and of the app so far.
  var known: [Attribute] { stated.withLock { platform.merged(with: $0.said) } }

  /// Whether the start of the process was stated.
  var hasBegun: Bool { stated.withLock { $0.hasStart } }

  /// Calls `body` when the app becomes active, or now if it has been.
  func whenActive(_ body: @escaping @Sendable () -> Void) {
    let isActive = stated.withLock { stated in
      if !stated.isActive { stated.waiting.append(body) }
      return stated.isActive
    }
    if isActive { body() }
  }

  /// Notes that the app is active.
  func becomeActive() {
    let waiting = stated.withLock { stated in
      defer { (stated.isActive, stated.waiting) = (true, []) }
      return stated.waiting
    }
    for body in waiting { body() }
  }

  /// Leaves profile, start and hooks to who runs the process, such as a simulator.
  func leaveToOthers() {
    stated.withLock {
      ($0.hasStart, $0.hasProfile) = (true, true)
      $0.said = [Attribute(.hooks, "")]
    }
  }

  /// States what the app says about itself, with what is known without it.
  func profile(
    _ profile: Profile, _ recorder: Recorder, in lane: UnsafeMutablePointer<RingWriter>
  ) {
    stated.withLock { stated in
      stated.said = profile.attributes
      tellProfile(recorder, lane, &stated)
    }
  }

  /// States the start of the process as the app states it, or completes what was stated already.
  func start(
    _ attributes: [Attribute], _ recorder: Recorder, in lane: UnsafeMutablePointer<RingWriter>
  ) {
    stated.withLock { stated in
      if stated.isStartOwn {
        stated.isStartOwn = false
        stated.said = stated.said.merged(with: attributes)
        tellProfile(recorder, lane, &stated)
      } else {
        stated.hasStart = true
        if !stated.hasProfile { tellProfile(recorder, lane, &stated) }
        tellStart(attributes, recorder, lane)
      }
    }
  }

  /// States that facts of `hook` are recorded from now on.
  func use(_ hook: Hook, _ recorder: Recorder, in lane: UnsafeMutablePointer<RingWriter>) {
    // An app may have stated its profile alone: a start behind these facts would take them for those of another process.
    begin(recorder, in: lane)
    stated.withLock { stated in
      guard stated.hooks.insert(hook).inserted, stated.said[.hooks] == nil else { return }
      tellProfile(recorder, lane, &stated)
    }
  }

  private func tellProfile(
    _ recorder: Recorder, _ lane: UnsafeMutablePointer<RingWriter>, _ stated: inout Stated
  ) {
    stated.hasProfile = true
    var attributes = platform.merged(with: stated.said)
    if attributes[.hooks] == nil {
      // The starts and ends of its process are what the recorder itself sees.
      let used = ["process"] + Hook.allCases.filter(stated.hooks.contains).map(\.rawValue)
      attributes.append(Attribute(.hooks, used.joined(separator: ",")))

      // An app that observes one notification may observe no other.
      let partial = [Hook.appNotifications, .sceneNotifications, .work]
        .filter(stated.hooks.contains).map(\.rawValue)
      if !partial.isEmpty {
        attributes.append(Attribute(.partial, partial.joined(separator: ",")))
      }
    }
    recorder.record(.profile, attributes: attributes, in: lane)
  }

  private func tellStart(
    _ attributes: [Attribute], _ recorder: Recorder, _ lane: UnsafeMutablePointer<RingWriter>
  ) {
    recorder.record(
      .processStart, subject: .app,
      attributes: [Attribute(.pid, String(getpid()))] + attributes, in: lane)
  }
}

extension [Attribute] {
  /// These attributes, with the values of `others` where both have a key.
  fileprivate func merged(with others: [Attribute]) -> [Attribute] {
    filter { own in !others.contains { $0.key == own.key } } + others
  }
}
