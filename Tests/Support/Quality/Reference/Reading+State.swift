import LifecycleModel
import TraceAnalysis

/// What must not come in a state.
extension Reading {
  /// What a condition comes to before an event.
  private enum Truth {
    case no, unknown, irrelevant
    /// Brought about by these; by none when the profile says it.
    case yes([OpenEvent])
  }

  func condition(_ culprit: EventPattern, _ condition: StateCondition) -> [Judgement] {
    trace.events.indices.flatMap { index -> [Judgement] in
      if !hears(culprit, index) || trace.isSystems(index) || !isInState(index) { return [] }
      switch truth(condition, index) {
      case .irrelevant: return []
      case .no: return [Judgement(index: index, verdict: .satisfied)]
      case .unknown: return [Judgement(index: index, verdict: .cannotTell)]
      case .yes(let facts):
        let sure = facts.filter { trace.isUnbroken($0, index) }
        if sure.isEmpty { return [Judgement(index: index, verdict: .cannotTell)] }
        return sure.map {
          Judgement(index: index, opener: Int($0.ordinal) - 1, verdict: .violated)
        }
      }
    }
  }

  // MARK: Guards

  /// Whether an event counts in its state: what must hold does, for certain, and nothing else.
  func isInState(_ index: Int) -> Bool {
    pattern.guards.holding.allSatisfy { holds($0, index) == true }
      && pattern.guards.notHolding.allSatisfy { holds($0, index) == false }
  }

  /// The events that the form is about of which it is not known whether they count: for their state,
  /// or for what they do not say.
  var unclear: [Judgement] {
    var helpers = pattern.form.content.events
    let primary = primaryPlace.map { helpers.remove(at: $0) }
    return trace.events.indices.filter { index in
      helpers.contains { mayHear($0, index) && !hears($0, index) } || isAstray(index)
        || primary.map { isUnclear($0, index) } ?? false
    }.map { Judgement(index: $0, verdict: .cannotTell) }
  }

  /// Whether an event does not say where it belongs; a window asks only when a culprit comes.
  private func isAstray(_ index: Int) -> Bool {
    if case .window = pattern.form { return false }
    return pattern.form.content.events.enumerated().contains { place, events in
      if place == primaryPlace {
        return hears(events, index) && isStray([events], index) && isInState(index)
      }
      return isStray([events], index)
    }
  }

  /// Whether it is not known whether an event counts that a finding would name.
  private func isUnclear(_ primary: EventPattern, _ index: Int) -> Bool {
    guard mayHear(primary, index) else { return false }
    var holding = pattern.guards.holding
    if case .condition(let form) = pattern.form {
      holding.append(form.state)
    }
    let isOut =
      holding.contains { holds($0, index) == false }
      || pattern.guards.notHolding.contains { holds($0, index) == true }
    return !isOut && !(hears(primary, index) && isInState(index))
  }

  /// The place of the events whose states are asked: those that a finding would name.
  private var primaryPlace: Int? {
    switch pattern.form {
    case .window, .condition, .always, .every, .budget, .count: 0
    case .order: 1
    default: nil
    }
  }

  /// `nil` when it is not known.
  private func holds(_ condition: StateCondition, _ index: Int) -> Bool? {
    switch truth(condition, index) {
    case .no, .irrelevant: false
    case .unknown: nil
    case .yes(let facts):
      facts.isEmpty || facts.contains { trace.isUnbroken($0, index) } ? true : nil
    }
  }

