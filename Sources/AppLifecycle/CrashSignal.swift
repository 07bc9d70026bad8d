/// A signal by which a fault of its own ends a process; the raw values are the numbers of all platforms.
public enum CrashSignal: Int32, CaseIterable, Sendable {
  /// An illegal instruction.
  case SIGILL = 4
  /// A trap: what a failed precondition of Swift ends in.
  case SIGTRAP = 5
  /// The process has aborted: what an uncaught exception ends in.
  case SIGABRT = 6
  /// A division by zero, and the like.
  case SIGFPE = 8
  /// An address that is not mapped.
  case SIGSEGV = 11
  /// A write to a socket that is closed.
  case SIGPIPE = 13

  /// The name, such as `SIGSEGV`.
  public var name: String { "\(self)" }
}

extension Application {
  /// A fault ends the process; what comes after it runs unheard, and ``isRunning`` is false.
  public func crash(_ signal: CrashSignal = .SIGSEGV) {
    if isRunning { driver?.kill(.signal(signal)) }
  }

  /// Throws an exception that nobody catches: the process ends by SIGABRT.
  public func raise(_ name: String, _ reason: String) {
    if isRunning { driver?.kill(.exception(name, reason)) }
  }

  /// Ends the process with a status; UIKit calls nothing then.
  public func exit(_ status: Int32) {
    if isRunning { driver?.end(status) }
  }
}
