/// A thread that does one job at a time for another one, which can wait for it.
///
/// It ends with the last reference to it, once its job is done. No signal is delivered to it.
package final class SideThread: Sendable {
  private let turns = Turns()

  /// Starts the thread; `nil` when the system has none to give.
  package init?() {
    let turns = Unmanaged.passRetained(turns)
    let code = platform_start_thread_without_signals(
      { Unmanaged<Turns>.fromOpaque($0).takeRetainedValue().work() }, turns.toOpaque())
    guard code == 0 else {
      turns.release()
      return nil
    }
  }

  deinit { turns.end() }

  /// Hands a job over, once the one before is done.
  package func start(_ job: @escaping @Sendable () -> Void) { turns.start(job) }

  /// Waits until the job is done that was handed over last.
  package func wait() { turns.wait() }
}

/// What the two threads of a ``SideThread`` share.
private final class Turns: @unchecked Sendable {
  // Sound because both are touched only between `enter` and `leave`.
  private var job: (@Sendable () -> Void)?
  private var isOver = false
  /// On the heap: a monitor must keep its address.
  private let monitor: UnsafeMutablePointer<platform_monitor>

  init() {
    monitor = .allocate(capacity: 1)
    platform_monitor_init(monitor)
  }

  deinit {
    platform_monitor_destroy(monitor)
    monitor.deallocate()
  }

  func start(_ job: @escaping @Sendable () -> Void) {
    platform_monitor_enter(monitor)
    while self.job != nil { platform_monitor_wait(monitor) }
    self.job = job
    platform_monitor_signal(monitor)
    platform_monitor_leave(monitor)
  }

  func wait() {
    platform_monitor_enter(monitor)
    while job != nil { platform_monitor_wait(monitor) }
    platform_monitor_leave(monitor)
  }

  func end() {
    platform_monitor_enter(monitor)
    isOver = true
    platform_monitor_signal(monitor)
    platform_monitor_leave(monitor)
  }

  /// Does one job after another until it is over.
  func work() {
    platform_monitor_enter(monitor)
    while true {
      while job == nil && !isOver { platform_monitor_wait(monitor) }
      guard let next = job else { break }
      platform_monitor_leave(monitor)
      next()
      platform_monitor_enter(monitor)
      job = nil
      platform_monitor_signal(monitor)
    }
    platform_monitor_leave(monitor)
  }
}
