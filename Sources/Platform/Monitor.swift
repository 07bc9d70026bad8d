/// A lock whose holder can wait until another thread signals a change.
package final class Monitor: @unchecked Sendable {
  // Sound because the C structure is made for several threads; on the heap, as it must keep its address.
  private let monitor: UnsafeMutablePointer<platform_monitor>

  package init() {
    monitor = .allocate(capacity: 1)
    platform_monitor_init(monitor)
  }

  deinit {
    platform_monitor_destroy(monitor)
    monitor.deallocate()
  }

  /// Runs `body` while no other thread is inside.
  package func inside<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    platform_monitor_enter(monitor)
    defer { platform_monitor_leave(monitor) }
    return try body()
  }

  /// Lets others in until one of them signals; called inside.
  package func wait() { platform_monitor_wait(monitor) }

  /// Wakes all that wait; called inside.
  package func signal() { platform_monitor_signal(monitor) }
}
