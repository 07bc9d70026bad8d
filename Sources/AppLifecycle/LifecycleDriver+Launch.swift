import LifecycleModel
import Platform

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LifecycleDriver {
  /// What an app is launched or opened for.
  enum Purpose {
    case none
    case url(URL)
    case activity(UserActivity)
    case shortcut(ShortcutItem)
    case notification(NotificationResponse)
  }

  /// Starts a process and has it run no code: the system expects that the user will open the app.
  public func prewarm() {
    guard process == nil else { return }
    let process = start(.prewarm)
    host.wait(until: now + .milliseconds(50))
    process.isSuspended = true
    process.suspendedSince = now
    host.say(.suspend, .app)
  }

  /// Starts a process for `reason`.
  @discardableResult
  func start(_ reason: LaunchReason) -> AppProcess {
    host.mute(false)
    lastNumbers.process += 1
    let process = AppProcess(lastNumbers.process, reason, .notRunning)
    if case .locked = screen { process.isDataUnavailable = true }
    self.process = process
    let profile = attributesOfProfile(reason)
    if profile != profileAttributes { host.say(.profile, attributes: profile) }
    profileAttributes = profile

    let pid = host.isVirtual ? 400 + process.number : Int(getpid())
    host.say(
      .processStart, .app,
      attributes: [Attribute(.pid, String(pid)), Attribute(.launch, reason.rawValue)]
        + (options.app.map { [Attribute(.bundle, $0)] } ?? []))
    return process
  }

  private func attributesOfProfile(_ reason: LaunchReason) -> [Attribute] {
    func list(_ words: [String]) -> String {
      words.isEmpty ? "none" : words.joined(separator: ",")
    }
    let said: [(AttributeKey, String?)] = [
      (.mode, options.mode.rawValue),
      (.multiScene, String(options.mode == .scene && options.isMultiScene)),
      (.platform, options.platform), (.os, options.os), (.sdk, options.sdk),
      (.app, options.app), (.version, options.version), (.build, options.build),
      (.device, options.device), (.install, options.install),
      (.launch, reason.rawValue), (.backgroundModes, list(options.backgroundModes)),
      (.debugger, String(options.isDebugged)), (.simulator, options.isSimulated ? "true" : nil),
      (.implements, options.implemented.map { list($0.map(\.rawValue)) }),
      (.marks, options.marks.map(list)),
      (.hooks, list(Hook.independent.map(\.rawValue))), (.clock, "monotonic"),
    ]
    return said.compactMap { key, value in value.map { Attribute(key, $0) } }
  }

  /// The launch sequence, up to where the app's first scene or activation follows.
  func finishLaunching(_ reason: LaunchReason, inBackground: Bool, _ purpose: Purpose = .none) {
    guard let process else { return }
    if process.isSuspended { resume() }
    setApp(inBackground || options.mode == .scene ? .background : .inactive)
    if !inBackground { process.launchWatch = watch(limits.launch, .watchdog("scene-create")) }
    var options = LaunchOptions(reason: reason)

    if self.options.mode == .app {
      if case .url(let url) = purpose { options.url = url }
      if case .shortcut(let item) = purpose { options.shortcutItem = item }
    }

    host.asApp { process.application = Application(self, process, makeDelegate()) }
    Application.shared = process.application
    call(.applicationWillFinishLaunching) {
      _ = $0.delegate?.application($0, willFinishLaunchingWithOptions: options)
    }
    call(.applicationDidFinishLaunching) {
      _ = $0.delegate?.application($0, didFinishLaunchingWithOptions: options)
    }
    self.process?.isLaunched = true
    post(.applicationDidFinishLaunching)
    discard(discardedSessions)
    discardedSessions = []
  }

  /// A launch that the user sees.
  func launchIntoForeground(_ reason: LaunchReason, _ purpose: Purpose) {
    if process == nil { start(reason) }
    finishLaunching(reason, inBackground: false, purpose)
    switch options.mode {
    case .app:
      open(purpose, in: nil)
      appBecomesActive()
    case .scene:
      let session = sessions.last { $0.role == .window } ?? newSession(.window)
      let scene = connect(session, purpose)
      showScene(scene)
      // The response comes to the app's own delegate too, which the scene's options do not replace.
      if case .notification = purpose { open(purpose, in: scene) }
    }
    drawFirstFrame()
  }

  /// A launch to handle `event`, which the user does not see.
  func launchIntoBackground(_ reason: LaunchReason, _ event: () -> Void) {
    if process == nil { start(reason) }
    finishLaunching(reason, inBackground: true)
    // Whether scenes are connected for it, and whether anybody is informed of the background, is open.
    if options.mode == .scene && !variation.sometimes() {
      connect(sessions.last { $0.role == .window } ?? newSession(.window), .none)
    }
    tellBackground()
    event()
    planSnapshot()
  }

  /// Says that the app is in the background, to the delegate that applies.
  func tellBackground() {
    guard let process, !variation.sometimes() else { return }
    switch options.mode {
    case .app: appEntersBackground()
    case .scene: enterBackground(variation.order(process.scenes))
    }
  }

  /// Ends the launch: something of the app is on screen.
  func drawFirstFrame() {
    guard let process, !process.hasFrame else { return }
    host.pace()
    turn(process) {
      process.application?.work(
        .frame, "first", scene: process.scenes.first { $0.activationState.isForeground })
    }
    process.hasFrame = true
    unwatch(process.launchWatch)
  }

  // MARK: Scenes

  func newSession(_ role: SceneRole) -> SceneSession {
    lastNumbers.session += 1
    let session = SceneSession(role, number: lastNumbers.session)
    sessions.append(session)
    return session
  }

  /// Makes the scene of a session.
  @discardableResult
  func connect(_ session: SceneSession, _ purpose: Purpose) -> Scene? {
    guard let process else { return nil }
    var connection = ConnectionOptions()
    if case .url(let url) = purpose { connection.urls = [url] }
    if case .activity(let activity) = purpose { connection.activity = activity }
    if case .shortcut(let item) = purpose { connection.shortcutItem = item }
    if case .notification(let response) = purpose { connection.notificationResponse = response }

    // UIKit asks only for a session that is new: of another one it has kept the configuration.
    if session.configuration == nil {
      call(.applicationConfigurationForConnecting, about: session.subject) {
        session.configuration = $0.delegate?.application(
          $0, configurationForConnecting: session, options: connection)
      }
    }

    guard process.isAlive else { return nil }
    lastNumbers.scene += 1
    let scene = Scene(session, number: lastNumbers.scene)
    process.scenes.append(scene)
    if let application = process.application {
      host.asApp { scene.delegate = session.configuration?.makeDelegate?(application) }
    }

    let attributes = [
      Attribute(.session, String(session.number)), Attribute(.role, session.role.rawValue),
      Attribute(.options, connection.word),
    ]
    let call = TransitionPart.Kind.call(.sceneWillConnect, attributes) { _ in
      scene.delegate?.scene(scene, willConnectTo: session, options: connection)
    }
    let parts = [call, .post(.sceneWillConnect)].map { TransitionPart(kind: $0, scene: scene) }
    transit(variation.order(parts), .past) { setScene(scene, .background) }
    return process.isAlive ? scene : nil
  }

  /// Informs the app that sessions were closed for good.
  func discard(_ closed: [SceneSession]) {
    for session in closed {
      sessions.removeAll { $0 === session }
      call(.applicationDidDiscardSceneSessions, about: session.subject) {
        $0.delegate?.application($0, didDiscardSceneSessions: [session])
      }
    }
  }

  /// Brings a scene on screen.
  func showScene(_ scene: Scene?) {
    guard let scene, let process, process.isAlive else { return }
    entersForeground(scene)
    if scene.session.role != .external { becomesActive(scene) }
  }
}
