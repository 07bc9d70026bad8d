import LifecycleModel

/// A delegate call, or a notification beside it.
struct TransitionPart {
  enum Kind {
    case call(Callback, [Attribute], @MainActor (Application) -> Void)
    case post(LifecycleNotification, AnyObject?)
  }

  let kind: Kind
  let subject: Subject

  static func call(
    _ callback: Callback, _ subject: Subject, _ attributes: [Attribute] = [],
    _ body: @escaping @MainActor (Application) -> Void
  ) -> TransitionPart {
    TransitionPart(kind: .call(callback, attributes, body), subject: subject)
  }

  static func post(
    _ notification: LifecycleNotification, _ subject: Subject, _ object: AnyObject?
  ) -> TransitionPart {
    TransitionPart(kind: .post(notification, object), subject: subject)
  }
}

extension LifecycleDriver {
  /// How an event relates to the change of state that it is about.
  enum Tense {
    /// The state changes when the first part of the transition is over: "will".
    case future
    /// The state has changed before: "did".
    case past
  }

  /// Goes through one transition: its call and its notifications, and the change of state between.
  ///
  /// With a limit, the call and the notifications of the same subject share it, and any other subject's
  /// have it for themselves; when it is over, the process ends.
  func transit(
    _ parts: [TransitionPart], _ tense: Tense, limit: Nanoseconds? = nil,
    _ termination: Termination = .watchdog("scene-update"), change: () -> Void = {}
  ) {
    guard let process else { return }
    var isChanged = false
    func changeOnce() {
      guard !isChanged else { return }
      isChanged = true
      if process.isAlive { change() }
    }

    if tense == .past { changeOnce() }
    var spent: [Subject: Nanoseconds] = [:]
    for part in parts where process.isAlive {
      let start = now
      let watch = limit.flatMap {
        self.watch(max(0, $0 - spent[part.subject, default: 0]), termination)
      }
      switch part.kind {
      case .call(let callback, let attributes, let body):
        call(callback, part.subject, attributes, atReturn: changeOnce, body)
      case .post(let notification, let object):
        changeOnce()
        post(notification, part.subject, object)
      }
      unwatch(watch)
      spent[part.subject, default: 0] += now - start
    }
    changeOnce()
  }

  /// Calls a method of a delegate, which it has unless the options say otherwise; `atReturn` is done when
  /// it has run, just before the return is recorded.
  func call(
    _ callback: Callback, _ subject: Subject, _ attributes: [Attribute] = [],
    atReturn: () -> Void = {}, _ body: (Application) -> Void
  ) {
    guard let process, let application = process.application else { return }
    guard options.implemented?.contains(callback) ?? true else {
      // Who has no such method completes what it is handed over.
      turn(process) {
        body(application)
        if process.isAlive { atReturn() }
      }
      return
    }

    host.pace()
    turn(process) {
      if attributes.isEmpty {
        host.recorder.call(callback, subject)
      } else {
        application.record(.call, callback.rawValue, subject, attributes: attributes)
      }
      body(application)
      guard process.isAlive else { return }
      host.pace()
      atReturn()
      host.recorder.returned(callback, subject)
    }
  }

  /// Posts a notification about `subject`.
  func post(_ notification: LifecycleNotification, _ subject: Subject, _ object: AnyObject?) {
    guard let process, let application = process.application else { return }
    host.pace()
    turn(process) {
      host.recorder.notify(notification, object: subject)
      application.deliver(notification, object)
    }
  }

  /// Posts a notification about the app.
  func appPart(_ notification: LifecycleNotification) -> TransitionPart {
    .post(notification, .app, process?.application)
  }

  /// A call of the app's delegate, and the notification of the same thing.
  func appParts(
    _ callback: Callback, _ body: @escaping @MainActor (Application) -> Void
  ) -> [TransitionPart] {
    [.call(callback, .app, [], body)] + (callback.notification.map { [appPart($0)] } ?? [])
  }

  // MARK: State

  /// Changes the state of the app, and says so.
  func setApp(_ state: AppState) {
    guard let process, process.state != state else { return }
    host.say(.state, name: Transition(process.state, state).text, .app)
    process.state = state
    if state != .background { process.budgetUsed = 0 }
    updateBudget()
  }

