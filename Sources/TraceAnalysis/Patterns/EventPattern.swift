import LifecycleModel

/// Which events a rule means: by verb and name, and by conditions on subject and writer.
///
/// Events are found by verb and name through a table; an event that is found and does not fulfil the
/// conditions counts as looked at and found clean.
public struct EventPattern: Sendable {
  /// A verb, with a name or with any name.
  package struct Alternative: Hashable, Sendable {
    /// The verb.
    package var verb: Verb
    /// `nil` for any name.
    package var name: Symbol?
  }

  /// The verbs and names.
  package var alternatives: [Alternative]
  /// The subjects that match; `nil` for all.
  package var subjects: Set<Subject.Kind>?
  /// Who recorded it; `nil` for anybody.
  package var writer: MissingEvent.Thread?
  /// Whether only events count that come while an observer's handler runs; for what code wants to
  /// see, not for patterns.
  var isInsideObserver = false
  /// The app's own words that match; `nil` for all.
  package var labels: Set<String>?
  /// The names that match where a verb's names are the app's own; `nil` for all.
  package var identifiers: Set<String>?
  /// What the events must say of themselves; all of it.
  package var attributes: [AttributeCondition] = []
  /// Further events, with conditions of their own; without further events of theirs.
  package var others: [EventPattern] = []

  package init(_ verb: Verb, names: [Symbol]) {
    alternatives = names.map { Alternative(verb: verb, name: $0) }
  }

  package init(_ verb: Verb) {
    alternatives = [Alternative(verb: verb, name: nil)]
  }

  /// Events of these verbs, whatever their names.
  public static func verbs(_ verbs: Verb...) -> EventPattern {
    var pattern = EventPattern(verbs[0])
    pattern.alternatives = verbs.map { Alternative(verb: $0, name: nil) }
    return pattern
  }

  /// Events of one verb that have one of these words as their names.
  public static func named<Name: WellKnown>(_ verb: Verb, _ names: [Name]) -> EventPattern {
    // A key path of a generic type is made anew at each call.
    EventPattern(verb, names: names.map { $0.symbol })
  }

  /// The entry of delegate callbacks.
  public static func call(_ callbacks: Callback...) -> EventPattern {
    named(.call, callbacks)
  }

  /// The return of delegate callbacks.
  public static func returned(_ callbacks: Callback...) -> EventPattern {
    named(.return, callbacks)
  }

  /// The posting of notifications.
  public static func notify(_ notifications: LifecycleNotification...) -> EventPattern {
    named(.notify, notifications)
  }

  /// The entry of observers' handlers.
  public static func observe(_ notifications: LifecycleNotification...) -> EventPattern {
    named(.observe, notifications)
  }

  /// An instant of work, or the beginning of work with a duration.
  public static func work(_ categories: WorkCategory...) -> EventPattern {
    named(.work, categories) | named(.workBegin, categories)
  }

  /// The beginning of work with a duration, alone.
  public static func workBegin(_ categories: WorkCategory...) -> EventPattern {
    named(.workBegin, categories)
  }

  /// The end of work with a duration.
  public static func workEnd(_ categories: WorkCategory...) -> EventPattern {
    named(.workEnd, categories)
  }

  /// A resource is acquired.
  public static func acquire(_ resources: Resource...) -> EventPattern {
    named(.acquire, resources)
  }

  /// The system hands the app an event.
  public static func deliver(_ deliveries: Delivery...) -> EventPattern {
    named(.deliver, deliveries)
  }

  /// A completion handler is called.
  public static func complete(_ deliveries: Delivery...) -> EventPattern {
    named(.complete, deliveries)
  }

  /// A value is read.
  public static func sample(_ values: SampledValue...) -> EventPattern { named(.sample, values) }

  /// The app or a scene has entered the background, and its delegate has done what it wanted to.
  public static var backgroundEntered: EventPattern { Turn.returns(.background) }

  /// No event at all.
  public static var nothing: EventPattern { EventPattern(.note, names: []) }

  /// Every delegate callback.
  public static var allCalls: EventPattern {
    EventPattern(.call, names: Callback.allCases.map(\.symbol))
  }

  /// Every callback of a scene delegate, but for some.
  public static func sceneCalls(except: Callback...) -> EventPattern {
    let callbacks = Callback.allCases.filter { $0.hook == .sceneDelegate && !except.contains($0) }
    return named(.call, callbacks)
  }

  /// Every notification of UIScene, but for some.
  public static func sceneNotifications(except: LifecycleNotification...) -> EventPattern {
    let notifications = LifecycleNotification.allCases.filter {
      $0.hook == .sceneNotifications && !except.contains($0)
    }
    return named(.notify, notifications)
  }

  /// Every notification of UIApplication.
  public static var appNotifications: EventPattern {
    let notifications = LifecycleNotification.allCases.filter { $0.hook == .appNotifications }
    return named(.notify, notifications)
  }

