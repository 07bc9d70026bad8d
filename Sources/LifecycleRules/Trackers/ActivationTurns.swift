import LifecycleModel
import TraceAnalysis

/// What an event says of whether the app, or a scene, is active: a callback, its notification, or the
/// system's word.
enum ActivityWord {
  case active, inactive, background

  /// The events that say it.
  static let events: EventPattern =
    .named(.call, callbacks) | .named(.notify, callbacks.compactMap(\.notification))
    | .verbs(.state)

  private static let callbacks: [Callback] = [
    .applicationDidBecomeActive, .sceneDidBecomeActive, .applicationWillResignActive,
    .sceneWillResignActive, .applicationDidEnterBackground, .sceneDidEnterBackground,
  ]

  private static let words: NameTable<ActivityWord> = {
    let meanings: [ActivityWord] = [
      .active, .active, .inactive, .inactive, .background, .background,
    ]
    let told = zip(callbacks, meanings).flatMap { callback, word in
      [callback.symbol, callback.notification?.symbol].compactMap(\.self).map { ($0, word) }
    }
    let states: [String: ActivityWord] = [
      AppState.active.rawValue: .active, AppState.inactive.rawValue: .inactive,
      AppState.background.rawValue: .background,
      SceneActivation.foregroundActive.rawValue: .active,
      SceneActivation.foregroundInactive.rawValue: .inactive,
    ]
    let transitions = Transition.all.compactMap { transition in
      states[transition.to].map { (transition.symbol, $0) }
    }
    return NameTable((told + transitions).map { (name: $0.0, value: $0.1) })
  }()

  /// Reads an event of ``events``; `nil` for a transition of another kind.
  init?(_ event: Event) {
    guard let word = ActivityWord.words[event.name] else { return nil }
    self = word
  }
}

/// When the app, or a scene, last became active after it had not been: what code does there it does
/// again at each return.
///
/// A callback, its notification and the system's word are one turn, and so is a second activation
/// without a resign between, as iOS 11 and 12 show it.
struct ActivationTurns: Sendable {
  /// Those that are active, by their subjects.
  private var active = RememberedSet<Subject>(64)
  /// The activation that came last: a scene's before that of the app, which comes with it.
  private(set) var last: OpenEvent?

  /// Sees an event of ``ActivityWord/events``.
  mutating func note(_ event: Event, _ moment: Moment) {
    guard let word = ActivityWord(event) else { return }
    if word != .active {
      active.remove(event.subject)
      return
    }

    // Beyond the limit nothing is known to begin.
    if active.contains(event.subject) != false || !active.insert(event.subject) { return }
    let isWithScene = last.map { $0.event.subjectKind == .scene && isFresh($0, event, moment) }
    if event.subjectKind == .scene || isWithScene != true { last = moment.fact(event) }
  }

  /// The activation in the wake of which an event comes; `nil` when the last one is longer ago.
  func activation(before event: Event, _ moment: Moment) -> OpenEvent? {
    last.flatMap { isFresh($0, event, moment) ? $0 : nil }
  }

  private func isFresh(_ activation: OpenEvent, _ event: Event, _ moment: Moment) -> Bool {
    moment.awake(event) &- moment.awake(activation) <= Allowances.wakeOfActivation
  }
}
