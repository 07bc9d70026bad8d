/// A value that one thread at a time can reach.
///
/// As `Mutex` of the standard library, which asks for iOS 18; this one runs wherever the recorder does.
/// Not recursive.
package final class Lock<Value>: @unchecked Sendable {
  // Sound because the value is touched by the holder of the lock alone.
  private var value: Value
  /// On the heap: a lock must keep its address.
  private let lock: UnsafeMutablePointer<platform_lock>

  /// Guards `value` from now on.
  package init(_ value: sending Value) {
    self.value = value
    lock = .allocate(capacity: 1)
    platform_lock_init(lock)
  }

  deinit {
    platform_lock_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` with the value while no other thread can reach it.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    platform_lock_acquire(lock)
    defer { platform_lock_release(lock) }
    return try body(&value)
  }
}
