import LifecycleModel
import Platform
import TraceRecorder

/// Real time, and a watchdog that ends this process for good.
final class RealTime: Sendable {
  private struct Watched {
    var deadline: Nanoseconds?
    var attributes: [Attribute] = []
  }

  let recorder: Recorder
  let system: SystemRecorder
  private let origin = RealTime.monotonic
  private let watched = Lock(Watched())

  init(_ recorder: Recorder) {
    self.recorder = recorder
    system = SystemRecorder(recorder)
    startWatchdog()
  }

  /// Looks at the deadline a hundred times a second, as long as the process lives.
  private func startWatchdog() {
    _ = SideThread(getsSignals: true) { [self] in
      while true {
        look()
        usleep(10_000)
      }
    }
  }

  /// Nanoseconds since the driver was made.
  var now: Nanoseconds { RealTime.monotonic - origin }

  /// Sleeps on the main thread, busy or idle.
  func sleep(until due: Nanoseconds) {
    // A signal ends a sleep early.
    while case let span = due - now, span > 0 { usleep(UInt32(clamping: span / 1000 + 1)) }
  }

  /// Ends the process at `deadline`, whatever its main thread does.
  func watch(_ deadline: Nanoseconds?, _ attributes: [Attribute]) {
    watched.withLock { $0 = Watched(deadline: deadline, attributes: attributes) }
  }

  /// Ends the process by a signal; SIGKILL is how the system does it, and no handler sees it.
  func die(_ number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // The signal may take a moment; nothing may run meanwhile.
    while true { pause() }
  }

  private func look() {
    let due = watched.withLock { watched -> [Attribute]? in
      guard let deadline = watched.deadline, deadline <= now else { return nil }
      return watched.attributes
    }
    guard let due else { return }
    system.record(.kill, subject: .app, attributes: due)
    die(SIGKILL)
  }

  private static var monotonic: Nanoseconds {
    Nanoseconds(truncatingIfNeeded: platform_nanoseconds())
  }
}