  private func truth(_ condition: StateCondition, _ index: Int) -> Truth {
    let state = trace.states[index]
    switch condition {
    case .suspended: return some([state.suspension].compactMap(\.self))
    case .openSpan(let span): return isOpen(span, index)
    case .declaring(let modes):
      guard let declared = trace.profiles[index].backgroundModes else { return .unknown }
      return Set(modes).isDisjoint(with: declared) ? .no : .yes([])

    case .sceneInForeground:
      return some(state.scenes.filter { $0.activation.isForeground }.map(\.since))
    case .insideCallback(let ofScene, let ofApp):
      let event = trace.events[index]
      let callback = event.subjectKind == .scene ? ofScene : ofApp
      return some(
        calls(state) { $0.name == callback.symbol && $0.subject == event.subject }.suffix(1))
    case .insideDeparture:
      let leaving: [Callback] = [
        .applicationWillResignActive, .applicationDidEnterBackground, .sceneWillResignActive,
        .sceneDidEnterBackground,
      ]
      let open = calls(state) { call in leaving.contains { $0.symbol == call.name } }
      return open.isEmpty ? .irrelevant : .yes(open)
    case .insideCallbackOfAnotherScene: return insideAnotherScene(index)

    case .appActive:
      guard let app = state.app else { return .unknown }
      guard trace.isUnbroken(app.since, index) else { return .unknown }
      return app.state == .active ? .yes([app.since]) : .no
    case .appInForeground:
      guard let app = state.app else { return beforeAnyState(index) }
      let scenes = state.scenes.filter { $0.activation.isForeground }.map(\.since)
      let isInForeground = app.state == .active || app.state == .inactive
      let sure = (isInForeground ? scenes : []).filter { trace.isUnbroken($0, index) }
      if let newest = sure.max(by: { $0.ordinal < $1.ordinal }) { return .yes([newest]) }
      guard trace.isUnbroken(app.since, index) else { return .unknown }
      return isInForeground ? .yes([app.since]) : .no

    case .subjectInactive:
      return subject(
        index, .sceneWillResignActive, .applicationWillResignActive
      ) { $0 != .active }
    case .subjectInBackground:
      return subject(
        index, .sceneDidEnterBackground, .applicationDidEnterBackground
      ) { $0 == .background || $0 == .suspended }
    }
  }

  /// Whether what an event of a pattern began is open.
  private func isOpen(_ span: OpenSpan, _ index: Int) -> Truth {
    let event = trace.events[index]
    let state = trace.states[index]
    let own = state.open.facts.filter { fact in
      if !span.isLeaving || event.subjectKind != .scene { return true }
      // Of the scene that leaves, or of the app when no other scene is on screen.
      let others = state.scenes.filter { $0.number != event.subjectNumber }
      return fact.event.subject == event.subject
        || fact.event.subjectKind != .scene && !others.contains { $0.activation.isForeground }
    }
    let meant = own.map { trace.matches(span.begin, Int($0.ordinal) - 1) }
    let open = zip(own, meant).filter { $0.1 == true }.map(\.0)
    if !open.isEmpty { return .yes(open) }
    // What a process began before a gap, or in it, may be open.
    let start = state.processStart.map { Int($0.ordinal) - 1 } ?? -1
    let isKnown = trace.isUnbroken(start, index)
    return meant.contains(nil) || !isKnown ? .unknown : .no
  }

  private func some(_ facts: [OpenEvent]) -> Truth { facts.isEmpty ? .no : .yes(facts) }

  private func calls(_ state: LifecycleState, where condition: (Event) -> Bool) -> [OpenEvent] {
    state.open.facts(.call).filter { condition($0.event) }
  }

  /// A process whose beginning was seen has not been anywhere yet.
  private func beforeAnyState(_ index: Int) -> Truth {
    guard let start = trace.states[index].processStart else { return .unknown }
    return trace.isUnbroken(start, index) ? .no : .unknown
  }

  private func subject(
    _ index: Int, _ ofScene: Callback, _ ofApp: Callback, _ holds: (AppState) -> Bool
  ) -> Truth {
    let event = trace.events[index]
    let state = trace.states[index]
    let scene = state.scenes.first { .scene($0.number) == event.subject }
    let known: (state: AppState, since: OpenEvent)? =
      event.subjectKind == .scene
      ? scene.map { ($0.activation.appState, $0.since) } : state.app.map { ($0.state, $0.since) }
    guard let known else { return beforeAnyState(index) }
    guard holds(known.state) else { return trace.isUnbroken(known.since, index) ? .no : .unknown }

    // The callback that has to be over: its own, or of an app with scenes any scene's.
    let scenes = Set(state.scenes.map { Subject.scene($0.number) })
    let isInside = !calls(state) { call in
      event.subjectKind == .scene
        ? call.name == ofScene.symbol && call.subject == event.subject
        : call.name == ofApp.symbol && call.subject == event.subject
          || call.name == ofScene.symbol && scenes.contains(call.subject)
    }.isEmpty
    return isInside ? .no : .yes([known.since])
  }

  private func insideAnotherScene(_ index: Int) -> Truth {
    let event = trace.events[index]
    let state = trace.states[index]
    guard let scene = state.scenes.first(where: { .scene($0.number) == event.subject }),
      scene.activation == .foregroundActive
    else { return .no }

    let running = (state.open.facts(.call) + state.open.facts(.observe))
      .filter { $0.event.writer == event.writer }.sorted { $0.ordinal < $1.ordinal }
    guard let innermost = running.last, innermost.event.subjectKind == .scene,
      innermost.event.subject != event.subject
    else { return .no }
    return trace.isUnbroken(scene.since, index) ? .yes([innermost]) : .unknown
  }
}
