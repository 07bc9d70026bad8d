import LifecycleModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The ways in which a process ends.
extension LifecycleDriver {
  /// The user swipes the app away in the switcher, and with it all its scenes.
  ///
  /// A process that runs hears of it; one that is suspended does not, and learns at its next launch
  /// which scenes are gone.
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
    let scenes = process.scenes
    let unconnected = closed.filter { session in !scenes.contains { $0.session === session } }
    close(variation.order(scenes))
    discard(unconnected)
    terminate()
  }

  /// The system needs what the process holds: one that runs in the background is told, one that is
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

  /// The device is started again.
  public func reboot() {
    kill(.reboot)
    screen = .home
  }

  /// The last call, its notification, and the end.
  private func terminate() {
    let parts = appParts(.applicationWillTerminate) { $0.delegate?.applicationWillTerminate($0) }
    transit(parts, .past, limit: limits.willTerminate, .watchdog("process-exit"))
    guard process != nil else { return }
    host.pace()
    host.say(.exit, .app, attributes: [Attribute(.status, "0")])
    if !host.isVirtual { exit(0) }
    bury()
  }

  /// The system ends the process; no code of it runs any more.
  func kill(_ termination: Termination) {
    guard process != nil else { return }
    host.say(.kill, .app, attributes: termination.attributes)
    bury()
  }

  private func bury() {
    host.die()
    process?.end()
    process = nil
    // What makes delegates is code of the process that has gone.
    for session in sessions + discardedSessions { session.configuration = nil }
    Application.shared = nil
    fall()
    if case .locked = screen { screen = .locked(fromApp: false) }
    if case .switcher = screen { screen = .switcher(fromApp: false) }
  }
}
