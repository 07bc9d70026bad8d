/// A thread that does one job, for which another one can wait.
package final class SideThread: @unchecked Sendable {
  // Sound because `isDone` is touched inside the monitor alone.
  private let job: @Sendable () -> Void
  private let monitor = Monitor()
  private var isDone = false

  /// Starts the job on a thread to which no signal is delivered, unless it `getsSignals`; `nil` when the system has
  /// no thread to give.
  package init?(getsSignals: Bool = false, _ job: @escaping @Sendable () -> Void) {
    self.job = job
    let start = getsSignals ? platform_start_thread : platform_start_thread_without_signals
    let own = Unmanaged.passRetained(self)
    let code = start(
      { Unmanaged<SideThread>.fromOpaque($0).takeRetainedValue().work() }, own.toOpaque())
    guard code == 0 else {
      own.release()
      return nil
    }
  }

  private func work() {
    job()
    monitor.inside {
      isDone = true
      monitor.signal()
    }
  }

  /// Waits until the job is done.
  package func wait() { monitor.inside { while !isDone { monitor.wait() } } }
}
