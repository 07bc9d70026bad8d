import LifecycleModel
import TraceAnalysis

/// What an event says of whether the app, or a scene, is active: a callback, its notification, or the
/// system's word.
enum ActivityWord {
  case active, inactive, background

  /// The events that say it.
  static let events = Turn.events(.activate, .resign, .background) | .verbs(.state)

  /// What each well-known name says as a transition.
  ///
  /// Not a ``NameTable``, whose generic look-up is called unspecialized from here: 200 instructions for each event of
  /// a log of lives.
  private static let transitions: [ActivityWord?] = {
    let states: [String: ActivityWord] = [
      AppState.active.rawValue: .active, AppState.inactive.rawValue: .inactive,
      AppState.background.rawValue: .background,
      SceneActivation.foregroundActive.rawValue: .active,
      SceneActivation.foregroundInactive.rawValue: .inactive,
    ]
    var words: [ActivityWord?] = Array(repeating: nil, count: WellKnownWords.count)
    for transition in Transition.all {
      words[Int(transition.symbol.rawValue)] = states[transition.to]
    }
    return words
  }()

  /// Reads an event of ``events``; `nil` for a transition of another kind.
  init?(_ event: Event) {
    switch Turner.turn(event.name)?.turn {
    case .activate: self = .active
    case .resign: self = .inactive
    case .background: self = .background
    case .foreground, .disconnect, nil:
      let name = Int(event.name.rawValue)
      guard name < ActivityWord.transitions.count, let word = ActivityWord.transitions[name] else {
        return nil
      }
      self = word
    }
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