  /// Changes the state of a scene, and that of the app with it.
  func setScene(_ scene: Scene, _ activation: SceneActivation) {
    guard let process, scene.activationState != activation else { return }
    host.say(.state, name: Transition(scene.activationState, activation).text, scene.subject)
    scene.activationState = activation
    if activation == .unattached { process.scenes.removeAll { $0 === scene } }
    setApp(process.mostActive)
  }

  // MARK: The app without scenes

  func appBecomesActive() {
    let parts = appParts(.applicationDidBecomeActive) {
      $0.delegate?.applicationDidBecomeActive($0)
    }
    transit(variation.order(parts), .past) { setApp(.active) }
  }

  /// The notification follows the call: the one order that is documented.
  func appResigns() {
    let parts = appParts(.applicationWillResignActive) {
      $0.delegate?.applicationWillResignActive($0)
    }
    transit(parts, .future) { setApp(.inactive) }
  }

  func appEntersBackground() {
    let parts = appParts(.applicationDidEnterBackground) {
      $0.delegate?.applicationDidEnterBackground($0)
    }
    transit(variation.order(parts), .past, limit: limits.didEnterBackground) {
      setApp(.background)
    }
  }

  func appEntersForeground() {
    let parts = appParts(.applicationWillEnterForeground) {
      $0.delegate?.applicationWillEnterForeground($0)
    }
    transit(variation.order(parts), .future) { setApp(.inactive) }
  }

  // MARK: Scenes

  /// A scene's call and notification, and the app's when the most active scene changes with it.
  private func parts(
    _ scene: Scene, _ callback: Callback, app: LifecycleNotification?,
    _ body: @escaping @MainActor (any SceneDelegate) -> Void
  ) -> [TransitionPart] {
    var parts: [TransitionPart] = [
      .call(callback, scene.subject) { _ in if let delegate = scene.delegate { body(delegate) } }
    ]
    if let notification = callback.notification {
      parts.append(.post(notification, scene.subject, scene))
    }
    if let app { parts.append(appPart(app)) }
    return variation.order(parts)
  }

  /// The most active state of all scenes but `scene`.
  private func others(_ scene: Scene) -> AppState {
    let states = process?.scenes.filter { $0 !== scene }.map(\.activationState.appState) ?? []
    return states.contains(.active) ? .active : states.contains(.inactive) ? .inactive : .background
  }

  func entersForeground(_ scene: Scene) {
    // tvOS does not post it when the app is on screen for the first time.
    let isPosted =
      process?.mostActive == .background
      && (options.platform != "tvos" || process?.hasFrame == true)
    transit(
      parts(
        scene, .sceneWillEnterForeground, app: isPosted ? .applicationWillEnterForeground : nil
      ) { $0.sceneWillEnterForeground(scene) }, .future
    ) { setScene(scene, .foregroundInactive) }
  }

  func becomesActive(_ scene: Scene) {
    let isFirst = process?.mostActive != .active || variation.sometimes()
    transit(
      parts(
        scene, .sceneDidBecomeActive, app: isFirst ? .applicationDidBecomeActive : nil
      ) { $0.sceneDidBecomeActive(scene) }, .past
    ) { setScene(scene, .foregroundActive) }
  }

  /// The app's notification comes with the last scene; whether also with the others is not settled.
  func resigns(_ scene: Scene) {
    let isLast = others(scene) != .active || variation.sometimes()
    transit(
      parts(
        scene, .sceneWillResignActive, app: isLast ? .applicationWillResignActive : nil
      ) { $0.sceneWillResignActive(scene) }, .future
    ) { setScene(scene, .foregroundInactive) }
  }

  func entersBackground(_ scene: Scene, isLast: Bool) {
    let tellsApp = isLast && others(scene) == .background
    let wasOnScreen = scene.activationState.isForeground
    transit(
      parts(
        scene, .sceneDidEnterBackground, app: tellsApp ? .applicationDidEnterBackground : nil
      ) { $0.sceneDidEnterBackground(scene) }, .past, limit: limits.didEnterBackground
    ) { setScene(scene, .background) }

    guard wasOnScreen, scene.delegate != nil else { return }
    call(.sceneStateRestorationActivity, scene.subject) { _ in
      scene.session.stateRestorationActivity = scene.delegate?.stateRestorationActivity(for: scene)
    }
  }

  func disconnects(_ scene: Scene) {
    transit(
      parts(scene, .sceneDidDisconnect, app: nil) {
        $0.sceneDidDisconnect(scene)
      }, .past
    ) { setScene(scene, .unattached) }
  }
}
