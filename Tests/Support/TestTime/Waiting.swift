import Platform

/// Waits until something is so, which another thread or process brings about; fails after three minutes: a
/// busy machine is no failure.
package func wait(_ what: String, until isSo: () throws -> Bool) throws {
  let end = platform_nanoseconds() + 180_000_000_000
  while try !isSo() {
    guard platform_nanoseconds() < end else { throw WaitedInVain(what: what) }
    usleep(200)
  }
}

/// Lets time pass, at least this much, for tests that are about time: how long something took, or what
/// happens while nobody acts.
///
/// It is no way to wait for anything: `wait(_:until:)` is.
package func letTimePass(milliseconds: Double) {
  let end = platform_nanoseconds() + UInt64(milliseconds * 1_000_000)
  var now = platform_nanoseconds()
  while now < end {
    usleep(UInt32((end - now) / 1000 + 1))
    now = platform_nanoseconds()
  }
}

/// What was waited for did not come.
package struct WaitedInVain: Error, CustomStringConvertible {
  let what: String

  /// What was waited for.
  package var description: String { "waited three minutes for \(what), in vain" }
}
