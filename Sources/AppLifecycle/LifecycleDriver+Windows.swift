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

  /// The user closes a scene for good, while there is another one.
  public func closeScene(_ number: UInt32) {
    guard let process, let scene = process.scenes.first(where: { $0.number == number }),
      scene.session.role == .window, !process.isSuspended,
      process.scenes.filter({ $0.session.role == .window }).count > 1
    else { return }
    if scene.activationState == .foregroundActive { resigns(scene) }
    if scene.activationState.isForeground { entersBackground(scene, isLast: true) }
    close([scene])
    fall()
  }

  /// The system takes the memory of a scene in the background; its session stays.
  public func reclaimScene(_ number: UInt32) {
    guard let process, !process.isSuspended,
      let scene = process.scenes.first(where: { $0.number == number }),
      scene.activationState == .background
    else { return }
    disconnects(scene)
  }

  /// A second display is connected: it shows a scene that nobody can touch.
  public func connectExternalDisplay() {
    guard options.mode == .scene, screen == .app, let process, process.state.isForeground,
      !process.scenes.contains(where: { $0.session.role == .external })
    else { return }
    showScene(connect(newSession(.external), .none))
    fall()
  }

  /// The second display is disconnected.
  public func disconnectExternalDisplay() {
    guard let process, !process.isSuspended,
      let scene = process.scenes.first(where: { $0.session.role == .external })
    else { return }
    if scene.activationState.isForeground { entersBackground(scene, isLast: true) }
    close([scene])
    fall()
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
