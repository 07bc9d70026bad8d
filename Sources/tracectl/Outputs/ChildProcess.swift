import Platform

/// An app that was started by the command and shares its standard streams.
struct ChildProcess {
  /// How a process ended.
  enum End {
    case exited(status: Int32)
    case signaled(Int32)

    /// The status with which the command itself ends, as a shell has it.
    var exitStatus: Int32 {
      switch self {
      case .exited(let status): status
      case .signaled(let signal): 128 + signal
      }
    }
  }

  private let id: pid_t

  /// Starts `command` with one more variable in its environment.
  ///
  /// Throws a ``CommandError`` whose exit status is a shell's: 127 when there is no such command, 126
  /// when it cannot be run.
  init(_ command: [String], environment variable: (name: String, value: String)) throws {
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var environment = ChildProcess.environment(with: variable)
    defer { for word in arguments + environment { free(word) } }
    var id: pid_t = 0
    let code = posix_spawnp(&id, command[0], nil, nil, &arguments, &environment)
    guard code == 0 else { throw ChildProcess.cannotRun(command[0], code) }
    self.id = id
  }

  /// Throws what starting `program` would throw, as far as its file tells.
  static func check(_ program: String) throws {
    let folders =
      program.contains("/")
      ? []
      : (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin").split(
        separator: ":", omittingEmptySubsequences: false)
    let paths =
      folders.isEmpty ? [program] : folders.map { ($0.isEmpty ? "." : $0) + "/" + program }
    if paths.contains(where: { access($0, X_OK) == 0 }) { return }
    let isThere = paths.contains { access($0, F_OK) == 0 }
    throw cannotRun(program, isThere ? EACCES : ENOENT)
  }

  private static func cannotRun(_ program: String, _ code: Int32) -> CommandError {
    CommandError(
      description: "\(program): cannot run: \(String(cString: strerror(code)))",
      status: code == ENOENT ? .commandNotFound : .commandNotRunnable)
  }

  /// How the process ended; `nil` while it runs.
  func end() -> End? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    let signal = status & 0x7f
    return signal == 0 ? .exited(status: status >> 8 & 0xff) : .signaled(signal)
  }

  /// Hands signals on to the process.
  ///
  /// One that the terminal sent to both is the process's alone.
  func forwardSignals() {
    ChildProcess.receiver = id
    for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2] {
      platform_handle_signal(signal, 1) { signal, info, _ in
        let isForUsAlone = info.map { $0.pointee.si_code <= 0 } ?? true
        if isForUsAlone { kill(ChildProcess.receiver, signal) }
      }
    }
  }

  /// Who gets the signals; written once, before the handlers are set.
  nonisolated(unsafe) private static var receiver: pid_t = 0

  private static func environment(
    with variable: (name: String, value: String)
  ) -> [UnsafeMutablePointer<CChar>?] {
    var words: [UnsafeMutablePointer<CChar>?] = []
    var entry = environ
    while let word = entry.pointee {
      if strncmp(word, variable.name + "=", variable.name.utf8.count + 1) != 0 {
        words.append(strdup(word))
      }
      entry += 1
    }
    return words + [strdup("\(variable.name)=\(variable.value)"), nil]
  }
}
