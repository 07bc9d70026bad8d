import Platform

/// CPU time of this thread, which other load on the machine changes little.
enum Measure {
  /// The nanoseconds that one run of `body` takes.
  static func once(_ body: () throws -> Void) rethrows -> Double {
    let start = threadTime()
    try body()
    return threadTime() - start
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  /// The CPU seconds, the seconds of a clock and the peak memory in bytes of a child process that runs
  /// `arguments`.
  static func child(
    _ arguments: [String]
  ) -> (seconds: Double, wall: Double, peakBytes: Int)? {
    let start = ContinuousClock.now
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    guard posix_spawn(&process, arguments[0], nil, nil, &words, environ) == 0 else { return nil }

    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process, status == 0 else { return nil }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    let unit = 1024
    let wall = (ContinuousClock.now - start) / .seconds(1)
    return (seconds(usage.ru_utime) + seconds(usage.ru_stime), wall, Int(usage.ru_maxrss) * unit)
  }

  static func row(_ name: String, _ number: Double, _ note: String = "") {
    let padding = String(repeating: " ", count: max(1, 40 - name.count))
    print("  \(name)\(padding)\(rounded(number))\(note.isEmpty ? "" : "   \(note)")")
  }

  static func times(_ number: Double, _ floor: Double, _ name: String) -> String {
    "\(rounded(number / floor)) × \(name)"
  }

  static func rounded(_ number: Double) -> String {
    let hundredths = (number * 100).rounded() / 100
    return "\(hundredths)"
  }
}
