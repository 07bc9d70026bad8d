import LifecycleModel

/// A turn in the story that a trace tells: what happened to the app, in a few lines.
public struct Milestone: Hashable, Sendable {
  /// The kinds of turn.
  public enum Kind: Hashable, Sendable {
    /// A process started.
    case processStart
    /// The app came into this state.
    case app(AppState)
    /// A scene connected or disconnected.
    case scene(connected: Bool)
    /// The system took a snapshot.
    case snapshot
    /// The process was suspended, or went on.
    case suspended(Bool)
    /// Events are missing.
    case gap
    /// The process ended.
    case end
    /// The system said something worth knowing.
    case note
  }

  /// What kind of turn it is.
  public var kind: Kind
  /// The event that brought it about.
  public var event: Event
}

/// The first and the last milestones of a trace, however many there are.
public struct Milestones: Sendable {
  /// How many are kept at either end.
  static let keptAtEitherEnd = 40

  /// The milestones at the beginning.
  public private(set) var first: [Milestone] = []
  /// How many are left out between the two ends.
  public var leftOut: Int { max(0, count - first.count - Milestones.keptAtEitherEnd) }
  /// The milestones at the end, where they are not among the first.
  public var last: [Milestone] { Array(tail) }
  private var tail = Remembered<Milestone>(Milestones.keptAtEitherEnd, beyond: .oldestGoes)
  private var appState: AppState?
  private var sceneCount = 0
  private let unattaching = Set(
    SceneActivation.allCases.map { Transition($0, .unattached).symbol })
  private var count = 0

  mutating func add(_ milestone: Milestone) {
    count += 1
    if first.count < Milestones.keptAtEitherEnd {
      first.append(milestone)
    } else {
      tail.append(milestone)
    }
  }

  /// Notes that a process has begun with `event`.
  mutating func beginProcess(_ event: Event) {
    appState = nil
    sceneCount = 0
    add(Milestone(kind: .processStart, event: event))
  }

  /// Tells the last end by `event`, which says more of it.
  mutating func replaceEnd(with event: Event) {
    if event.verb != .kill && event.verb != .exit { return }
    if tail.isEmpty {
      if let index = first.lastIndex(where: { $0.kind == .end }) { first[index].event = event }
    } else if tail.last?.kind == .end {
      tail[tail.count - 1].event = event
    }
  }

  /// Notes a rare event that is a turn by its verb.
  mutating func note(_ event: Event) {
    switch event.verb {
    case .processStart: beginProcess(event)
    case .snapshotBegin: add(Milestone(kind: .snapshot, event: event))
    case .suspend: add(Milestone(kind: .suspended(true), event: event))
    case .resume: add(Milestone(kind: .suspended(false), event: event))
    case .gap: add(Milestone(kind: .gap, event: event))
    case .kill, .exit: add(Milestone(kind: .end, event: event))
    case .note where event.writer == .system: add(Milestone(kind: .note, event: event))
    default: break
    }
  }

  /// Notes that `event` has brought the app into `state`, or confirmed it.
  mutating func followApp(_ state: AppState, _ event: Event) {
    if appState != state { add(Milestone(kind: .app(state), event: event)) }
    appState = state
  }

  /// Looks whether a scene has come or gone with `event`, after which so many are connected.
  mutating func followScene(_ event: Event, count: Int) {
    // A scene may be reported to be gone that was never reported to have come, and it may be active
    // without having been seen to connect.
    let isGone = count < sceneCount || event.verb == .state && unattaching.contains(event.name)
    if isGone {
      add(Milestone(kind: .scene(connected: false), event: event))
    } else if count > sceneCount && Callback.of(event.name) == .sceneWillConnect {
      add(Milestone(kind: .scene(connected: true), event: event))
    }
    sceneCount = count
  }
}
