import LifecycleModel

/// Finds where a process begins whose start is not recorded, and where one may have begun: launch callbacks,
/// profiles and registrations show it.
package struct ProcessWatch: Sendable {
  /// What an event shows of processes before it is folded.
  package enum Sign {
    case nothing
    /// It is the first event of another process; `next` is its profile where that is the event.
    case begins(next: Profile?)
    /// It may be the first event of another process.
    case mayBegin
  }

  /// At hand: a static would be asked at each event whether it is there yet.
  @usableFromInline let names = [
    Callback.applicationWillFinishLaunching.symbol, Callback.applicationDidFinishLaunching.symbol,
    LifecycleNotification.applicationDidFinishLaunching.symbol,
  ]
  @usableFromInline let last = LifecycleNotification.applicationDidFinishLaunching.symbol
  /// Which of these names came in this process, a bit each.
  private var seen: UInt8 = 0
  /// Whether the start of this process was recorded.
  private var isBeginning = false
  /// Whether the starts of processes are recorded, so that nothing else shows one.
  private var areStartsRecorded = false
  /// Whether events are missing since the process began: among them may be the start of another one.
  private var mayMissStart = false

  /// Makes a watch of a trace of which nothing is known yet.
  package init() {}

  /// Whether an event is a profile, a launch callback or its notification, or a registration.
  @inlinable @inline(__always)
  package func concerns(_ event: Event) -> Bool {
    if event.verb == .profile { return true }
    return event.verb == .bgtaskRegister
      || event.name.rawValue <= last.rawValue && (event.verb == .call || event.verb == .notify)
        && names.contains(event.name)
  }

  /// What an event that concerns the watch shows under a profile.
  ///
  /// `wasActive` is whether the app has been active in this process, `isTerminating` whether it was
  /// informed that it is going to terminate.
  package mutating func sign(
    _ event: Event, _ state: borrowing LifecycleState, _ profile: borrowing Profile,
    _ vocabulary: Vocabulary, wasActive: Bool, isTerminating: Bool
  ) -> Sign {
    let mayShowStart = !areStartsRecorded || mayMissStart
    switch event.verb {
    case .profile: return sign(ofProfile: event, state, profile, vocabulary)
    // At the launch apps register, and not when they terminate.
    case .bgtaskRegister: return mayShowStart && isTerminating ? .mayBegin : .nothing
    default: break
    }

    let callback: UInt8 = 1 << (names.firstIndex(of: event.name) ?? 0)
    // The system's word on the first state may come before the callbacks.
    let isFirst = isBeginning && !wasActive
    let isLate =
      event.name == last || isFirst
      ? state.appState == .active : state.app != nil
    // Not in the condition, which would capture the state.
    let hasEnded = state.processEnd != nil
    guard mayShowStart && (seen & callback != 0 || isLate || hasEnded) else {
      seen |= callback
      return .nothing
    }

    // The callback belongs to the process that it shows.
    (seen, isBeginning, mayMissStart) = (callback, false, false)
    return .begins(next: nil)
  }

  /// What a profile shows: another process when it states another number, and perhaps another one when it
  /// does not state that it is of the same, and starts are not recorded.
  private mutating func sign(
    ofProfile event: Event, _ state: borrowing LifecycleState, _ profile: borrowing Profile,
    _ vocabulary: Vocabulary
  ) -> Sign {
    let next = Profile(statedBy: event, in: vocabulary)
    let start = state.processStart?.event.attributes
    let known = start.flatMap { vocabulary.attributes($0)[.pid] } ?? profile.attributes[.pid]
    if let pid = next.attributes[.pid], let known {
      if pid == known { return .nothing }
      (seen, isBeginning, mayMissStart) = (0, false, false)
      return .begins(next: next)
    }
    return state.profile != nil && !areStartsRecorded ? .mayBegin : .nothing
  }

  /// Takes the profile that holds from now on.
  package mutating func adopt(_ profile: borrowing Profile) {
    areStartsRecorded = profile.hooks?.contains(.process) ?? false
  }

  /// Takes a start or a gap that was folded.
  package mutating func note(_ event: Event) {
    switch event.verb {
    case .processStart: (seen, isBeginning, mayMissStart) = (0, true, false)
    case .gap: mayMissStart = true
    default: break
    }
  }
}

extension LifecycleState {
  /// Whether a process is there whose end is not known.
  package var isRunning: Bool { processEnd == nil && (processStart != nil || appState != nil) }

  /// Folds a kill that ends no process, as the note that it is.
  package mutating func foldStackshot(_ event: Event) {
    var note = event
    note.verb = .note
    fold(note)
  }
}
