import LifecycleModel

extension EventPattern {
  /// One of all its hooks; nothing when some of its events need none.
  var anyHook: [[Hook]] {
    let all = branches.flatMap(\.alternatives)
    let hooks = all.compactMap(\.hook)
    guard hooks.count == all.count, !hooks.isEmpty else { return [] }
    return [Hook.allCases.filter(hooks.contains)]
  }

  /// All of its hooks; one of two for what a callback and its notification tell.
  var allHooks: [[Hook]] {
    var needed: [[Hook]] = []
    let all = branches.flatMap(\.alternatives)
    for alternative in all {
      guard let hook = alternative.hook else { continue }
      let twin = all.first { alternative.isTwin(of: $0) }?.hook
      let hooks = Hook.allCases.filter { $0 == hook || $0 == twin }
      if !needed.contains(hooks) { needed.append(hooks) }
    }
    return needed
  }
}

extension EventPattern.Alternative {
  /// Whether one is a callback, and the other the notification of the same thing.
  fileprivate func isTwin(of other: EventPattern.Alternative) -> Bool {
    guard let name, let otherName = other.name else { return false }
    return Callback(name)?.notification?.symbol == otherName
      || Callback(otherName)?.notification?.symbol == name
  }
}

extension StateCondition {
  /// What shows the state; the states of app and scenes show themselves in several ways.
  var neededHooks: [[Hook]] {
    switch self {
    case .declaring: []
    case .openSpan(let span): span.begin.anyHook
    case .suspended: [[.system]]
    case .insideCallback(let scene, let app):
      [Hook.allCases.filter { $0 == scene.hook || $0 == app.hook }]
    case .insideDeparture: [[.appDelegate, .sceneDelegate]]
    case .appInForeground, .appActive, .subjectInactive, .subjectInBackground, .sceneInForeground,
      .insideCallbackOfAnotherScene:
      [[.appDelegate, .sceneDelegate, .appNotifications, .sceneNotifications, .system]]
    }
  }
}
