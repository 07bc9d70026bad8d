/// The signals of Darwin, by their names and by the words that the C library has for them.
package enum DarwinSignal {
  private static let names = [
    "", "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGEMT", "SIGFPE",
    "SIGKILL", "SIGBUS", "SIGSEGV", "SIGSYS", "SIGPIPE", "SIGALRM", "SIGTERM", "SIGURG", "SIGSTOP",
    "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGTTIN", "SIGTTOU", "SIGIO", "SIGXCPU", "SIGXFSZ",
    "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGINFO", "SIGUSR1", "SIGUSR2",
  ]

  private static let words: [String: UInt64] = [
    "Hangup": 1, "Interrupt": 2, "Quit": 3, "Illegal instruction": 4, "Trace/BPT trap": 5,
    "Abort trap": 6, "Floating point exception": 8, "Killed": 9, "Bus error": 10,
    "Segmentation fault": 11, "Bad system call": 12, "Broken pipe": 13, "Alarm clock": 14,
    "Terminated": 15, "Cputime limit exceeded": 24, "Filesize limit exceeded": 25,
  ]

  /// The signals by which the processor stops what a thread does: SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV.
  package static let ofProcessor: Set<UInt64> = [4, 5, 8, 10, 11]

  /// The number of `SIGKILL`; `nil` for a name that Darwin does not have.
  package static func number(named name: String) -> UInt64? {
    name.isEmpty ? nil : names.firstIndex(of: name).map(UInt64.init)
  }

  /// The one signal whose name begins so; `nil` where several do, or none.
  package static func name(beginning start: String) -> String? {
    let found = names.filter { $0.hasPrefix(start) }
    return found.count == 1 ? found[0] : nil
  }

  /// The number of `Killed` or `Killed: 9`; `nil` for other words.
  package static func number(inWords text: String) -> UInt64? {
    text.split(separator: ":", maxSplits: 1).first.flatMap { words[String($0)] }
  }

  /// Whether Darwin has such a signal.
  package static func isKnown(_ number: UInt64) -> Bool { number > 0 && number < names.count }

  /// The name of a signal, or its number where Darwin has no such signal.
  package static func name(_ number: UInt64) -> String {
    isKnown(number) ? names[Int(number)] : "signal \(number)"
  }
}
