import LifecycleModel

/// A condition on the state in which an event happens.
public enum StateCondition: Sendable {
  /// The process is suspended.
  case suspended
  /// The app, or one of its scenes, is in the foreground.
  case appInForeground
  /// The event's scene or app has resigned and is not active again: its `…WillResignActive` is over.
  case subjectInactive
  /// The event's scene or app is in the background: its `…DidEnterBackground` is over.
  case subjectInBackground
  /// A scene is in the foreground.
  case sceneInForeground
  /// The callback runs that is about the event's scene, or about its app.
  case insideCallback(ofScene: Callback, ofApp: Callback)
  /// A callback or an observer's handler runs on the event's thread that is about another scene, while
  /// the event's own scene is active.
  case insideCallbackOfAnotherScene
  /// ``open(_:)``.
  case openSpan(OpenSpan)
  /// A callback runs by which the app or a scene leaves the foreground; without one there is nothing
  /// to judge.
  case insideDeparture
  /// The app is active.
  case appActive
  /// The app declares one of these background modes.
  case declaring([String])

  /// What looking at a condition came to.
  enum Answer {
    case no
    /// It holds, brought about by these facts: one finding each; by none when the profile says it.
    case yes([OpenEvent])
    /// The state is not known, or a gap may have hidden a change.
    case unknown(Doubt)
    /// There is nothing to judge.
    case irrelevant
  }

  /// Whether the condition holds before `event`.
  func answer(_ event: Event, _ moment: Moment) -> Answer {
    switch self {
    case .suspended:
      guard let suspension = moment.state.suspension else { return .no }
      return certain([suspension], moment)
    case .appInForeground:
      return appInForeground(moment)
    case .subjectInactive:
      return subject(
        of: event, moment, is: { $0 != .active }, outside: .resign)
    case .subjectInBackground:
      return subject(
        of: event, moment, is: { $0 == .background || $0 == .suspended }, outside: .background)
    case .openSpan(let span):
      let (open, missing) = span.look(event, moment)
      if !open.isEmpty { return certain(open, moment) }
      return missing.map { .unknown(.attributeMissing($0)) } ?? nothingKnown(moment)
    case .sceneInForeground:
      let visible = moment.state.scenes.filter(\.activation.isForeground).map(\.since)
      return visible.isEmpty ? .no : certain(visible, moment)
    case .insideCallback(let ofScene, let ofApp):
      let callback = event.subjectKind == .scene ? ofScene : ofApp
      guard
        let call = moment.state.open.newest(.call, name: callback.symbol, subject: event.subject)
      else { return .no }
      return certain([call], moment)
    case .insideCallbackOfAnotherScene:
      return insideCallbackOfAnotherScene(event, moment)
    case .appActive:
      guard let app = moment.state.app else { return .unknown(.stateNotKnown) }
      if app.state == .active { return certain([app.since], moment) }
      return moment.state.isCertain(app.since) ? .no : .unknown(.gap)
    case .declaring(let modes):
      guard let declared = moment.profile.backgroundModes else {
        return .unknown(.profileKeyMissing(.backgroundModes))
      }
      return modes.contains(where: declared.contains) ? .yes([]) : .no
    case .insideDeparture:
      if moment.state.open.count(.call) == 0 { return .irrelevant }
      let departures = moment.departuresRunning
      return departures.isEmpty ? .irrelevant : certain(departures, moment)
    }
  }

  private func insideCallbackOfAnotherScene(_ event: Event, _ moment: Moment) -> Answer {
    guard event.subjectKind == .scene,
      moment.state.open.count(.call) > 0 || moment.state.open.count(.observe) > 0,
      let scene = moment.state.scene(event.subjectNumber), scene.activation == .foregroundActive
    else { return .no }
    let running = (moment.state.open.facts(.call) + moment.state.open.facts(.observe))
      .filter { $0.event.writer == event.writer }
    guard let innermost = running.max(by: { $0.ordinal < $1.ordinal }),
      innermost.event.subjectKind == .scene, innermost.event.subject != event.subject
    else { return .no }
    return moment.state.isCertain(scene.since) ? certain([innermost], moment) : .unknown(.gap)
  }

  /// Nothing is known to be open: so it is, unless its begin is missing.
  ///
  /// A process begins with nothing open.
  private func nothingKnown(_ moment: Moment) -> Answer {
    guard moment.state.lastGap != nil else { return .no }
    if let start = moment.state.processStart, moment.state.isCertain(start) { return .no }
    return .unknown(.gap)
  }

  private func certain(_ facts: [OpenEvent], _ moment: Moment) -> Answer {
    let certain = facts.filter { moment.state.isCertain($0) }
    return certain.isEmpty ? .unknown(.gap) : .yes(certain)
  }

  /// A process whose start was recorded has not been anywhere yet.
  private func beforeFirstState(_ moment: Moment) -> Answer {
    guard let start = moment.state.processStart else { return .unknown(.stateNotKnown) }
    return moment.state.isCertain(start) ? .no : .unknown(.gap)
  }

  private func appInForeground(_ moment: Moment) -> Answer {
    guard let app = moment.state.app else { return beforeFirstState(moment) }
    guard app.state.isForeground else {
      return moment.state.isCertain(app.since) ? .no : .unknown(.gap)
    }
    // Of an app with scenes the scene is named that is there.
    let scene = moment.state.scenes.filter(\.activation.isForeground).map(\.since)
      .filter(moment.state.isCertain).max { $0.ordinal < $1.ordinal }
    return certain([scene ?? app.since], moment)
  }

  private func subject(
    of event: Event, _ moment: Moment, is condition: (AppState) -> Bool, outside turn: Turn
  ) -> Answer {
    let isScene = event.subjectKind == .scene
    let current =
      isScene
      ? moment.state.activation(ofScene: event.subjectNumber)?.appState : moment.state.appState
    guard let current else { return beforeFirstState(moment) }

    let holds = condition(current)
    // Nearly every event ends here: the app is active and nothing was lost.
    if !holds && moment.state.lastGap == nil { return .no }
    guard
      let since = isScene ? moment.state.scene(event.subjectNumber)?.since : moment.state.app?.since
    else {
      return beforeFirstState(moment)
    }
    guard holds else { return moment.state.isCertain(since) ? .no : .unknown(.gap) }

    // The state of an app with scenes follows its scenes', so theirs is the callback that must be
    // over.
    let isInside =
      Turner(event.subjectKind).callback(turn).map {
        moment.state.open.newest(.call, name: $0.symbol, subject: event.subject) != nil
      } ?? false
    return isInside || !isScene && isInsideSceneCall(moment, turn) ? .no : certain([since], moment)
  }

  private func isInsideSceneCall(_ moment: Moment, _ turn: Turn) -> Bool {
    moment.state.open.count(.call) > 0
      && moment.state.open.facts(.call).contains {
        Turner.turn($0.event.name).map { $0 == (.scene, turn) } ?? false
          && $0.event.subjectKind == .scene
          && moment.state.activation(ofScene: $0.event.subjectNumber) != nil
      }
  }
}
