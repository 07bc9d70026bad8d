import LifecycleModel

/// The automaton of an app, and that of each of its scenes, made of the patterns of the rules.
struct LifecycleAutomata {
  private(set) var app = LifecycleAutomaton()
  private(set) var scene = LifecycleAutomaton()

  /// Makes the automata of rules; their clauses are counted as in ``ClauseSet``.
  init(_ rules: [RuleDescription]) {
    var clause = 0
    for (index, description) in rules.enumerated() {
      for pattern in description.patterns {
        add(
          pattern,
          LifecycleAutomaton.Clause(rule: index, clause: clause, launches: pattern.launches))
        clause += 1
      }
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
      for form in pattern.form.ofOrder(isOfScene: false) { app.add(form, clause, isOfScene: false) }
    case .task, .name, .label: return
    }
    for form in pattern.form.ofOrder(isOfScene: true) { scene.add(form, clause, isOfScene: true) }
  }
}

extension RulePattern {
  /// Whether verbs and names say all about the events, and nothing else is asked for.
  fileprivate var isOfOrderAlone: Bool {
    guards.isEmpty && limit == nil && roles == nil && form.events.allSatisfy(\.isPlain)
  }
}

extension RulePattern.Form {
  /// What the form says about the order of letters; for a condition what brings it about.
  fileprivate func ofOrder(isOfScene: Bool) -> [LifecycleAutomaton.Form] {
    switch self {
    case .window(let culprit, let opening, let closing):
      return [.window(culprit: culprit, opening: opening, closing: closing, lasts: false)]
    case .always(let culprit, _): return [.always(culprit: culprit)]
    case .order(let first, let then, let until, let repetition):
      return repetition == .mustHaveFirst
        ? [.begins(first: first, then: then)]
        : [.order(first: first, then: then, until: until, once: repetition == .once)]
    case .every(let trigger, let response, let before):
      return [.window(culprit: before, opening: trigger, closing: response, lasts: false)]
    case .condition(_, .suspended):
      return [
        .window(
          culprit: isOfScene ? .ofScenes : .ofApp, opening: .verbs(.suspend),
          closing: .verbs(.resume), lasts: true)
      ]
    case .condition(let culprit, .appInForeground), .condition(let culprit, .sceneInForeground):
      return [
        isOfScene
          ? .window(
            culprit: culprit,
            opening: .call(.sceneWillEnterForeground, .sceneDidBecomeActive)
              | .notify(.sceneWillEnterForeground, .sceneDidActivate),
            closing: .call(.sceneDidEnterBackground, .sceneDidDisconnect)
              | .notify(.sceneDidEnterBackground, .sceneDidDisconnect), lasts: true)
          : .window(
            culprit: culprit,
            opening: .call(.applicationWillEnterForeground, .applicationDidBecomeActive)
              | .notify(.applicationWillEnterForeground, .applicationDidBecomeActive),
            closing: .call(.applicationDidEnterBackground)
              | .notify(.applicationDidEnterBackground), lasts: true)
      ]
    case .condition, .budget, .balance, .stretch, .mainThread: return []
    }
  }
}

extension EventPattern {
  /// Whatever the app's delegate is called for, and UIApplication posts.
  fileprivate static var ofApp: EventPattern {
    .named(.call, Callback.allCases.filter { $0.hook == .appDelegate }) | .appNotifications
  }

  /// Whatever a scene's delegate is called for, and UIScene posts.
  fileprivate static var ofScenes: EventPattern { .sceneCalls() | .sceneNotifications() }
}
