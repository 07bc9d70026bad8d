import LifecycleModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What the user does with the screen.
extension LifecycleDriver {
  /// The user opens the app: it is launched, or comes back.
  public func launch() { bring(.none) }

  /// The user opens a URL that belongs to the app.
  public func openURL(_ url: URL) { bring(.url(url)) }

  /// The user continues an activity in the app.
  public func continueActivity(_ activity: UserActivity) { bring(.activity(activity)) }

  /// The user chooses a quick action of the app's icon.
  public func performShortcut(_ item: ShortcutItem) { bring(.shortcut(item)) }

  /// The user taps a notification of the app's.
  public func openNotification(_ response: NotificationResponse) { bring(.notification(response)) }

  private func bring(_ purpose: Purpose) {
    switch screen {
    case .locked: return
    case .app: open(purpose, in: frontScene)
    case .interruption:
      endInterruption()
      open(purpose, in: frontScene)
    case .switcher(fromApp: true):
      closeSwitcher()
      open(purpose, in: frontScene)
    case .home, .switcher(fromApp: false):
      screen = .app
      if process?.application == nil {
        var reason = LaunchReason.user
        if case .url = purpose { reason = .url }
        launchIntoForeground(reason, purpose)
      } else {
        enterForeground(purpose)
      }
    }
    fall()
  }

  /// A process that died while it was on screen leaves the home screen.
  func fall() {
    if process == nil, screen == .app || screen == .interruption { screen = .home }
  }

  private var frontScene: Scene? {
    process?.scenes.first {
      $0.activationState == .foregroundActive && $0.session.role.isOnDevice
    }
  }

  /// From the background to the foreground.
  func enterForeground(_ purpose: Purpose) {
    guard let process else { return }
    cancelPlans()
    if process.isSuspended { resume() }
    switch options.mode {
    case .app:
      appEntersForeground()
      open(purpose, in: nil)
      appBecomesActive()
    case .scene: showScenes(purpose)
    }
    drawFirstFrame()
  }

  private func showScenes(_ purpose: Purpose) {
    guard let process else { return }
    var returning = process.scenes.filter { $0.returns && $0.session.role == .window }
    if returning.isEmpty {
      returning = Array(process.scenes.filter { $0.session.role == .window }.suffix(1))
    }

    guard !returning.isEmpty else {
      let session = sessions.last { $0.role == .window } ?? newSession(.window)
      return showScene(connect(session, purpose))
    }

    returning += process.scenes.filter { [.external, .other].contains($0.session.role) }
    returning = variation.order(returning)
    if variation.sometimes() {
      for scene in returning { showScene(scene) }
      return open(purpose, in: frontScene)
    }

    for scene in returning { entersForeground(scene) }
    open(purpose, in: returning.first { $0.session.role == .window })
    for scene in returning where scene.session.role != .external { becomesActive(scene) }
  }

  /// Something comes over the app: a call, an alert, Control Center.
  public func interrupt() {
    guard screen == .app, process != nil else { return }
    resign()
    screen = .interruption
    fall()
  }

  /// What was over the app goes away.
  public func endInterruption() {
    guard screen == .interruption else { return }
    screen = .app
    activate()
    fall()
  }

  /// The system asks who the user is: its sheet comes over the app and goes after `span`, and the app
  /// hears of the answer.
  func showSheet(
    for span: Nanoseconds, in process: AppProcess, _ answer: @escaping @MainActor () -> Void
  ) {
    let start = now + .milliseconds(50)
    process.plans.add({ [weak self] in self?.interrupt() }, due: start)
    process.plans.add(
      { [weak self, weak process] in
        guard let self, let process else { return }
        host.pace()
        turn(process, answer)
        endInterruption()
      }, due: start + span)
  }

  /// The user opens the app switcher.
  public func openSwitcher() {
    switch screen {
    case .app:
      resign()
      screen = .switcher(fromApp: process != nil)
    case .home: screen = .switcher(fromApp: false)
    case .interruption, .switcher, .locked: return
    }
  }

  /// The user leaves the app switcher for where they came from.
  public func closeSwitcher() {
    guard case .switcher(let fromApp) = screen else { return }
    screen = fromApp && process != nil ? .app : .home
    if screen == .app { activate() }
    fall()
  }

  /// The user goes to the home screen, or to another app.
  public func goHome() {
    switch screen {
    case .home, .locked: return
    case .app: resign()
    case .interruption, .switcher: break
    }
    let wasOnScreen = screen != .switcher(fromApp: false)
    screen = .home
    if wasOnScreen { leave() }
  }

  /// The device is locked: the app leaves the screen, and protected files become unavailable.
  public func lock() {
    if case .locked = screen { return }
    let fromApp = screen == .app || screen == .interruption || screen == .switcher(fromApp: true)
    if screen == .app { resign() }
    screen = .locked(fromApp: fromApp)
    // When the files go, relative to the background, is open.
    let isEarly = variation.sometimes()
    if isEarly { tellProtectedData(isAvailable: false) }
    if fromApp { leave() }
    if !isEarly { tellProtectedData(isAvailable: false) }
  }

  /// The device is unlocked: the app comes back if it was on screen.
  public func unlock() {
    guard case .locked(let fromApp) = screen else { return }
    screen = .home
    tellProtectedData(isAvailable: true)
    guard let process, process.application != nil else { return }
    if fromApp {
      screen = .app
      enterForeground(.none)
      fall()
    }
  }

  /// The user touches a scene, the first active one unless it is named: an app that is not active, or a
  /// scene that is not, gets no input.
  public func touch(scene number: UInt32? = nil) {
    guard let process, process.state == .active else { return }
    let scene =
      number.flatMap { number in process.scenes.first { $0.number == number } } ?? frontScene
    guard screen == .app || scene?.session.role.isOnDevice == false else { return }

    if options.mode == .scene && scene?.activationState != .foregroundActive { return }
    host.pace()
    host.say(.deliver, name: Delivery.event.rawValue, Subject(scene))
    turn(process) {
      process.application?.work(.input, scene: scene)
      process.inputHandler?(scene)
    }
    fall()
  }

  // MARK: Steps

  /// All that is active resigns.
  private func resign() {
    guard let process else { return }
    switch options.mode {
    case .app: if process.state == .active { appResigns() }
    case .scene:
      for scene in variation.order(process.scenes)
      where scene.activationState == .foregroundActive && scene.session.role.isOnDevice {
        resigns(scene)
      }
    }
  }

  /// All that is on screen becomes active again.
  private func activate() {
    guard let process else { return }
    switch options.mode {
    case .app: if process.state == .inactive { appBecomesActive() }
    case .scene:
      for scene in variation.order(process.scenes)
      where scene.activationState == .foregroundInactive && scene.session.role != .external {
        becomesActive(scene)
      }
    }
  }

  /// What has resigned leaves the screen.
  private func leave() {
    // The animation of leaving; what the app has put off runs meanwhile.
    run(until: now + variation.delay(.milliseconds(20)))
    guard let process, process.state != .background else { return }

    switch options.mode {
    case .app: appEntersBackground()
    case .scene:
      let leaving = process.scenes.filter {
        $0.activationState.isForeground && $0.session.role.isOnDevice
      }
      for scene in process.scenes { scene.returns = leaving.contains { $0 === scene } }
      enterBackground(variation.order(leaving))
    }
    planSnapshot()
  }

  /// Scenes leave the screen, one after another.
  func enterBackground(_ scenes: [Scene]) {
    for (index, scene) in scenes.enumerated() {
      entersBackground(scene, isLast: index == scenes.count - 1)
    }
  }
}