  /// Events of either pattern, each by its own conditions.
  public static func | (lhs: EventPattern, rhs: EventPattern) -> EventPattern {
    any(of: [lhs, rhs])
  }

  /// Events that any of `patterns` means, each by its own conditions; with none, no event.
  public static func any(of patterns: [EventPattern]) -> EventPattern {
    var branches: [EventPattern] = []
    for branch in patterns.flatMap(\.branches) where !branch.alternatives.isEmpty {
      // Events of the same conditions are one branch.
      if let like = branches.firstIndex(where: { $0.hasConditions(of: branch) }) {
        let known = Set(branches[like].alternatives)
        branches[like].alternatives += branch.alternatives.filter { !known.contains($0) }
      } else {
        branches.append(branch)
      }
    }

    guard var pattern = branches.first else { return .nothing }
    pattern.others = Array(branches.dropFirst())
    return pattern
  }

  private func hasConditions(of other: EventPattern) -> Bool {
    subjects == other.subjects && writer == other.writer && labels == other.labels
      && identifiers == other.identifiers && attributes == other.attributes
      && isInsideObserver == other.isInsideObserver
  }

  /// The pattern as patterns that mean events by one set of conditions each.
  package var branches: [EventPattern] {
    var first = self
    first.others = []
    return [first] + others
  }

  /// Whether it means no event at all.
  package var isNothing: Bool { branches.allSatisfy(\.alternatives.isEmpty) }

  /// Whether verb, name, subject and writer say all.
  package var isPlain: Bool {
    labels == nil && identifiers == nil && attributes.isEmpty && others.isEmpty
  }

  /// Whether each branch is plain and no event is meant by two of them.
  var isOfPlainBranches: Bool {
    let all = branches.flatMap(\.alternatives)
    let ofAnyName = Set(all.filter { $0.name == nil }.map(\.verb))
    let named = all.filter { $0.name != nil }
    return branches.allSatisfy(\.isPlain) && Set(all).count == all.count
      && named.allSatisfy { !ofAnyName.contains($0.verb) }
  }

  /// Only events with one of these labels.
  public func labelled(_ labels: String...) -> EventPattern {
    eachBranch { $0.labels = Set(labels) }
  }

  /// Only events about these kinds of subject.
  public func about(_ kinds: Subject.Kind...) -> EventPattern {
    eachBranch { $0.subjects = Set(kinds) }
  }

  /// Only events from a thread that is known not to be the main one.
  public var offMainThread: EventPattern { eachBranch { $0.writer = .other } }

  /// Only events from the main thread.
  public var onMainThread: EventPattern { eachBranch { $0.writer = .main } }

  /// Only events that come while an observer's handler runs.
  package var insideObserver: EventPattern { eachBranch { $0.isInsideObserver = true } }

  /// Only events that code of the app recorded, not the system.
  public var fromAppCode: EventPattern { eachBranch { $0.writer = .app } }

  func eachBranch(_ change: (inout EventPattern) -> Void) -> EventPattern {
    .any(
      of: branches.map { branch in
        var branch = branch
        change(&branch)
        return branch
      })
  }

  /// The delegate callbacks among the alternatives.
  package var callbacks: Set<Callback> {
    Set(
      branches.flatMap(\.alternatives).compactMap {
        $0.verb == .call || $0.verb == .return ? $0.name.flatMap { Callback($0) } : nil
      })
  }

  /// The hooks that record delegate callbacks among the alternatives, and those for anything else.
  ///
  /// The first say nothing by silence: an app need not implement a delegate's method.
  package var hooks: (callbacks: Set<Hook>, others: Set<Hook>) {
    var callbacks: Set<Hook> = []
    var others: Set<Hook> = []
    for alternative in branches.flatMap(\.alternatives) {
      guard let hook = alternative.hook else { continue }
      let isOfCallback = alternative.verb == .call || alternative.verb == .return
      if isOfCallback { callbacks.insert(hook) } else { others.insert(hook) }
    }
    return (callbacks, others)
  }
}

extension EventPattern.Alternative {
  /// A verb, with a name or with any.
  package init(_ verb: Verb, _ name: Symbol?) { (self.verb, self.name) = (verb, name) }

  /// The hook that records such events: the article `Events`, §5; `nil` when they come without one, or
  /// from one that the name would say.
  package var hook: Hook? {
    switch verb {
    case .call, .return: name.flatMap { Callback($0) }?.hook
    case .notify, .observe, .observed: name.flatMap { LifecycleNotification($0) }?.hook
    case .taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired, .bgtaskRegister,
      .bgtaskLaunch, .bgtaskExpire, .bgtaskComplete:
      .tasks
    case .work, .workBegin, .workEnd, .sample: .work
    case .acquire, .release: .resources
    case .dataDirty, .dataSave: .data
    case .processStart, .kill, .exit: .process
    case .state, .deliver, .complete, .snapshotBegin, .snapshotEnd, .suspend,
      .resume:
      .system
    default: nil
    }
  }
}
