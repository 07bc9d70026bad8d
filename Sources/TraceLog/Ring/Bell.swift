import LifecycleModel
import Platform

/// What a drain waits for, and a writer rings: two words in a ring's header.
///
/// The words are in the ring's memory, which must outlive the bell.
package struct Bell: @unchecked Sendable {
  // Sound because the words are read and written as atomics.
  private let count: UnsafeMutablePointer<UInt32>
  private let awaited: UnsafeMutablePointer<UInt32>

  init(_ base: UnsafeMutableRawPointer) {
    count = (base + RingFormat.Header.bell).assumingMemoryBound(to: UInt32.self)
    awaited = (base + RingFormat.Header.isBellAwaited).assumingMemoryBound(to: UInt32.self)
  }

  /// How often it has rung.
  package var rings: UInt32 { platform_load_acquire_32(count) }

  /// What writers are to ring for; each asks for what stands before it, too.
  enum Cause: UInt32 { case nothing, halfFull, anyEvent }

  /// Says what writers are to ring for.
  func ask(for cause: Cause) {
    // A page that is not changed is not written to the disk.
    guard platform_load_acquire_32(awaited) != cause.rawValue else { return }
    platform_store_relaxed_32(awaited, cause.rawValue)
  }

  /// Wakes who waits, whoever calls.
  package func ring() { platform_ring(count) }

  /// Wakes who has said that it waits for this.
  func ring(ifAwaitedFor cause: Cause) {
    platform_ring_if_awaited(count, awaited, cause == .halfFull ? 1 : 2)
  }

  /// Waits until it has rung since it had rung `seen` times, or for so long; true when that has passed.
  package func wait(_ span: Nanoseconds, since seen: UInt32) -> Bool {
    platform_wait_for_ring(count, seen, span) != 0
  }
}
