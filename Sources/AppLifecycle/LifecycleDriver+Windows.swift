import LifecycleModel

/// Scenes that come and go while the app is there.
extension LifecycleDriver {
  /// The user opens another scene beside those on screen; not in an app with one scene.
  public func openScene() {
    guard options.mode == .scene, options.isMultiScene, screen == .app, process != nil else {
      return
    }
    showScene(connect(newSession(.window), .none))
    fall()
  }

  /// The user closes a scene for good; with the last one on screen the app leaves the screen, and stays.
  public func closeScene(_ number: UInt32) {
    guard let process, !process.isSuspended, let scene = scene(number, .window) else { return }
    let wasOnScreen = scene.activationState.isForeground
    let others = process.scenes.filter {
      $0 !== scene && $0.activationState.isForeground && $0.session.role.isOnDevice
    }
    let isLast = wasOnScreen && !others.contains { $0.session.role == .window }
    sendToBackground([scene] + (isLast ? others : []))
    close([scene])
    if isLast {
      screen = screen == .switcher(fromApp: true) ? .switcher(fromApp: false) : .home
    }

    planSnapshot()
    fall()
  }

  /// One window leaves the screen while others stay: it is dragged aside, or another stage is chosen.
  public func leaveScene(_ number: UInt32) {
    guard screen == .app, let process, let scene = scene(number, .window),
      scene.activationState.isForeground,
      process.scenes.contains(where: {
        $0 !== scene && $0.session.role == .window && $0.activationState.isForeground
      })
    else { return }
    sendToBackground([scene])
    planSnapshot()
    fall()
  }

  /// A window comes back beside those that are on screen.
  public func returnToScene(_ number: UInt32) {
    guard screen == .app, let scene = scene(number, .window), scene.activationState == .background
    else { return }
    showScene(scene)
    fall()
  }

  private func scene(_ number: UInt32, _ role: SceneRole) -> Scene? {
    process?.scenes.first { $0.number == number && $0.session.role == role }
  }

  /// Scenes resign and leave the screen.
  private func sendToBackground(_ scenes: [Scene]) {
    for scene in scenes where scene.activationState == .foregroundActive { resigns(scene) }
    enterBackground(scenes.filter { $0.activationState.isForeground })
  }

  /// The system takes the memory of a scene in the background; its session stays.
  public func reclaimScene(_ number: UInt32) {
    guard let process, !process.isSuspended,
      let scene = process.scenes.first(where: { $0.number == number }),
      scene.activationState == .background
    else { return }
    disconnects(scene)
  }

  /// The device is connected to a car: the app's scene there becomes active, whatever the device's own
  /// screen shows, and the app is launched for it if it does not run.
  private func connectCarPlay() {
    guard options.mode == .scene, scene(.carplay) == nil else { return }
    if process?.application == nil {
      if process == nil { start(.user) }
      finishLaunching(.user, inBackground: false)
    } else {
      cancelPlans()
      resume()
    }

    guard process != nil else { return }
    showScene(connect(newSession(.carplay), .none))
    drawFirstFrame()
    fall()
  }

  /// A scene is connected that is no window, such as an immersive space, or one on a second display, which nobody
  /// can touch; one for each role, and but for CarPlay while the app is on screen.
  ///
  /// Where the app does not run, CarPlay launches it.
  public func connectScene(_ role: SceneRole) {
    if role == .carplay { return connectCarPlay() }
    guard options.mode == .scene, role != .window, screen == .app, let process,
      process.state.isForeground, scene(role) == nil
    else { return }
    showScene(connect(newSession(role), .none))
    fall()
  }

  /// The scene with a role that is no window's is disconnected.
  public func disconnectScene(_ role: SceneRole) {
    guard role != .window, let process, !process.isSuspended, let scene = scene(role) else {
      return
    }
    sendToBackground([scene])
    close([scene])
    planSnapshot()
    fall()
  }

  private func scene(_ role: SceneRole) -> Scene? {
    process?.scenes.first { $0.session.role == role }
  }

  /// Disconnects scenes and discards their sessions, in any order of the two.
  func close(_ scenes: [Scene]) {
    let closed = scenes.map(\.session)
    if variation.sometimes() {
      discard(closed)
      for scene in scenes { disconnects(scene) }
    } else {
      for scene in scenes { disconnects(scene) }
      discard(closed)
    }
  }
}
