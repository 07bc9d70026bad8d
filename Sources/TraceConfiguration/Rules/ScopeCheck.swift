import LifecycleModel
import TraceAnalysis
import YAMLReading

/// What `per` can keep apart: things that the events of a form have, and that the form can follow.
enum ScopeCheck {
  /// Says so at `per` where a pattern can never find anything, or where it would mistake one thing for
  /// another.
  static func check(_ pattern: RulePattern, _ per: YAMLValue) {
    if pattern.scope == .holder, let form = pattern.form.mistakesHolders {
      return per.fail(
        "\"\(form)\" cannot follow holders: a thread holds several things, and a variable may get "
          + "another task before the end of the first; expected task, label, name or value")
    }
    for events in pattern.form.needed where !events.isNothing {
      if events.canBelong(to: pattern.scope) { continue }
      per.fail(
        "\(events.words) never has a \(pattern.scope.rawValue): the rule can never find anything; "
          + "expected \(pattern.scope.having), or another \"per\"")
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
  fileprivate var isOfTasks: Bool {
    branches.flatMap(\.alternatives).contains { $0.verb == .taskBegin || $0.verb == .taskExpire }
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
