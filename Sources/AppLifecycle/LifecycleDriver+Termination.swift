import LifecycleModel
import Platform

/// The ways in which a process ends.
extension LifecycleDriver {
  /// The user swipes the app away in the switcher, and with it all its scenes.
  ///
  /// A process that runs hears of it; one that is suspended does not, and learns at its next launch
  /// which scenes are gone. A continued task ends with the process, and is not informed.
  public func killFromSwitcher() {
    openSwitcher()
    guard case .switcher = screen else { return }

    screen = .home
    let closed = sessions
    guard let process, process.application != nil, !process.isSuspended else {
      discardedSessions += closed
      sessions = []
      return kill(.closed)
    }

    cancelPlans()
    // Some versions of iOS inform an app without scenes of the background first, and some do not.
    if options.mode == .app && process.state == .inactive && variation.sometimes() {
      appEntersBackground()
    }

    let scenes = process.scenes
    let unconnected = closed.filter { session in !scenes.contains { $0.session === session } }
    for scene in scenes where scene.activationState == .foregroundActive { resigns(scene) }
    close(variation.order(scenes))
    discard(unconnected)
    quit()
  }

  /// Ends the process for the user; on Catalyst it goes when its background tasks have ended.
  private func quit() {
    guard let process, process.isAlive else { return }
    if options.platform != "catalyst" || process.tasks.isEmpty { return terminate() }
    process.isQuitting = true
    process.plans.add(
      { [weak self] in self?.terminate() }, due: now + limits.backgroundTasks + limits.expiration)
  }

  /// The system needs what the process holds: one that runs in the background is informed, one that is
  /// suspended is not.
  public func endForSystem() {
    guard let process, screen != .app, process.state == .background else { return purge() }
    process.isSuspended || process.application == nil ? kill(.purged) : terminate()
  }

  /// The system takes the memory of a process in the background, without a word.
  public func purge() {
    guard let process, process.state == .background || process.application == nil else { return }
    kill(.purged)
  }

  /// The device is started again: no process hears of it, and nobody writes it down.
  public func reboot() {
    if process != nil { bury(SIGKILL) }
    screen = .home
  }

  /// A fault of the app ends its process, by a signal.
  ///
  /// Nothing happens to a process that runs no code.
  public func crash(_ signal: CrashSignal = .SIGSEGV) {
    guard let process, process.application != nil, !process.isSuspended else { return }
    kill(.signal(signal))
  }

  /// The app calls `exit` with a status; nothing happens to a process that runs no code.
  public func exitProcess(status: Int32 = 0) {
    guard let process, process.application != nil, !process.isSuspended else { return }
    end(status)
  }

  /// The app passes the limit of memory that it has for itself, and the system kills it.
  public func passMemoryLimit() { kill(.memoryLimit) }

  /// The last call, its notification, and the end.
  func terminate() {
    guard process != nil else { return }
    let parts = appParts(.applicationWillTerminate) { $0.delegate?.applicationWillTerminate($0) }
    transit(parts, .past, limit: limits.willTerminate, .watchdog("process-exit"))
    guard process != nil else { return }
    host.pace()
    end(0)
  }

  /// The process ends itself.
  func end(_ status: Int32) {
    host.say(.exit, .app, attributes: [Attribute(.status, String(status))])
    if !host.isVirtual { exit(status) }
    bury(SIGKILL)
  }

  /// The system ends the process; no code of it runs any more.
  func kill(_ termination: Termination) {
    guard process != nil else { return }
    host.say(.kill, .app, attributes: termination.attributes)
    bury(termination.signal)
  }

  /// In real time this process is the app's, and dies by `signal`.
  private func bury(_ signal: Int32) {
    host.die(signal)
    process?.end()
    process = nil
    Application.shared = nil
    fall()
    if case .locked = screen { screen = .locked(fromApp: false) }
    if case .switcher = screen { screen = .switcher(fromApp: false) }
  }
}
