import LifecycleModel

/// A delegate call, or a notification beside it, about a scene or about the app.
struct TransitionPart {
  enum Kind {
    case call(Callback, [Attribute], @MainActor (Application) -> Void)
    case post(LifecycleNotification)
  }

  let kind: Kind
  var scene: Scene?
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
      let subject = Subject(part.scene)
      let watch = limit.flatMap { self.watch(max(0, $0 - spent[subject, default: 0]), termination) }
      switch part.kind {
      case .call(let callback, let attributes, let body):
        call(callback, of: part.scene, attributes, atReturn: changeOnce, body)
      case .post(let notification):
        changeOnce()
        post(notification, about: part.scene)
      }
      unwatch(watch)
      spent[subject, default: 0] += now - start
    }
    changeOnce()
  }

  /// Calls a method of a scene's delegate, or else of the app's, which it has unless the options say otherwise.
  ///
  /// The call is about `subject`, which is the scene or the app where none is given. `complete` is what the method is
  /// handed to call; `atReturn` is done when it has run, just before the return is recorded.
  func call(
    _ callback: Callback, of scene: Scene? = nil, about subject: Subject? = nil,
    _ attributes: [Attribute] = [], completing complete: (@MainActor () -> Void)? = nil,
    atReturn: () -> Void = {}, _ body: (Application) -> Void
  ) {
    guard let process, let application = process.application else { return }
    let subject = subject ?? Subject(scene)
    func run() {
      let call = DelegateCall(
        callback: callback, application: application, scene: scene, complete: complete)
      let handler = call.handler
      // A handler completes, and returns nothing: the default methods return what is needed.
      if handler == nil || complete == nil { body(application) }
      handler?(call)
    }

    guard options.implemented?.contains(callback) ?? true else {
      // Who has no such method completes what it is handed over.
      turn(process) {
        run()
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
      run()
      guard process.isAlive else { return }
      host.pace()
      atReturn()
      host.recorder.returned(callback, subject)
    }
  }

  /// Posts a notification about a scene, or else about the app.
  func post(_ notification: LifecycleNotification, about scene: Scene? = nil) {
    guard let process, let application = process.application else { return }
    host.pace()
    turn(process) {
      host.recorder.notify(notification, object: Subject(scene))
      application.deliver(notification, scene ?? application)
    }
  }

  /// A call of the app's delegate, and the notification of the same thing.
  func appParts(
    _ callback: Callback, _ body: @escaping @MainActor (Application) -> Void
  ) -> [TransitionPart] {
    [TransitionPart(kind: .call(callback, [], body))]
      + (callback.notification.map { [TransitionPart(kind: .post($0))] } ?? [])
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
    let call = TransitionPart.Kind.call(callback, []) { _ in
      if let delegate = scene.delegate { body(delegate) }
    }
    var parts = [TransitionPart(kind: call, scene: scene)]
    if let own = callback.notification {
      parts.append(TransitionPart(kind: .post(own), scene: scene))
    }
    if let app { parts.append(TransitionPart(kind: .post(app))) }
    return variation.order(parts)
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
    let isLast = process?.mostActive(besides: scene) != .active || variation.sometimes()
    transit(
      parts(
        scene, .sceneWillResignActive, app: isLast ? .applicationWillResignActive : nil
      ) { $0.sceneWillResignActive(scene) }, .future
    ) { setScene(scene, .foregroundInactive) }
  }

  func entersBackground(_ scene: Scene, isLast: Bool) {
    let tellsApp = isLast && process?.mostActive(besides: scene) ?? .background == .background
    let wasOnScreen = scene.activationState.isForeground
    transit(
      parts(
        scene, .sceneDidEnterBackground, app: tellsApp ? .applicationDidEnterBackground : nil
      ) { $0.sceneDidEnterBackground(scene) }, .past, limit: limits.didEnterBackground
    ) { setScene(scene, .background) }

    guard wasOnScreen, scene.delegate != nil else { return }
    call(.sceneStateRestorationActivity, of: scene) { _ in
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
