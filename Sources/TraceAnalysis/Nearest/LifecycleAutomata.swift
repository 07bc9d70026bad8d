import LifecycleModel

/// The automaton of an app, and that of each of its scenes, made of the patterns of the rules.
struct LifecycleAutomata {
  private(set) var app = LifecycleAutomaton()
  private(set) var scene = LifecycleAutomaton()

  /// The place of the first rule that does not fit; `nil` when all do.
  var excess: Int? { [app.excess, scene.excess].compactMap(\.self).min() }

  /// Makes the automata of rules and their patterns.
  init(_ rules: [RuleDescription], _ patterns: [NumberedPattern]) {
    for one in patterns {
      add(
        one.pattern,
        LifecycleAutomaton.Clause(
          rule: one.rule, clause: one.number, launches: one.pattern.launches))
    }

    for (index, description) in rules.enumerated() {
      for pattern in description.order {
        add(pattern, LifecycleAutomaton.Clause(rule: index, clause: nil, launches: nil))
      }
    }
  }

  private mutating func add(_ pattern: RulePattern, _ clause: LifecycleAutomaton.Clause) {
    // What depends on more than order is no part of the automata.
    if !pattern.isOfOrderAlone { return }
    switch pattern.scope {
    case .scene: break
    case .app, .subject:
      if let order = pattern.form.content.order(isOfScene: false) {
        app.add(order, clause, isOfScene: false)
      }
    case .task, .name, .label, .value, .session, .holder: return
    }

    if let order = pattern.form.content.order(isOfScene: true) {
      scene.add(order, clause, isOfScene: true)
    }
  }
}

extension RulePattern {
  /// Whether verbs and names say all about the events, and nothing else is asked for.
  fileprivate var isOfOrderAlone: Bool {
    guards.isEmpty && roles == nil && form.content.events.allSatisfy(\.isPlain)
  }
}
