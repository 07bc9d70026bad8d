import LifecycleModel

/// What must be open, or must not: what an event of a pattern began and nothing has ended.
///
/// An object, so that a condition stays small.
public final class OpenSpan: Sendable {
  /// What begins it.
  package let begin: EventPattern
  /// Whether only that counts which the event takes out of the foreground.
  package let isLeaving: Bool
  private let branches: [EventPattern]
  private let families: [SpanFamily]

  init(_ begin: EventPattern, isLeaving: Bool) {
    (self.begin, self.isLeaving) = (begin, isLeaving)
    branches = begin.branches
    let verbs = Set(branches.flatMap(\.alternatives).map(\.verb))
    families = SpanFamily.allCases.filter { verbs.contains($0.opening) }
  }

  /// What is open before `event`: what surely is such a thing, and what the begin of another one does
  /// not say that may be.
  func look(_ event: Event, _ moment: Moment) -> (facts: [OpenEvent], missing: AttributeKey?) {
    var facts: [OpenEvent] = []
    var missing: AttributeKey?

    for family in families where moment.state.open.count(family) > 0 {
      for opener in moment.state.open.facts(family) {
        let meaning = branches.meaning(opener.event, moment.vocabulary)
        if case .notMeant = meaning { continue }
        if isLeaving && !moment.state.concerns(opener, event) { continue }
        if case .unclear(let key) = meaning { missing = key } else { facts.append(opener) }
      }
    }
    return (facts, missing)
  }
}

extension StateCondition {
  /// Something is open that such an event began: a resource is held, work or a callback goes on.
  public static func open(_ begin: EventPattern) -> StateCondition {
    .openSpan(OpenSpan(begin, isLeaving: false))
  }

  /// The same, of what the event takes out of the foreground: of its scene, or of the app when no other
  /// scene is left there.
  public static func openInLeaving(_ begin: EventPattern) -> StateCondition {
    .openSpan(OpenSpan(begin, isLeaving: true))
  }

  /// A resource of this kind is held.
  public static func holding(_ resource: Resource) -> StateCondition { .open(.acquire(resource)) }

  /// Work of this category that has a duration goes on.
  public static func running(_ category: WorkCategory) -> StateCondition {
    .open(.workBegin(category))
  }

  /// A datum has unsaved changes.
  public static var unsaved: StateCondition { .open(.verbs(.dataDirty)) }

  /// A background task is open.
  public static var taskOpen: StateCondition { .open(.verbs(.taskBegin)) }
}

extension LifecycleState {
  /// Whether `fact` belongs to what `event` takes out of the foreground: to the same scene, or to the
  /// app when no other scene is left there.
  package func concerns(_ opener: OpenEvent, _ event: Event) -> Bool {
    if event.subjectKind != .scene || opener.event.subject == event.subject { return true }
    if opener.event.subjectKind == .scene { return false }
    return sceneCount(of: .foregroundActive, .foregroundInactive, besides: event.subjectNumber) == 0
  }
}

extension [EventPattern] {
  /// What the conditions of these branches make of an event; asked where speed does not matter.
  func meaning(_ event: Event, _ vocabulary: Vocabulary) -> EventMeaning {
    lazy.filter { $0.names(event, vocabulary) }.map(\.attributes).meaning(event, vocabulary)
  }
}

extension Sequence<[AttributeCondition]> {
  /// What any of these lists of conditions makes of an event.
  func meaning(_ event: Event, _ vocabulary: Vocabulary) -> EventMeaning {
    var meaning = EventMeaning.notMeant
    for conditions in self {
      switch conditions.meaning(event, vocabulary) {
      case .meant: return .meant
      case .unclear(let key): meaning = .unclear(key)
      case .notMeant: break
      }
    }
    return meaning
  }
}
