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
  // Sound because both are touched only inside the monitor.
  private var job: (@Sendable () -> Void)?
  private var isOver = false
  private let monitor = Monitor()

  func start(_ job: @escaping @Sendable () -> Void) {
    monitor.inside {
      while self.job != nil { monitor.wait() }
      self.job = job
      monitor.signal()
    }
  }

  func wait() { monitor.inside { while job != nil { monitor.wait() } } }

  func end() {
    monitor.inside {
      isOver = true
      monitor.signal()
    }
  }

  /// Does one job after another until it is over.
  func work() {
    monitor.inside {
      while true {
        while job == nil && !isOver { monitor.wait() }
        guard let next = job else { break }
        monitor.outside(next)
        job = nil
        monitor.signal()
      }
    }
  }
}
