import Platform

/// Threads of our own: the queues of the system need descriptors, and trap where there are too few.
enum Threads {
  /// How many cores there are.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Begins a work on another thread, or does it at once where the system has no thread to give; what
  /// is returned waits until it is done.
  static func begin(_ work: @escaping @Sendable () -> Void) -> () -> Void {
    guard let thread = SideThread(work) else {
      work()
      return {}
    }
    return thread.wait
  }

  /// Does the same work on `count` threads, this one among them, until all are done.
  static func run(_ count: Int, _ work: @escaping @Sendable () -> Void) {
    let waits = stride(from: 1, to: count, by: 1).map { _ in begin(work) }
    work()
    for wait in waits { wait() }
  }
}
