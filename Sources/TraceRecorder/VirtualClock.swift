/// A clock that its owner moves: the time of a simulation.
///
/// Each reading takes a nanosecond, so that no two events have the same instant, whatever thread
/// recorded them, and their order is that in which they were recorded. It belongs to the thread
/// that drives the simulation: it is not `Sendable`.
package final class VirtualClock {
  /// The cell that the recorder reads; it lives as long as the clock.
  let cell: UnsafeMutablePointer<UInt64>

  /// Makes a clock that stands at 0.
  package init() {
    cell = .allocate(capacity: 1)
    cell.initialize(to: 0)
  }

  deinit { cell.deallocate() }

  /// Nanoseconds since the clock was made; to look does not move it.
  package var nanoseconds: Int64 { Int64(bitPattern: cell.pointee) }

  /// Begins anew at 0.
  func reset() { cell.pointee = 0 }

  /// Moves the clock on to `nanoseconds`; it never goes back.
  package func advance(to nanoseconds: Int64) {
    if nanoseconds > self.nanoseconds { set(to: nanoseconds) }
  }

  /// Sets the clock, back as well: clocks of machines fail.
  package func set(to nanoseconds: Int64) { cell.pointee = UInt64(bitPattern: nanoseconds) }
}
