import LifecycleModel

/// What a scope can keep apart: things that the events of a form have, and that the form can follow.
extension RulePattern {
  /// Why the pattern can never find anything in its scope, or would mistake one thing for another; empty
  /// when it can do its work.
  ///
  /// A rule of YAML is refused with these sentences at its `per`, and an analyzer of a rule in Swift
  /// stops with them.
  package var scopeProblems: [String] {
    if scope == .holder, let form = form.mistakesHolders {
      return [
        "\"\(form)\" cannot follow holders: a thread holds several things, and a variable may get "
          + "another task before the end of the first; expected task, label, name or value"
      ]
    }

    return form.needed.filter { !$0.isNothing && !$0.canBelong(to: scope) }.map { events in
      "\(events.words) never has a \(scope.rawValue): the rule can never find anything; "
        + "expected \(scope.having), or another \"per\""
    }
  }
}

extension RulePattern.Form {
  /// The word of a form that follows one thing at a time in each instance; `nil` for others.
  fileprivate var mistakesHolders: String? {
    switch self {
    case .every: "every"
    case .balance: "balance"
    case .budget(let form) where form.spans.isOfTasks: "budget"
    case .order(let form) where form.first.isOfTasks || form.then.isOfTasks: "order"
    default: nil
    }
  }

  /// The events without which nothing is found.
  fileprivate var needed: [EventPattern] {
    switch self {
    case .window(let form): [form.opening, form.culprit]
    case .every(let form): [form.trigger]
    case .order(let form):
      form.repetition == .mustHaveFirst ? [form.then] : [form.first, form.then]
    case .budget(let form): [form.spans]
    case .balance(let form): [form.opening]
    case .count(let form): [form.counted]
    case .condition, .always, .stretch, .mainThread: []
    }
  }
}

extension EventPattern {
  private static let ofTasks: Set<Verb> = [
    .taskBegin, .taskEnd, .taskGranted, .taskExpire, .taskExpired,
  ]

  /// Whether it means events of background tasks, which a variable keeps one after another.
  fileprivate var isOfTasks: Bool {
    branches.flatMap(\.alternatives).contains { EventPattern.ofTasks.contains($0.verb) }
  }
}

extension Scope {
  /// What the events must be that it keeps apart.
  fileprivate var having: String {
    switch self {
    case .session: "an event about a session or a scene"
    case .value: "an event with a value, such as deliver"
    default: "an event about a \(rawValue)"
    }
  }
}
